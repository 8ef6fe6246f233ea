#include "daemon/watch_request.h"

#include <utility>

#include "daemon/convert.h"
#include "daemon/graph_or_id.h"
#include "index/base/molecule_scheme.h"
#include "index/base/status.h"

namespace kindred::daemon {
namespace {

absl::Status CheckName(const std::string& name, std::set<std::string_view>& names) {
  if (name.empty()) {
    return InvalidArgument("name: is empty");
  }
  if (name.size() > kExternalIdBytesMax) {
    return InvalidArgument("name: has {} bytes; at most {} are allowed", name.size(), kExternalIdBytesMax);
  }
  if (!names.insert(name).second) {
    return InvalidArgument("name: '{}' stands twice", name);
  }
  return absl::OkStatus();
}

absl::Status AddChecked(const v1::WatchRequest::Query& query, const Limits& limits,
                        std::set<std::string_view>& names, Watch& watch) {
  KINDRED_RETURN_IF_ERROR(CheckName(query.name(), names));
  KINDRED_ASSIGN_OR_RETURN(auto asked, ToGraphOrId("graph", query.graph(), limits));
  return watch.AddQuery(query.name(), std::move(asked), query.min_similarity());
}

}  // namespace

absl::StatusOr<WatchRequest> ToWatchRequest(const v1::WatchRequest& message, const Limits& limits) {
  if (message.queries().empty()) {
    return InvalidArgument("queries: is empty");
  }
  if (const auto queries = static_cast<uint64_t>(message.queries_size());
      queries > limits.watch_queries_max) {
    return OverLimit("queries", queries, "watch_queries_max", limits.watch_queries_max);
  }
  WatchRequest request;
  KINDRED_ASSIGN_OR_RETURN(request.measure, ToMeasure(message.measure()));
  KINDRED_ASSIGN_OR_RETURN(request.filter, Filter::Parse(message.filter(), limits));
  if (message.has_depth()) {
    request.depth = message.depth();
  }
  request.weights.assign(message.weights().begin(), message.weights().end());
  if (message.has_after_sequence()) {
    request.after = CommitSequence{message.after_sequence()};
  }
  request.with_payload = message.with_payload();
  request.with_tags = message.with_tags();
  if (!message.molecule_scheme().empty()) {
    KINDRED_RETURN_IF_ERROR(CheckMoleculeScheme(message.molecule_scheme()));
    request.molecule_scheme = message.molecule_scheme();
  }
  return request;
}

absl::Status AddQuery(const v1::WatchRequest& message, int place, const Limits& limits,
                      std::set<std::string_view>& names, Watch& watch) {
  return Annotate(AddChecked(message.queries(place), limits, names, watch),
                  fmt::format("queries[{}].", place));
}

}  // namespace kindred::daemon
