#include "tests/support/naive_kernels.h"

#include <algorithm>
#include <array>
#include <optional>

#include "tests/support/reference_model.h"

namespace kindred::test {
namespace {

std::string LabelOf(const Graph& graph, uint32_t vertex) {
  return graph.labels()[graph.vertex_label(vertex)];
}

// The label of the edge; nothing where there is none.
std::optional<std::string> EdgeOf(const Graph& graph, uint32_t a, uint32_t b) {
  for (const Graph::Neighbour& neighbour : graph.neighbours(a)) {
    if (neighbour.vertex == b) {
      return graph.labels()[neighbour.edge_label];
    }
  }
  return std::nullopt;
}

std::vector<std::string> Colours(const Graph& graph, Level depth) {
  std::vector<std::string> parts;
  const NaiveColours colours = NaiveColoursOf(graph, depth);
  for (size_t level = 0; level < colours.size(); ++level) {
    for (const std::string& colour : colours[level]) {
      parts.push_back(std::to_string(level) + ":" + colour);
    }
  }
  return parts;
}

std::vector<std::string> Edges(const Graph& graph) {
  std::vector<std::string> parts;
  for (uint32_t a = 0; a < graph.vertex_count(); ++a) {
    for (uint32_t b = a + 1; b < graph.vertex_count(); ++b) {
      if (const auto edge = EdgeOf(graph, a, b)) {
        const std::string one = LabelOf(graph, a) + "/" + *edge + "/" + LabelOf(graph, b);
        const std::string other = LabelOf(graph, b) + "/" + *edge + "/" + LabelOf(graph, a);
        parts.push_back(std::min(one, other));
      }
    }
  }
  return parts;
}

// Three vertices in every order, and of the six texts the smallest: isomorphic graphlets have the same.
std::string GraphletText(const Graph& graph, std::array<uint32_t, 3> vertices) {
  std::string smallest;
  std::ranges::sort(vertices);
  do {
    std::string text;
    for (const uint32_t v : vertices) {
      text += LabelOf(graph, v) + ";";
    }
    for (const auto& [a, b] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)}) {
      const auto edge = EdgeOf(graph, vertices[static_cast<size_t>(a)], vertices[static_cast<size_t>(b)]);
      text += edge ? "edge " + *edge + ";" : "none;";
    }
    if (smallest.empty() || text < smallest) {
      smallest = text;
    }
  } while (std::ranges::next_permutation(vertices).found);
  return smallest;
}

std::vector<std::string> Graphlets(const Graph& graph) {
  std::vector<std::string> parts;
  for (uint32_t a = 0; a < graph.vertex_count(); ++a) {
    for (uint32_t b = a + 1; b < graph.vertex_count(); ++b) {
      for (uint32_t c = b + 1; c < graph.vertex_count(); ++c) {
        const int edges =
            (EdgeOf(graph, a, b) ? 1 : 0) + (EdgeOf(graph, a, c) ? 1 : 0) + (EdgeOf(graph, b, c) ? 1 : 0);
        if (edges >= 2) {  // Connected.
          parts.push_back(GraphletText(graph, {a, b, c}));
        }
      }
    }
  }
  return parts;
}

// Floyd and Warshall's.
std::vector<std::string> Paths(const Graph& graph) {
  constexpr uint32_t kFar = 1'000'000;
  const uint32_t n = graph.vertex_count();
  std::vector<std::vector<uint32_t>> length(n, std::vector<uint32_t>(n, kFar));
  for (uint32_t a = 0; a < n; ++a) {
    for (uint32_t b = 0; b < n; ++b) {
      length[a][b] = EdgeOf(graph, a, b) ? 1 : kFar;
    }
  }
  for (uint32_t via = 0; via < n; ++via) {
    for (uint32_t a = 0; a < n; ++a) {
      for (uint32_t b = 0; b < n; ++b) {
        length[a][b] = std::min(length[a][b], length[a][via] + length[via][b]);
      }
    }
  }
  std::vector<std::string> parts;
  for (uint32_t a = 0; a < n; ++a) {
    for (uint32_t b = 0; b < n; ++b) {
      if (a != b && length[a][b] < kFar) {
        parts.push_back(LabelOf(graph, a) + ">" + LabelOf(graph, b) + ">" + std::to_string(length[a][b]));
      }
    }
  }
  return parts;
}

}  // namespace

std::vector<std::string> NaiveParts(KernelKind kind, const Graph& graph, Level depth) {
  switch (kind) {
    case KernelKind::kWlOa:
    case KernelKind::kWl:
      return Colours(graph, depth);
    case KernelKind::kVOa:
    case KernelKind::kV:
      return Colours(graph, 0);
    case KernelKind::kEOa:
    case KernelKind::kE:
      return Edges(graph);
    case KernelKind::kGl:
      return Graphlets(graph);
    case KernelKind::kSp:
      return Paths(graph);
  }
  return {};
}

uint64_t NaiveKernel(KernelKind kind, const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const bool assigns = kind == KernelKind::kWlOa || kind == KernelKind::kVOa || kind == KernelKind::kEOa;
  std::vector<bool> taken(b.size(), false);
  uint64_t kernel = 0;
  for (const std::string& part : a) {
    for (size_t i = 0; i < b.size(); ++i) {
      if (part != b[i] || taken[i]) {
        continue;
      }
      ++kernel;
      if (assigns) {  // One to one: equal parts are as good as each other, so any of them will do.
        taken[i] = true;
        break;
      }
    }
  }
  return kernel;
}

}  // namespace kindred::test
