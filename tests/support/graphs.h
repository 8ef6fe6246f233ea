// Small graphs for tests: written out, or random from a seed with so few labels that ties abound.

#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "index/graph/graph.h"

namespace kindred::test {

using Rng = std::mt19937_64;

// Below(rng, n): one of 0..n-1. The same on every standard library, unlike std's distributions.
inline uint64_t Below(Rng& rng, uint64_t n) { return rng() % n; }

struct EdgeSpec {
  uint32_t from = 0;
  uint32_t to = 0;
  std::string label = "";
};

// MakeGraph({"C", "C", "O"}, {{0, 1}, {1, 2, "="}}): one label a vertex.
GraphParts MakeParts(const std::vector<std::string>& vertices, const std::vector<EdgeSpec>& edges = {});
Graph MakeGraph(const std::vector<std::string>& vertices, const std::vector<EdgeSpec>& edges = {});

// A letter a vertex: Path("CCO") is C-C-O. An unlabelled edge has the label "".
Graph Path(std::string_view letters, const std::string& edge_label = "");
// REQUIRES: three letters at least.
Graph Cycle(std::string_view letters, const std::string& edge_label = "");
// The first letter is the centre.
Graph Star(std::string_view letters, const std::string& edge_label = "");
// No edges.
Graph Isolated(std::string_view letters);

struct RandomGraphOptions {
  uint32_t vertices_min = 1;
  uint32_t vertices_max = 8;
  double edge_probability = 0.3;
  uint32_t vertex_labels = 2;
  uint32_t edge_labels = 2;
  // No edge joins the first half of the vertices to the second.
  bool disconnected = false;
};

Graph RandomGraph(Rng& rng, const RandomGraphOptions& options = {});
std::vector<Graph> RandomGraphs(Rng& rng, size_t count, const RandomGraphOptions& options = {});

std::vector<uint32_t> RandomPermutation(Rng& rng, uint32_t n);
// The same graph with vertex v called permutation[v]; the edges come in another order, too.
Graph Renumber(const Graph& graph, const std::vector<uint32_t>& permutation);

// What the graph was made of: labels as they are, every edge once.
GraphParts PartsOf(const Graph& graph);
// Equal labels, vertices and edges, number for number.
bool SameGraph(const Graph& a, const Graph& b);

}  // namespace kindred::test
