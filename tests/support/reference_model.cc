#include "tests/support/reference_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kindred::test {
namespace {

__extension__ using Int128 = __int128;

// A label with its length before it, so that no two lists of labels spell the same.
std::string Spell(const std::string& label) { return std::to_string(label.size()) + ":" + label; }

struct Ranked {
  std::string id;
  std::vector<uint64_t> overlaps;
  uint64_t vertices = 0;
  double kernel = 0;
  double similarity = 0;
};

bool BytesLess(const std::string& a, const std::string& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return static_cast<unsigned char>(x) < static_cast<unsigned char>(y);
  });
}

class Ranking {
 public:
  Ranking(Measure measure, std::vector<double> weights, uint64_t query_vertices)
      : measure_(measure), weights_(std::move(weights)), query_vertices_(query_vertices) {
    for (const double weight : weights_) {
      weight_sum_ += weight;
      integral_ = integral_ && std::trunc(weight) == weight;
    }
  }

  void Score(Ranked& graph) const {
    graph.kernel = Kernel(graph.overlaps);
    const double self_query = Kernel(std::vector<uint64_t>(weights_.size(), query_vertices_));
    const double self_graph = Kernel(std::vector<uint64_t>(weights_.size(), graph.vertices));
    graph.similarity = graph.kernel;
    if (measure_ == Measure::kCosine) {
      graph.similarity = graph.kernel / std::sqrt(self_query * self_graph);
    } else if (measure_ == Measure::kTanimoto) {
      graph.similarity = graph.kernel / (self_query + self_graph - graph.kernel);
    }
  }

  bool ComesFirst(const Ranked& a, const Ranked& b) const {
    if (integral_) {
      const Int128 left = ExactSide(a, b);
      const Int128 right = ExactSide(b, a);
      return left != right ? left > right : BytesLess(a.id, b.id);
    }
    return a.similarity != b.similarity ? a.similarity > b.similarity : BytesLess(a.id, b.id);
  }

 private:
  double Kernel(const std::vector<uint64_t>& overlaps) const {
    double kernel = 0;
    for (size_t level = 0; level < weights_.size(); ++level) {
      kernel += weights_[level] * static_cast<double>(overlaps[level]);
    }
    return kernel;
  }

  Int128 ExactKernel(const Ranked& graph) const {
    Int128 kernel = 0;
    for (size_t level = 0; level < weights_.size(); ++level) {
      kernel += static_cast<Int128>(weights_[level]) * static_cast<Int128>(graph.overlaps[level]);
    }
    return kernel;
  }

  // a is more similar than b if and only if ExactSide(a, b) > ExactSide(b, a): the fractions of the
  // definition, multiplied out.
  Int128 ExactSide(const Ranked& a, const Ranked& b) const {
    switch (measure_) {
      case Measure::kKernel:
        break;
      case Measure::kCosine:
        return ExactKernel(a) * ExactKernel(a) * static_cast<Int128>(b.vertices);
      case Measure::kTanimoto:
        return ExactKernel(a) *
               (static_cast<Int128>(weight_sum_) * static_cast<Int128>(query_vertices_ + b.vertices) -
                ExactKernel(b));
    }
    return ExactKernel(a);
  }

  Measure measure_;
  std::vector<double> weights_;
  uint64_t query_vertices_;
  double weight_sum_ = 0;
  bool integral_ = true;
};

}  // namespace

NaiveColours NaiveColoursOf(const Graph& graph, Level depth) {
  NaiveColours colours(depth + 1u);
  for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
    colours[0].push_back(Spell(graph.labels()[graph.vertex_label(v)]));
  }
  for (size_t level = 1; level <= depth; ++level) {
    for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
      std::vector<std::string> arms;
      for (const Graph::Neighbour& neighbour : graph.neighbours(v)) {
        arms.push_back(Spell(graph.labels()[neighbour.edge_label]) + "-" +
                       colours[level - 1][neighbour.vertex]);
      }
      std::ranges::sort(arms);
      std::string colour = "(" + colours[level - 1][v] + "|";
      for (const std::string& arm : arms) {
        colour += arm + ",";
      }
      colours[level].push_back(colour + ")");
    }
  }
  return colours;
}

NaiveHistogram NaiveHistogramOf(const Graph& graph, Level depth) {
  NaiveHistogram histogram;
  for (const auto& level : NaiveColoursOf(graph, depth)) {
    auto& counts = histogram.emplace_back();
    for (const std::string& colour : level) {
      ++counts[colour];
    }
  }
  return histogram;
}

std::vector<uint64_t> NaiveOverlaps(const NaiveHistogram& a, const NaiveHistogram& b) {
  std::vector<uint64_t> overlaps;
  for (size_t level = 0; level < a.size(); ++level) {
    uint64_t overlap = 0;
    for (const auto& [colour, count] : a[level]) {
      const auto found = b[level].find(colour);
      overlap += found == b[level].end() ? 0 : std::min(count, found->second);
    }
    overlaps.push_back(overlap);
  }
  return overlaps;
}

bool ReferenceModel::Put(const std::string& id, const Graph& graph) {
  return !graphs_.insert_or_assign(id, Entry{graph, NaiveHistogramOf(graph, depth_)}).second;
}

bool ReferenceModel::Delete(const std::string& id) { return graphs_.erase(id) > 0; }

std::vector<std::string> ReferenceModel::ids() const {
  std::vector<std::string> ids;
  for (const auto& [id, entry] : graphs_) {
    ids.push_back(id);
  }
  return ids;
}

std::vector<Hit> ReferenceModel::Search(const Graph& query, const ModelQuery& how) const {
  const size_t levels = how.depth.value_or(depth_) + 1u;
  const Ranking ranking(how.measure, how.weights.empty() ? std::vector<double>(levels, 1.0) : how.weights,
                        query.vertex_count());
  const NaiveHistogram histogram = NaiveHistogramOf(query, depth_);
  std::vector<Ranked> found;
  for (const auto& [id, entry] : graphs_) {
    Ranked ranked{id, NaiveOverlaps(histogram, entry.histogram), entry.graph.vertex_count()};
    ranking.Score(ranked);
    if (!how.min_similarity || ranked.similarity >= *how.min_similarity) {
      found.push_back(std::move(ranked));
    }
  }
  std::ranges::sort(found, [&](const Ranked& a, const Ranked& b) { return ranking.ComesFirst(a, b); });
  found.resize(std::min<size_t>(found.size(), how.k));
  std::vector<Hit> hits;
  for (const Ranked& ranked : found) {
    hits.push_back({ranked.id, ranked.kernel, ranked.similarity, static_cast<uint32_t>(ranked.vertices)});
  }
  return hits;
}

}  // namespace kindred::test
