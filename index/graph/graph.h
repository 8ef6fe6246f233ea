// A simple undirected graph with labelled vertices and edges: immutable, checked once when it is built.
//
// Threads: immutable after Create, so any number of readers.
// Invariants: (1) at least one vertex; (2) no self-loop, no edge twice; (3) every label index points
//             into labels(); (4) the neighbours of a vertex are sorted by vertex.
// Cost: Create is O(V + E log degree); 8 bytes a vertex and 16 an edge.
//
// An edge without a label is an edge whose label is the empty string.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/limits.h"

namespace kindred {

// What a decoder hands over: nothing in it has been checked.
struct GraphParts {
  struct Edge {
    uint32_t from = 0;
    uint32_t to = 0;
    uint32_t label = 0;  // An index into labels, or kNoLabel.
  };
  static constexpr uint32_t kNoLabel = UINT32_MAX;

  std::vector<std::string> labels;
  std::vector<uint32_t> vertices;  // For each vertex an index into labels.
  std::vector<Edge> edges;
};

class Graph {
 public:
  struct Neighbour {
    uint32_t vertex = 0;
    uint32_t edge_label = 0;  // An index into labels().
  };

  // Whether a graph of so many labels, vertices and edges is within the limits: to be asked before they are
  // copied.
  static absl::Status CheckSizes(size_t labels, size_t vertices, size_t edges, const Limits& limits);

  // Refuses, naming the vertex, edge or limit: an empty graph, too many vertices, edges or labels, a label
  // too long, an index out of range, a self-loop, an edge twice.
  static absl::StatusOr<Graph> Create(GraphParts parts, const Limits& limits);

  uint32_t vertex_count() const { return static_cast<uint32_t>(vertices_.size()); }
  uint32_t edge_count() const { return static_cast<uint32_t>(neighbours_.size() / 2); }

  const std::vector<std::string>& labels() const { return labels_; }
  uint32_t vertex_label(uint32_t vertex) const { return vertices_[vertex]; }
  std::span<const Neighbour> neighbours(uint32_t vertex) const {
    return std::span(neighbours_).subspan(offsets_[vertex], offsets_[vertex + 1] - offsets_[vertex]);
  }

 private:
  Graph() = default;

  std::vector<std::string> labels_;
  std::vector<uint32_t> vertices_;
  std::vector<uint32_t> offsets_;
  std::vector<Neighbour> neighbours_;
};

}  // namespace kindred
