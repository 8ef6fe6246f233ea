// Random graphs for RapidCheck that shrink well.
//
// A GraphSpec is two plain lists of small numbers, and every such pair of lists is a graph, so that
// RapidCheck may drop and lower elements freely while it looks for the smallest counterexample.

#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "index/graph/graph.h"
#include "tests/support/graphs.h"

namespace kindred::test {

struct GraphSpec {
  // A vertex label each; none at all stands for one vertex of label 0.
  std::vector<uint8_t> vertices;
  // For the pairs (0,1), (0,2), (1,2), (0,3), ... in turn: 0 for no edge, else its label plus 1. Pairs beyond
  // the end have no edge, codes beyond the last pair are not used.
  std::vector<uint8_t> pairs;
};

inline Graph ToGraph(const GraphSpec& spec) {
  std::vector<std::string> vertices;
  for (const uint8_t label : spec.vertices) {
    vertices.push_back("v" + std::to_string(label));
  }
  if (vertices.empty()) {
    vertices.push_back("v0");
  }
  std::vector<EdgeSpec> edges;
  size_t at = 0;
  for (uint32_t b = 1; b < vertices.size(); ++b) {
    for (uint32_t a = 0; a < b && at < spec.pairs.size(); ++a, ++at) {
      if (spec.pairs[at] != 0) {
        edges.push_back({a, b, "e" + std::to_string(spec.pairs[at])});
      }
    }
  }
  return MakeGraph(vertices, edges);
}

inline void showValue(const GraphSpec& spec, std::ostream& out) {
  const GraphParts parts = PartsOf(ToGraph(spec));
  out << "graph{";
  for (const uint32_t label : parts.vertices) {
    out << parts.labels[label] << " ";
  }
  for (const GraphParts::Edge& edge : parts.edges) {
    out << edge.from << "-" << edge.to << ":" << parts.labels[edge.label] << " ";
  }
  out << "}";
}

struct GraphShape {
  int vertices_max = 7;
  int vertex_labels = 2;
  int edge_labels = 2;
  // Of 10 pairs of vertices about this many are joined.
  int density = 4;
};

inline rc::Gen<GraphSpec> GenGraph(const GraphShape& shape = {}) {
  const auto small = [](int bound) { return rc::gen::inRange<uint8_t>(0, static_cast<uint8_t>(bound)); };
  const auto vertices = rc::gen::mapcat(rc::gen::inRange(1, shape.vertices_max + 1), [=](int count) {
    return rc::gen::container<std::vector<uint8_t>>(static_cast<size_t>(count), small(shape.vertex_labels));
  });
  const auto pair = rc::gen::map(rc::gen::pair(rc::gen::inRange(0, 10), small(shape.edge_labels)),
                                 [=](const std::pair<int, uint8_t>& draw) {
                                   const bool joined = draw.first >= 10 - shape.density;
                                   return joined ? static_cast<uint8_t>(draw.second + 1) : uint8_t{0};
                                 });
  const auto pair_count = static_cast<size_t>(shape.vertices_max * (shape.vertices_max - 1) / 2);
  return rc::gen::build<GraphSpec>(
      rc::gen::set(&GraphSpec::vertices, vertices),
      rc::gen::set(&GraphSpec::pairs, rc::gen::container<std::vector<uint8_t>>(pair_count, pair)));
}

// Between 1 and `most` of them.
inline rc::Gen<std::vector<GraphSpec>> GenGraphs(int most, const GraphShape& shape = {}) {
  return rc::gen::mapcat(rc::gen::inRange(1, most + 1), [=](int count) {
    return rc::gen::container<std::vector<GraphSpec>>(static_cast<size_t>(count), GenGraph(shape));
  });
}

inline std::vector<Graph> ToGraphs(const std::vector<GraphSpec>& specs) {
  std::vector<Graph> graphs;
  for (const GraphSpec& spec : specs) {
    graphs.push_back(ToGraph(spec));
  }
  return graphs;
}

}  // namespace kindred::test
