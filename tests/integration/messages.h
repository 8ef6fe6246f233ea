// Protos for tests, written tersely.

#pragma once

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "kindred/v1/kindred.pb.h"

namespace kindred::test {

// One letter a vertex, edges between the given pairs.
inline v1::Graph GraphMessage(const std::string& letters,
                              const std::vector<std::pair<uint32_t, uint32_t>>& edges) {
  v1::Graph graph;
  for (const char letter : letters) {
    const std::string label(1, letter);
    int at = 0;
    while (at < graph.labels_size() && graph.labels(at) != label) {
      ++at;
    }
    if (at == graph.labels_size()) {
      graph.add_labels(label);
    }
    graph.add_vertices(static_cast<uint32_t>(at));
  }
  for (const auto& [from, to] : edges) {
    graph.add_edges(from);
    graph.add_edges(to);
  }
  return graph;
}

// PathMessage("CCO") is C-C-O.
inline v1::Graph PathMessage(const std::string& letters) {
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  for (uint32_t v = 1; v < letters.size(); ++v) {
    edges.emplace_back(v - 1, v);
  }
  return GraphMessage(letters, edges);
}

// A random tree over three labels: full of ties.
inline v1::Graph RandomTreeMessage(std::mt19937_64& rng, uint32_t vertices_max = 12) {
  const uint64_t n = 1 + rng() % vertices_max;
  std::string letters;
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  for (uint32_t v = 0; v < n; ++v) {
    letters += "CCNO"[rng() % 4];
    if (v > 0) {
      edges.emplace_back(static_cast<uint32_t>(rng() % v), v);
    }
  }
  return GraphMessage(letters, edges);
}

inline v1::Record RecordMessage(const std::string& id, v1::Graph graph) {
  v1::Record record;
  record.set_id(id);
  *record.mutable_graph() = std::move(graph);
  return record;
}

}  // namespace kindred::test
