#include "client/cli/hit_flags.h"

#include "client/cli/choice.h"
#include "client/cli/json.h"
#include "index/base/status.h"

namespace kindred::cli {

void AddFilterFlags(CLI::App& app, FilterFlags& flags) {
  app.add_option(
         "--filter", flags.filter,
         "only graphs whose tags match, as: source = demo and not (year in (2019, 2020) or exists retired)")
      ->type_name("FILTER");
  app.add_option("--exclude", flags.exclude, "a graph that is no hit; repeatable")
      ->type_name("ID")
      ->allow_extra_args(false);
}

void AddFields(CLI::App& app, Fields& fields) {
  AddChoice<Fields>(
      app, "--fields", fields,
      {{"none", Fields::kNone},
       {"payload", Fields::kPayload},
       {"tags", Fields::kTags},
       {"both", Fields::kBoth}},
      "what is shown of a hit beside its similarity (default: in tables the payload if it is short "
      "text, in JSON lines none)");
}

void AddPageFlags(CLI::App& app, PageFlags& flags, CLI::Option* file) {
  const auto from_one = [](const std::string& text) {
    uint32_t number = 0;
    const bool fine = CLI::detail::lexical_cast(text, number) && number > 0;
    return fine ? std::string() : "\"" + text + "\" is not a number from 1 up";
  };
  CLI::Option* const page = app.add_option(
      "--page", flags.page, "of pages of K hits each this one; those before it are searched for, too");
  page->type_name("N")->check(from_one)->excludes(file)->capture_default_str();
  app.add_option(
         "--after", flags.after,
         "only hits after this one: the last of a page before, or the whole line, as --json printed it")
      ->type_name("JSON")
      ->excludes(file)
      ->excludes(page);
}

absl::StatusOr<v1::Hit> ParseHit(const std::string& text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_object() && json.contains("hits")) {
    Json hits = json["hits"];
    if (!hits.is_array() || hits.empty()) {
      return InvalidArgument("the line has no hits; nothing comes after it");
    }
    json = hits.back();
  }
  const auto is = [&json](const char* key, bool (Json::*kind)() const noexcept) {
    return json.contains(key) && (json[key].*kind)();
  };
  if (!json.is_object() || !is("id", &Json::is_string) || !is("kernel", &Json::is_number) ||
      !is("similarity", &Json::is_number) || !is("vertices", &Json::is_number_unsigned)) {
    return InvalidArgument("is no hit as --json prints it, with id, kernel, similarity and vertices");
  }
  v1::Hit hit;
  hit.set_id(json["id"].get<std::string>());
  hit.set_kernel(json["kernel"].get<double>());
  hit.set_similarity(json["similarity"].get<double>());
  hit.set_vertices(json["vertices"].get<uint32_t>());
  return hit;
}

}  // namespace kindred::cli
