// Builds the message of a graph: a table of distinct labels, and indices into it.
//
// Labels stand in the table in the order of their first use, so that equal input gives equal bytes. An edge
// whose label is the empty string is an edge without a label (kindred.proto says that they are equal).
// Nothing is checked here: the caller adds edges between vertices that exist, and labels that are UTF-8.
//
// Threads: one caller at a time.
// Cost: O(1) expected for each vertex and edge.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "kindred/v1/kindred.pb.h"

namespace kindred::formats {

class GraphBuilder {
 public:
  // Vertices are numbered from 0 in the order they are added.
  void AddVertex(std::string_view label);

  void AddEdge(uint32_t a, uint32_t b, std::string_view label = {});

  size_t vertex_count() const { return static_cast<size_t>(graph_.vertices_size()); }

  // The graph; the builder is then of no further use.
  v1::Graph Take() && { return std::move(graph_); }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  uint32_t LabelIndex(std::string_view label);

  v1::Graph graph_;
  std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>> label_index_;
};

}  // namespace kindred::formats
