#include "tests/support/graphs.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

uint32_t LabelIndex(std::vector<std::string>& labels, const std::string& label) {
  const auto found = std::ranges::find(labels, label);
  const auto index = static_cast<uint32_t>(found - labels.begin());
  if (found == labels.end()) {
    labels.push_back(label);
  }
  return index;
}

std::vector<std::string> Letters(std::string_view letters) {
  std::vector<std::string> labels;
  for (const char letter : letters) {
    labels.emplace_back(1, letter);
  }
  return labels;
}

Graph Checked(GraphParts parts) { return Must(Graph::Create(std::move(parts), Limits())); }

}  // namespace

GraphParts MakeParts(const std::vector<std::string>& vertices, const std::vector<EdgeSpec>& edges) {
  GraphParts parts;
  for (const std::string& label : vertices) {
    parts.vertices.push_back(LabelIndex(parts.labels, label));
  }
  for (const EdgeSpec& edge : edges) {
    parts.edges.push_back({edge.from, edge.to, LabelIndex(parts.labels, edge.label)});
  }
  return parts;
}

Graph MakeGraph(const std::vector<std::string>& vertices, const std::vector<EdgeSpec>& edges) {
  return Checked(MakeParts(vertices, edges));
}

Graph Path(std::string_view letters, const std::string& edge_label) {
  std::vector<EdgeSpec> edges;
  for (uint32_t v = 1; v < letters.size(); ++v) {
    edges.push_back({v - 1, v, edge_label});
  }
  return MakeGraph(Letters(letters), edges);
}

Graph Cycle(std::string_view letters, const std::string& edge_label) {
  std::vector<EdgeSpec> edges;
  const auto n = static_cast<uint32_t>(letters.size());
  for (uint32_t v = 0; v < n; ++v) {
    edges.push_back({v, (v + 1) % n, edge_label});
  }
  return MakeGraph(Letters(letters), edges);
}

Graph Star(std::string_view letters, const std::string& edge_label) {
  std::vector<EdgeSpec> edges;
  for (uint32_t v = 1; v < letters.size(); ++v) {
    edges.push_back({0, v, edge_label});
  }
  return MakeGraph(Letters(letters), edges);
}

Graph Isolated(std::string_view letters) { return MakeGraph(Letters(letters)); }

Graph RandomGraph(Rng& rng, const RandomGraphOptions& options) {
  const auto n = static_cast<uint32_t>(options.vertices_min +
                                       Below(rng, options.vertices_max - options.vertices_min + 1));
  std::vector<std::string> vertices;
  for (uint32_t v = 0; v < n; ++v) {
    vertices.push_back("v" + std::to_string(Below(rng, options.vertex_labels)));
  }
  constexpr uint64_t kScale = 1 << 20;
  const auto threshold = static_cast<uint64_t>(options.edge_probability * kScale);
  std::vector<EdgeSpec> edges;
  for (uint32_t u = 0; u < n; ++u) {
    for (uint32_t v = u + 1; v < n; ++v) {
      const bool joinable = !options.disconnected || (u < n / 2) == (v < n / 2);
      if (joinable && Below(rng, kScale) < threshold) {
        edges.push_back({u, v, "e" + std::to_string(Below(rng, options.edge_labels))});
      }
    }
  }
  return MakeGraph(vertices, edges);
}

std::vector<Graph> RandomGraphs(Rng& rng, size_t count, const RandomGraphOptions& options) {
  std::vector<Graph> graphs;
  for (size_t i = 0; i < count; ++i) {
    graphs.push_back(RandomGraph(rng, options));
  }
  return graphs;
}

std::vector<uint32_t> RandomPermutation(Rng& rng, uint32_t n) {
  std::vector<uint32_t> permutation(n);
  std::iota(permutation.begin(), permutation.end(), 0u);
  for (uint32_t i = n; i > 1; --i) {
    std::swap(permutation[i - 1], permutation[Below(rng, i)]);
  }
  return permutation;
}

Graph Renumber(const Graph& graph, const std::vector<uint32_t>& permutation) {
  GraphParts parts = PartsOf(graph);
  std::vector<uint32_t> vertices(parts.vertices.size());
  for (size_t v = 0; v < vertices.size(); ++v) {
    vertices[permutation[v]] = parts.vertices[v];
  }
  parts.vertices = std::move(vertices);
  for (GraphParts::Edge& edge : parts.edges) {
    edge = {permutation[edge.to], permutation[edge.from], edge.label};
  }
  std::ranges::sort(parts.edges, [](const auto& a, const auto& b) {
    return std::tie(a.from, a.to) > std::tie(b.from, b.to);
  });
  return Checked(std::move(parts));
}

GraphParts PartsOf(const Graph& graph) {
  GraphParts parts;
  parts.labels = graph.labels();
  for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
    parts.vertices.push_back(graph.vertex_label(v));
    for (const Graph::Neighbour& neighbour : graph.neighbours(v)) {
      if (v < neighbour.vertex) {
        parts.edges.push_back({v, neighbour.vertex, neighbour.edge_label});
      }
    }
  }
  return parts;
}

bool SameGraph(const Graph& a, const Graph& b) {
  const GraphParts left = PartsOf(a);
  const GraphParts right = PartsOf(b);
  const auto same_edge = [](const GraphParts::Edge& x, const GraphParts::Edge& y) {
    return std::tie(x.from, x.to, x.label) == std::tie(y.from, y.to, y.label);
  };
  return left.labels == right.labels && left.vertices == right.vertices &&
         std::ranges::equal(left.edges, right.edges, same_edge);
}

}  // namespace kindred::test
