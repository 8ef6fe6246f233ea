#include "client/cli/watch_printer.h"

#include "client/cli/json.h"
#include "client/cli/record_text.h"
#include "client/cli/search_text.h"
#include "client/cli/text.h"
#include "fmt/format.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

// Lines come one by one, so columns are as wide as most of what stands in them; nothing is cut off.
constexpr size_t kIdColumns = 20;

std::string ToJson(const v1::WatchResponse::Match& match) {
  Json line = {{"sequence", match.sequence()},
               {"id", match.id()},
               {"query", match.query()},
               {"kernel", JsonNumber(match.kernel())},
               {"similarity", JsonNumber(match.similarity())}};
  AddFieldsJson(match.payload(), match.tags(), line);
  return JsonLine(line);
}

std::string Padded(std::string text) {
  const size_t width = DisplayWidth(text);
  text.append(width < kIdColumns ? kIdColumns - width : 0, ' ');
  return text;
}

}  // namespace

absl::Status WatchPrinter::Print(const v1::WatchResponse& message) {
  std::string text;
  for (const v1::WatchResponse::Match& match : message.matches()) {
    text += session_.options.json ? ToJson(match) : ToText(match);
    ++matches_;
  }
  if (session_.options.json) {
    text += JsonLine({{"position", message.sequence()}, {"behind", message.behind()}});
  }
  KINDRED_RETURN_IF_ERROR(output_.Write(text));
  return output_.Flush();
}

std::string WatchPrinter::ToText(const v1::WatchResponse::Match& match) {
  std::string text;
  if (matches_ == 0) {
    text = fmt::format("{:>10}  {:>10}  {}  {}\n", "sequence", "similarity", Padded("id"), "query");
  }
  text += fmt::format(
      "{:>10}  {:>10}  {}  {}", match.sequence(),
      match.similarity() <= 1 ? fmt::format("{:.4f}", match.similarity()) : FormatNumber(match.similarity()),
      Padded(Printable(match.id())), Printable(match.query()));
  for (const std::string& field : {ShortPayload(match.payload()), Printable(TagList(match.tags()))}) {
    text += (field.empty() ? "" : "  ") + field;
  }
  return text + "\n";
}

}  // namespace kindred::cli
