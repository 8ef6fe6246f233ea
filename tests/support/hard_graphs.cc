#include "tests/support/hard_graphs.h"

#include <bit>
#include <optional>
#include <string>
#include <utility>

#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

// The label of an edge, or nothing where there is none: [from][to].
std::vector<std::vector<std::optional<std::string>>> Matrix(const Graph& graph) {
  std::vector<std::vector<std::optional<std::string>>> matrix(
      graph.vertex_count(), std::vector<std::optional<std::string>>(graph.vertex_count()));
  for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
    for (const Graph::Neighbour& neighbour : graph.neighbours(v)) {
      matrix[v][neighbour.vertex] = graph.labels()[neighbour.edge_label];
    }
  }
  return matrix;
}

// Vertices (x, y) of a 4 by 4 grid with a wrap, joined where `joined` says so of their difference.
template <typename Joined>
Graph OnGrid(Joined joined) {
  EdgePairs edges;
  for (uint32_t v = 0; v < 16; ++v) {
    for (uint32_t w = v + 1; w < 16; ++w) {
      if (joined((w / 4 - v / 4) % 4, (w % 4 - v % 4) % 4)) {
        edges.emplace_back(v, w);
      }
    }
  }
  return Uniform(16, edges);
}

}  // namespace

Graph Uniform(uint32_t vertices, const EdgePairs& edges) {
  GraphParts parts{{"C"}, std::vector<uint32_t>(vertices, 0), {}};
  for (const auto& [from, to] : edges) {
    parts.edges.push_back({from, to, GraphParts::kNoLabel});
  }
  return Must(Graph::Create(std::move(parts), HighestLimits()));
}

Graph DisjointUnion(const std::vector<Graph>& graphs) {
  std::vector<std::string> vertices;
  std::vector<EdgeSpec> edges;
  for (const Graph& graph : graphs) {
    const auto first = static_cast<uint32_t>(vertices.size());
    for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
      vertices.push_back(graph.labels()[graph.vertex_label(v)]);
      for (const Graph::Neighbour& neighbour : graph.neighbours(v)) {
        if (v < neighbour.vertex) {
          edges.push_back({first + v, first + neighbour.vertex, graph.labels()[neighbour.edge_label]});
        }
      }
    }
  }
  return MakeGraph(vertices, edges);
}

Graph UniformCycle(uint32_t vertices) {
  EdgePairs edges;
  for (uint32_t v = 0; v < vertices; ++v) {
    edges.emplace_back(v, (v + 1) % vertices);
  }
  return Uniform(vertices, edges);
}

Graph Complete(uint32_t vertices) {
  EdgePairs edges;
  for (uint32_t v = 0; v < vertices; ++v) {
    for (uint32_t w = v + 1; w < vertices; ++w) {
      edges.emplace_back(v, w);
    }
  }
  return Uniform(vertices, edges);
}

Graph Hypercube(uint32_t dimensions) {
  EdgePairs edges;
  for (uint32_t v = 0; v < 1u << dimensions; ++v) {
    for (uint32_t d = 0; d < dimensions; ++d) {
      if ((v >> d & 1) == 0) {
        edges.emplace_back(v, v | 1u << d);
      }
    }
  }
  return Uniform(1u << dimensions, edges);
}

Graph Rook() {
  return OnGrid([](uint32_t dx, uint32_t dy) { return dx == 0 || dy == 0; });
}

Graph Shrikhande() {
  return OnGrid([](uint32_t dx, uint32_t dy) {
    const auto is = [&](uint32_t x, uint32_t y) { return dx == x && dy == y; };
    return is(0, 1) || is(0, 3) || is(1, 0) || is(3, 0) || is(1, 1) || is(3, 3);
  });
}

// For each base vertex a vertex for each even subset of its edges; for each base edge two vertices, "in" and
// "out", to which a subset vertex is joined as it has the edge. A twist joins them the other way round, once.
Graph CaiFurerImmerman(uint32_t base_vertices, const EdgePairs& base_edges, bool twisted) {
  std::vector<std::vector<uint32_t>> incident(base_vertices);
  for (uint32_t e = 0; e < base_edges.size(); ++e) {
    for (const uint32_t end : {base_edges[e].first, base_edges[e].second}) {
      incident[end].push_back(e);
    }
  }
  EdgePairs edges;
  auto next = static_cast<uint32_t>(2 * base_edges.size());  // Edge e has the vertices 2e and 2e + 1.
  for (uint32_t v = 0; v < base_vertices; ++v) {
    for (uint32_t subset = 0; subset < 1u << incident[v].size(); ++subset) {
      if (std::popcount(subset) % 2 != 0) {
        continue;
      }
      for (uint32_t i = 0; i < incident[v].size(); ++i) {
        const bool twist = twisted && incident[v][i] == 0 && base_edges[0].first == v;
        edges.emplace_back(next, 2 * incident[v][i] + ((subset >> i & 1) ^ (twist ? 1u : 0u)));
      }
      ++next;
    }
  }
  return Uniform(next, edges);
}

EdgePairs MoebiusLadder(uint32_t vertices) {
  EdgePairs edges;
  for (uint32_t v = 0; v < vertices; ++v) {
    edges.emplace_back(v, (v + 1) % vertices);
    if (v < vertices / 2) {
      edges.emplace_back(v, v + vertices / 2);
    }
  }
  return edges;
}

Graph Shuffled(Rng& rng, const Graph& graph) {
  return Renumber(graph, RandomPermutation(rng, graph.vertex_count()));
}

bool IsomorphicByDefinition(const Graph& a, const Graph& b) {
  if (a.vertex_count() != b.vertex_count()) {
    return false;
  }
  const auto of_a = Matrix(a);
  const auto of_b = Matrix(b);
  const uint32_t n = a.vertex_count();
  std::vector<uint32_t> image;
  std::vector<bool> used(n);
  const auto fits = [&](uint32_t v, uint32_t w) {
    if (a.labels()[a.vertex_label(v)] != b.labels()[b.vertex_label(w)]) {
      return false;
    }
    for (uint32_t u = 0; u < v; ++u) {
      if (of_a[u][v] != of_b[image[u]][w]) {
        return false;
      }
    }
    return true;
  };
  const auto extend = [&](const auto& self) -> bool {
    const auto v = static_cast<uint32_t>(image.size());
    if (v == n) {
      return true;
    }
    for (uint32_t w = 0; w < n; ++w) {
      if (!used[w] && fits(v, w)) {
        used[w] = true;
        image.push_back(w);
        if (self(self)) {
          return true;
        }
        image.pop_back();
        used[w] = false;
      }
    }
    return false;
  };
  return extend(extend);
}

}  // namespace kindred::test
