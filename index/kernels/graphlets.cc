// Graphlets of three vertices. All pairs of edges that share a vertex are counted from how many neighbours of
// each kind it has; each triangle is then found, and taken off the three pairs it was counted as.

#include <utility>

#include "index/kernels/part_counter.h"

namespace kindred {
namespace {

constexpr uint32_t kWedge = 0;
constexpr uint32_t kTriangle = 1;

// A neighbour as its vertex label and the label of the edge to it.
using Arm = std::pair<uint32_t, uint32_t>;

Part::Key WedgeKey(uint32_t middle, Arm a, Arm b) {
  const auto& [low, high] = std::minmax(a, b);
  return {kWedge, middle, low.first, low.second, high.first, high.second};
}

// Vertices a, b, c with their labels; the edges opposite to them with theirs.
struct Triangle {
  std::array<uint32_t, 3> vertices;
  std::array<uint32_t, 3> opposite;
};

Part::Key TriangleKey(const Triangle& triangle) {
  std::array<std::pair<uint32_t, uint32_t>, 3> corners;
  for (size_t i = 0; i < 3; ++i) {
    corners[i] = {triangle.vertices[i], triangle.opposite[i]};
  }
  // Every order of the corners gives the same triangle, so the sorted one stands for all.
  std::ranges::sort(corners);
  return {kTriangle,         corners[0].first,  corners[1].first, corners[2].first,
          corners[0].second, corners[1].second, corners[2].second};
}

class GraphletWalk {
 public:
  GraphletWalk(const Graph& graph, std::span<const uint32_t> labels, PartCounter& counter)
      : graph_(graph), labels_(labels), counter_(counter) {}

  absl::Status CountWedges() {
    std::vector<Arm> arms;
    std::vector<std::pair<Arm, uint64_t>> kinds;
    for (uint32_t v = 0; v < graph_.vertex_count(); ++v) {
      arms.clear();
      for (const Graph::Neighbour& neighbour : graph_.neighbours(v)) {
        arms.emplace_back(Label(neighbour.vertex), labels_[neighbour.edge_label]);
      }
      std::ranges::sort(arms);
      kinds.clear();
      for (const Arm& arm : arms) {
        if (kinds.empty() || kinds.back().first != arm) {
          kinds.emplace_back(arm, 0);
        }
        ++kinds.back().second;
      }
      for (size_t i = 0; i < kinds.size(); ++i) {
        const auto& [arm, count] = kinds[i];
        if (count > 1) {
          counter_.Add(WedgeKey(Label(v), arm, arm), count * (count - 1) / 2);
        }
        for (size_t j = i + 1; j < kinds.size(); ++j) {
          counter_.Add(WedgeKey(Label(v), arm, kinds[j].first), count * kinds[j].second);
        }
        KINDRED_RETURN_IF_ERROR(counter_.Step(kinds.size() - i));
      }
    }
    return absl::OkStatus();
  }

  absl::Status CountTriangles() {
    PointEdges();
    std::vector<uint32_t> edge_to(graph_.vertex_count(), kNoEdge);  // Labels of the edges from `a`.
    for (uint32_t a = 0; a < graph_.vertex_count(); ++a) {
      for (const Graph::Neighbour& b : Out(a)) {
        edge_to[b.vertex] = labels_[b.edge_label];
      }
      for (const Graph::Neighbour& b : Out(a)) {
        for (const Graph::Neighbour& c : Out(b.vertex)) {
          if (edge_to[c.vertex] != kNoEdge) {
            CountTriangle({{Label(a), Label(b.vertex), Label(c.vertex)},
                           {labels_[c.edge_label], edge_to[c.vertex], labels_[b.edge_label]}});
          }
        }
        KINDRED_RETURN_IF_ERROR(counter_.Step(Out(b.vertex).size() + 1));
      }
      for (const Graph::Neighbour& b : Out(a)) {
        edge_to[b.vertex] = kNoEdge;
      }
    }
    return absl::OkStatus();
  }

 private:
  static constexpr uint32_t kNoEdge = UINT32_MAX;

  uint32_t Label(uint32_t vertex) const { return labels_[graph_.vertex_label(vertex)]; }

  // Edges point from the vertex of lower degree to that of higher, so that no vertex has more than sqrt(2E)
  // of them, and each triangle is found once.
  void PointEdges() {
    const auto rank = [this](uint32_t v) { return std::pair(graph_.neighbours(v).size(), v); };
    out_.reserve(graph_.edge_count());
    out_ends_.reserve(graph_.vertex_count());
    for (uint32_t v = 0; v < graph_.vertex_count(); ++v) {
      for (const Graph::Neighbour& neighbour : graph_.neighbours(v)) {
        if (rank(v) < rank(neighbour.vertex)) {
          out_.push_back(neighbour);
        }
      }
      out_ends_.push_back(out_.size());
    }
  }

  std::span<const Graph::Neighbour> Out(uint32_t v) const {
    const size_t begin = v == 0 ? 0 : out_ends_[v - 1];
    return std::span(out_).subspan(begin, out_ends_[v] - begin);
  }

  void CountTriangle(const Triangle& triangle) {
    counter_.Add(TriangleKey(triangle), 1);
    for (size_t i = 0; i < 3; ++i) {
      const size_t j = (i + 1) % 3;
      const size_t k = (i + 2) % 3;
      counter_.Subtract(WedgeKey(triangle.vertices[i], {triangle.vertices[j], triangle.opposite[k]},
                                 {triangle.vertices[k], triangle.opposite[j]}),
                        1);
    }
  }

  const Graph& graph_;
  const std::span<const uint32_t> labels_;
  PartCounter& counter_;
  std::vector<Graph::Neighbour> out_;
  std::vector<size_t> out_ends_;
};

}  // namespace

absl::Status CountGraphlets(const Graph& graph, std::span<const uint32_t> labels, PartCounter& counter) {
  GraphletWalk walk(graph, labels, counter);
  KINDRED_RETURN_IF_ERROR(walk.CountWedges());
  return walk.CountTriangles();
}

}  // namespace kindred
