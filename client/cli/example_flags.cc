#include "client/cli/example_flags.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "client/formats/smiles_graph.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

// No daemon takes more (recommend_examples_max); a file may be anything.
constexpr int kExamplesMax = 10'000;

using Examples = google::protobuf::RepeatedPtrField<v1::RecommendRequest::Example>;

std::optional<double> ParseNumber(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size() && !text.empty();
  return whole ? std::optional(number) : std::nullopt;
}

absl::StatusOr<WeightedName> Split(std::string_view text, char separator) {
  const size_t at = text.rfind(separator);
  const auto weight = at == std::string_view::npos ? std::nullopt : ParseNumber(text.substr(at + 1));
  const std::string_view name = weight.has_value() ? text.substr(0, at) : text;
  if (name.empty()) {
    return InvalidArgument("\"{}\" names nothing", text);
  }
  if (weight.has_value() && !(*weight > 0 && std::isfinite(*weight))) {
    return InvalidArgument("\"{}\": a weight is a number above 0", text);
  }
  return WeightedName{std::string(name), weight.value_or(1)};
}

// Reads one side.
class Side {
 public:
  Side(std::string option, const formats::ReadOptions& options, Examples& examples, std::string& scheme)
      : option_(std::move(option)), options_(options), examples_(examples), scheme_(scheme) {}

  absl::StatusOr<std::vector<std::string>> Read(const SideFlags& flags) {
    for (const std::string& text : flags.ids) {
      KINDRED_ASSIGN_OR_RETURN(const WeightedName id, ParseWeightedId(text));
      Add(id.name, id.weight).mutable_graph()->set_id(id.name);
    }
    for (const std::string& text : flags.smiles) {
      KINDRED_ASSIGN_OR_RETURN(const WeightedName smiles, ParseWeightedSmiles(text));
      auto graph = formats::GraphFromSmiles(smiles.name, options_.molecules);
      if (!graph.ok()) {
        return Annotate(graph.status(), fmt::format("{}-smiles {}: ", option_, smiles.name));
      }
      *Add(smiles.name, smiles.weight).mutable_graph()->mutable_graph() = *std::move(graph);
      scheme_ = formats::ToText(options_.molecules);
    }
    for (const std::string& path : flags.files) {
      KINDRED_RETURN_IF_ERROR(ReadFile(path));
    }
    return std::move(names_);
  }

 private:
  v1::RecommendRequest::Example& Add(const std::string& name, double weight) {
    names_.push_back(name);
    v1::RecommendRequest::Example& example = *examples_.Add();
    example.set_weight(weight);
    return example;
  }

  // One that cannot be read stops it: without it the answer would be another.
  absl::Status ReadFile(const std::string& path) {
    KINDRED_ASSIGN_OR_RETURN(const auto reader, formats::OpenRecords(path, options_));
    while (auto result = reader->Next()) {
      if (examples_.size() == kExamplesMax) {
        return InvalidArgument("{}: there are more than {} graphs", path, kExamplesMax);
      }
      if (!result->record.ok()) {
        return Annotate(result->record.status(), fmt::format("{}:{}: ", path, result->position));
      }
      *Add(result->id, 1).mutable_graph()->mutable_graph() = std::move(*result->record->mutable_graph());
      if (!result->record->molecule_scheme().empty()) {
        scheme_ = result->record->molecule_scheme();
      }
    }
    return absl::OkStatus();
  }

  const std::string option_;
  const formats::ReadOptions& options_;
  Examples& examples_;
  std::string& scheme_;
  std::vector<std::string> names_;
};

void AddSide(CLI::App& app, const std::string& option, const std::string& what, SideFlags& flags) {
  const auto add = [&](const std::string& name, std::vector<std::string>& values, const std::string& type,
                       const std::string& description) {
    return app.add_option(name, values, description)
        ->type_name(type)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
  };
  const auto message = [](const absl::StatusOr<WeightedName>& name) {
    return name.ok() ? std::string() : std::string(name.status().message());
  };
  add(option, flags.ids, "ID[=WEIGHT]", fmt::format("a stored graph that is {}; repeatable", what))
      ->check([message](const std::string& text) { return message(ParseWeightedId(text)); });
  add(option + "-smiles", flags.smiles, "SMILES[ WEIGHT]",
      fmt::format("a molecule that is {}; repeatable", what))
      ->check([message](const std::string& text) { return message(ParseWeightedSmiles(text)); });
  add(option + "-file", flags.files, "FILE",
      fmt::format("each graph of a file is {}; - is standard input; repeatable", what))
      ->check([](const std::string& text) { return std::string(text.empty() ? "is empty" : ""); });
}

}  // namespace

absl::StatusOr<WeightedName> ParseWeightedId(std::string_view text) { return Split(text, '='); }
absl::StatusOr<WeightedName> ParseWeightedSmiles(std::string_view text) { return Split(text, ' '); }

void AddExampleFlags(CLI::App& app, ExampleFlags& flags) {
  AddSide(app, "--like", "liked", flags.liked);
  AddSide(app, "--dislike", "disliked", flags.disliked);
}

bool NeedGraphs(const ExampleFlags& flags) {
  const auto needs = [](const SideFlags& side) { return !side.smiles.empty() || !side.files.empty(); };
  return needs(flags.liked) || needs(flags.disliked);
}

absl::StatusOr<ExampleNames> SetExamples(const ExampleFlags& flags, const formats::ReadOptions& options,
                                         v1::RecommendRequest& request) {
  std::string& scheme = *request.mutable_molecule_scheme();
  ExampleNames names;
  KINDRED_ASSIGN_OR_RETURN(names.liked,
                           Side("--like", options, *request.mutable_liked(), scheme).Read(flags.liked));
  KINDRED_ASSIGN_OR_RETURN(
      names.disliked, Side("--dislike", options, *request.mutable_disliked(), scheme).Read(flags.disliked));
  return names;
}

}  // namespace kindred::cli
