#include "daemon/watch_request.h"

#include <utility>
#include <variant>

#include "daemon/convert.h"
#include "index/base/molecule_scheme.h"
#include "index/base/status.h"

namespace kindred::daemon {
namespace {

absl::StatusOr<std::variant<std::string, Graph>> ToAsked(const v1::GraphOrId& message, const Limits& limits) {
  switch (message.kind_case()) {
    case v1::GraphOrId::kGraph: {
      auto graph = ToGraph(message.graph(), limits);
      if (!graph.ok()) {
        return Annotate(graph.status(), "graph.graph.");
      }
      return *std::move(graph);
    }
    case v1::GraphOrId::kId:
      KINDRED_RETURN_IF_ERROR(Annotate(CheckId(message.id()), "graph."));
      return message.id();
    case v1::GraphOrId::KIND_NOT_SET:
      break;
  }
  return InvalidArgument("graph: give a graph or the id of a stored one");
}

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
  KINDRED_ASSIGN_OR_RETURN(auto asked, ToAsked(query.graph(), limits));
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
  if (!message.filter().empty()) {
    return absl::UnimplementedError("filter: this kindredd cannot filter yet");
  }
  WatchRequest request;
  KINDRED_ASSIGN_OR_RETURN(request.measure, ToMeasure(message.measure()));
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
