#include "client/cli/search_printer.h"

#include "client/cli/search_text.h"
#include "client/cli/terminal.h"
#include "index/base/status.h"

namespace kindred::cli {

SearchPrinter::SearchPrinter(const Session& session, client::Client& client, const v1::SearchRequest& request,
                             uint64_t first_rank)
    : session_(session),
      client_(client),
      measure_(request.measure()),
      first_rank_(first_rank),
      output_(session.out()) {
  if (request.has_depth()) {
    depth_ = std::to_string(request.depth());
  }
}

absl::Status SearchPrinter::Print(const std::string& name, const v1::SearchResponse& response) {
  KINDRED_RETURN_IF_ERROR(
      output_.Write(session_.options.json ? SearchJsonLine(name, response) : ToText(name, response)));
  return output_.Flush();
}

std::string SearchPrinter::ToText(const std::string& name, const v1::SearchResponse& response) {
  if (!depth_.has_value()) {
    LearnDepth();
  }
  const std::string gap = printed_ ? "\n" : "";
  printed_ = true;
  return gap + SearchText(name, measure_, *depth_, response, first_rank_, WantsColour(session_.out()));
}

// The daemon uses the depth of the index unless told otherwise, and does not say so in its answer.
void SearchPrinter::LearnDepth() {
  const auto stats = client_.Stats();
  depth_ = stats.ok() ? std::to_string(stats->depth()) : "?";
}

}  // namespace kindred::cli
