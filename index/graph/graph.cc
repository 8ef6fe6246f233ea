#include "index/graph/graph.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "index/base/status.h"

namespace kindred {
namespace {

absl::Status CheckLabels(const GraphParts& parts, const Limits& limits) {
  for (size_t i = 0; i < parts.labels.size(); ++i) {
    if (parts.labels[i].size() > limits.label_bytes_max) {
      return OverLimit(fmt::format("labels[{}] bytes", i), parts.labels[i].size(), "label_bytes_max",
                       limits.label_bytes_max);
    }
  }
  return absl::OkStatus();
}

absl::Status CheckVertices(const GraphParts& parts) {
  if (parts.vertices.empty()) {
    return InvalidArgument("vertices: the graph is empty; it needs at least one vertex");
  }
  for (size_t v = 0; v < parts.vertices.size(); ++v) {
    if (parts.vertices[v] >= parts.labels.size()) {
      return InvalidArgument("vertices[{}]: label {} is out of range (there are {} labels)", v,
                             parts.vertices[v], parts.labels.size());
    }
  }
  return absl::OkStatus();
}

absl::Status CheckEdges(const GraphParts& parts) {
  for (size_t e = 0; e < parts.edges.size(); ++e) {
    const GraphParts::Edge& edge = parts.edges[e];
    for (const uint32_t end : {edge.from, edge.to}) {
      if (end >= parts.vertices.size()) {
        return InvalidArgument("edges[{}]: vertex {} is out of range (there are {} vertices)", e, end,
                               parts.vertices.size());
      }
    }
    if (edge.from == edge.to) {
      return InvalidArgument("edges[{}]: joins vertex {} to itself", e, edge.from);
    }
    if (edge.label != GraphParts::kNoLabel && edge.label >= parts.labels.size()) {
      return InvalidArgument("edges[{}]: label {} is out of range (there are {} labels)", e, edge.label,
                             parts.labels.size());
    }
  }
  return absl::OkStatus();
}

// The label index of unlabelled edges: that of the empty string, which is added when it is needed.
uint32_t EmptyLabel(GraphParts& parts) {
  const bool needed = std::any_of(parts.edges.begin(), parts.edges.end(),
                                  [](const auto& edge) { return edge.label == GraphParts::kNoLabel; });
  if (!needed) {
    return GraphParts::kNoLabel;
  }
  const auto found = std::find(parts.labels.begin(), parts.labels.end(), "");
  const auto index = static_cast<uint32_t>(found - parts.labels.begin());
  if (found == parts.labels.end()) {
    parts.labels.emplace_back();
  }
  return index;
}

// Names both places of an edge that stands twice. Only called once it is known to.
absl::Status DoubleEdge(const std::vector<GraphParts::Edge>& edges, uint32_t a, uint32_t b) {
  std::vector<size_t> places;
  for (size_t e = 0; e < edges.size(); ++e) {
    if (std::minmax(edges[e].from, edges[e].to) == std::minmax(a, b)) {
      places.push_back(e);
    }
  }
  return InvalidArgument("edges[{}]: joins vertices {} and {}, as edges[{}] does already", places[1],
                         edges[places[1]].from, edges[places[1]].to, places[0]);
}

// Few are put in order one by one, without the calls of std::sort.
void SortByVertex(std::span<Graph::Neighbour> neighbours) {
  constexpr size_t kFew = 16;
  if (neighbours.size() > kFew) {
    std::ranges::sort(neighbours, {}, &Graph::Neighbour::vertex);
    return;
  }
  for (size_t i = 1; i < neighbours.size(); ++i) {
    const Graph::Neighbour neighbour = neighbours[i];
    size_t place = i;
    for (; place > 0 && neighbours[place - 1].vertex > neighbour.vertex; --place) {
      neighbours[place] = neighbours[place - 1];
    }
    neighbours[place] = neighbour;
  }
}

}  // namespace

absl::Status Graph::CheckSizes(size_t labels, size_t vertices, size_t edges, const Limits& limits) {
  if (labels > limits.labels_max) {
    return OverLimit("labels", labels, "labels_max", limits.labels_max);
  }
  if (vertices > limits.vertices_max) {
    return OverLimit("vertices", vertices, "vertices_max", limits.vertices_max);
  }
  if (edges > limits.edges_max) {
    return OverLimit("edges", edges, "edges_max", limits.edges_max);
  }
  return absl::OkStatus();
}

absl::StatusOr<Graph> Graph::Create(GraphParts parts, const Limits& limits) {
  KINDRED_RETURN_IF_ERROR(CheckSizes(parts.labels.size(), parts.vertices.size(), parts.edges.size(), limits));
  KINDRED_RETURN_IF_ERROR(CheckLabels(parts, limits));
  KINDRED_RETURN_IF_ERROR(CheckVertices(parts));
  KINDRED_RETURN_IF_ERROR(CheckEdges(parts));
  const uint32_t empty_label = EmptyLabel(parts);

  Graph graph;
  const size_t n = parts.vertices.size();
  // At first where a vertex's neighbours end; each that is put in place moves it towards where they begin.
  graph.offsets_.assign(n + 1, 0);
  for (const GraphParts::Edge& edge : parts.edges) {
    ++graph.offsets_[edge.from];
    ++graph.offsets_[edge.to];
  }
  std::partial_sum(graph.offsets_.begin(), graph.offsets_.end(), graph.offsets_.begin());
  graph.neighbours_.resize(2 * parts.edges.size());
  for (const GraphParts::Edge& edge : parts.edges) {
    const uint32_t label = edge.label == GraphParts::kNoLabel ? empty_label : edge.label;
    graph.neighbours_[--graph.offsets_[edge.from]] = {edge.to, label};
    graph.neighbours_[--graph.offsets_[edge.to]] = {edge.from, label};
  }
  for (uint32_t v = 0; v < n; ++v) {
    const auto neighbours =
        std::span(graph.neighbours_).subspan(graph.offsets_[v], graph.offsets_[v + 1] - graph.offsets_[v]);
    SortByVertex(neighbours);
    const auto twice = std::ranges::adjacent_find(neighbours, {}, &Neighbour::vertex);
    if (twice != neighbours.end()) {
      return DoubleEdge(parts.edges, v, twice->vertex);
    }
  }
  graph.labels_ = std::move(parts.labels);
  graph.vertices_ = std::move(parts.vertices);
  return graph;
}

}  // namespace kindred
