#include "wire/graph.h"

#include <utility>

#include "index/base/status.h"

namespace kindred {

absl::StatusOr<Graph> ToGraph(const v1::Graph& message, const Limits& limits) {
  if (message.edges_size() % 2 != 0) {
    return InvalidArgument("edges: has {} vertex indices; an edge needs two", message.edges_size());
  }
  const int edge_count = message.edges_size() / 2;
  const bool labelled = message.edge_labels_size() > 0;
  if (labelled && message.edge_labels_size() != edge_count) {
    return InvalidArgument("edge_labels: there are {} for {} edges; give one an edge, or none",
                           message.edge_labels_size(), edge_count);
  }
  KINDRED_RETURN_IF_ERROR(Graph::CheckSizes(static_cast<size_t>(message.labels_size()),
                                            static_cast<size_t>(message.vertices_size()),
                                            static_cast<size_t>(edge_count), limits));
  GraphParts parts;
  parts.labels.assign(message.labels().begin(), message.labels().end());
  parts.vertices.assign(message.vertices().begin(), message.vertices().end());
  parts.edges.reserve(static_cast<size_t>(edge_count));
  for (int e = 0; e < edge_count; ++e) {
    // 0, no label, wraps around to kNoLabel.
    const uint32_t label = (labelled ? message.edge_labels(e) : 0) - 1;
    parts.edges.push_back({message.edges(2 * e), message.edges(2 * e + 1), label});
  }
  static_assert(uint32_t{0} - 1 == GraphParts::kNoLabel);
  return Graph::Create(std::move(parts), limits);
}

}  // namespace kindred
