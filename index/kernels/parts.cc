#include "index/kernels/parts.h"

#include <utility>

#include "index/base/check.h"
#include "index/kernels/part_counter.h"

namespace kindred {
namespace {

absl::Status Count(PartKind kind, const Graph& graph, std::span<const uint32_t> labels,
                   PartCounter& counter) {
  switch (kind) {
    case PartKind::kEdge:
      return CountEdges(graph, labels, counter);
    case PartKind::kGraphlet:
      return CountGraphlets(graph, labels, counter);
    case PartKind::kPath:
      return CountPaths(graph, labels, counter);
    case PartKind::kColour:
      break;
  }
  KINDRED_CHECK(false && "colours come from a hierarchy");
}

}  // namespace

absl::StatusOr<std::vector<Part>> PartsOf(PartKind kind, const Graph& graph, std::span<const uint32_t> labels,
                                          PartBudget& budget) {
  PartCounter counter(budget);
  KINDRED_RETURN_IF_ERROR(Count(kind, graph, labels, counter));
  return std::move(counter).Take();
}

absl::Status CountEdges(const Graph& graph, std::span<const uint32_t> labels, PartCounter& counter) {
  for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
    for (const Graph::Neighbour& neighbour : graph.neighbours(v)) {
      if (v < neighbour.vertex) {
        const auto [low, high] =
            std::minmax({labels[graph.vertex_label(v)], labels[graph.vertex_label(neighbour.vertex)]});
        counter.Add({low, high, labels[neighbour.edge_label]}, 1);
      }
    }
    KINDRED_RETURN_IF_ERROR(counter.Step(graph.neighbours(v).size() + 1));
  }
  return absl::OkStatus();
}

// One breadth-first search a vertex. The vertices of one distance are counted by label first, so that most
// pairs of vertices cost no look into the hash table.
absl::Status CountPaths(const Graph& graph, std::span<const uint32_t> labels, PartCounter& counter) {
  const uint32_t vertices = graph.vertex_count();
  std::vector<uint32_t> seen(vertices, UINT32_MAX);    // The last source that reached the vertex.
  std::vector<uint32_t> with_label(labels.size(), 0);  // Of one distance.
  std::vector<uint32_t> frontier;
  std::vector<uint32_t> next;
  for (uint32_t source = 0; source < vertices; ++source) {
    seen[source] = source;
    frontier.assign(1, source);
    for (uint32_t length = 1; !frontier.empty(); ++length) {
      next.clear();
      for (const uint32_t v : frontier) {
        for (const Graph::Neighbour& neighbour : graph.neighbours(v)) {
          if (seen[neighbour.vertex] != source) {
            seen[neighbour.vertex] = source;
            next.push_back(neighbour.vertex);
            ++with_label[graph.vertex_label(neighbour.vertex)];
          }
        }
        KINDRED_RETURN_IF_ERROR(counter.Step(graph.neighbours(v).size() + 1));
      }
      for (const uint32_t v : next) {
        const uint32_t label = graph.vertex_label(v);
        if (const uint32_t count = std::exchange(with_label[label], 0); count > 0) {
          counter.Add({labels[graph.vertex_label(source)], labels[label], length}, count);
        }
      }
      frontier.swap(next);
    }
  }
  return absl::OkStatus();
}

}  // namespace kindred
