#include "client/cli/search_printer.h"

#include "client/cli/record_text.h"
#include "client/cli/search_text.h"
#include "client/cli/terminal.h"
#include "index/base/status.h"

namespace kindred::cli {

SearchPrinter::SearchPrinter(const Session& session, client::Client& client, const v1::SearchRequest& request)
    : session_(session), client_(client), measure_(request.measure()), output_(session.out()) {
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
  return gap + SearchText(name, measure_, *depth_, response, Payloads(response), WantsColour(session_.out()));
}

// The daemon uses the depth of the index unless told otherwise, and does not say so in its answer.
void SearchPrinter::LearnDepth() {
  const auto stats = client_.Stats();
  depth_ = stats.ok() ? std::to_string(stats->depth()) : "?";
}

std::vector<std::string> SearchPrinter::Payloads(const v1::SearchResponse& response) {
  if (response.hits().empty() || daemon_gone_) {
    return {};
  }
  v1::GetRequest request;
  for (const v1::Hit& hit : response.hits()) {
    request.add_ids(hit.id());
  }
  const auto answer = client_.Get(request);
  daemon_gone_ = absl::IsUnavailable(answer.status());
  if (!answer.ok() || answer->entries_size() != response.hits_size()) {
    return {};
  }
  std::vector<std::string> payloads;
  for (const v1::GetResponse::Entry& entry : answer->entries()) {
    payloads.push_back(ShortPayload(entry.record()));
  }
  return payloads;
}

}  // namespace kindred::cli
