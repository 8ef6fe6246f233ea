#include "tests/support/recommend_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kindred::test {
namespace {

__extension__ using Int128 = __int128;

// A similarity as the square of a fraction, or as a fraction; and as a double.
struct Likeness {
  Int128 above = 0;
  Int128 below = 1;
  double value = 0;
};

class Likenesses {
 public:
  Likenesses(Measure measure, std::vector<double> weights) : measure_(measure), weights_(std::move(weights)) {
    for (const double weight : weights_) {
      integral_ = integral_ && std::trunc(weight) == weight;
    }
  }

  bool integral() const { return integral_; }

  Likeness Of(const std::vector<uint64_t>& overlaps, uint64_t a_vertices, uint64_t b_vertices) const {
    const double kernel = Kernel(overlaps);
    const double a_self = Kernel(std::vector<uint64_t>(weights_.size(), a_vertices));
    const double b_self = Kernel(std::vector<uint64_t>(weights_.size(), b_vertices));
    const auto whole = [](double value) { return static_cast<Int128>(value); };
    switch (measure_) {
      case Measure::kKernel:
        break;
      case Measure::kCosine:
        return {whole(kernel) * whole(kernel), whole(a_self) * whole(b_self),
                kernel / std::sqrt(a_self * b_self)};
      case Measure::kTanimoto:
        return {whole(kernel), whole(a_self) + whole(b_self) - whole(kernel),
                kernel / (a_self + b_self - kernel)};
    }
    return {whole(kernel), 1, kernel};
  }

  // -1, 0 or 1.
  int Compare(const Likeness& a, const Likeness& b) const {
    if (integral_) {
      const Int128 left = a.above * b.below;
      const Int128 right = b.above * a.below;
      return left < right ? -1 : (left > right ? 1 : 0);
    }
    return a.value < b.value ? -1 : (a.value > b.value ? 1 : 0);
  }

 private:
  double Kernel(const std::vector<uint64_t>& overlaps) const {
    double kernel = 0;
    for (size_t level = 0; level < weights_.size(); ++level) {
      kernel += weights_[level] * static_cast<double>(overlaps[level]);
    }
    return kernel;
  }

  Measure measure_;
  std::vector<double> weights_;
  bool integral_ = true;
};

struct RankedTaste {
  RecommendHit hit;
  Likeness least;
};

}  // namespace

void RecommendModel::Put(const std::string& id, const Graph& graph) {
  graphs_.insert_or_assign(id, Entry{graph, NaiveHistogramOf(graph, depth_)});
}

std::vector<RecommendHit> RecommendModel::Recommend(const ModelTaste& taste) const {
  const uint32_t depth = taste.depth.value_or(depth_);
  const Likenesses likenesses(taste.measure,
                              taste.weights.empty() ? std::vector<double>(depth + 1, 1.0) : taste.weights);
  const bool minimum = taste.form == RecommendForm::kBestMinimum;
  std::vector<std::pair<const ModelTaste::Example*, bool>> examples;
  std::vector<NaiveHistogram> histograms;
  for (const bool liked : {true, false}) {
    for (const ModelTaste::Example& example : liked ? taste.liked : taste.disliked) {
      examples.emplace_back(&example, liked);
      histograms.push_back(NaiveHistogramOf(example.graph, depth_));
    }
  }
  std::vector<RankedTaste> found;
  for (const auto& [id, entry] : graphs_) {
    RankedTaste ranked{{id, 0, {}}, {}};
    for (size_t i = 0; i < examples.size(); ++i) {
      const auto& [example, liked] = examples[i];
      const Likeness like = likenesses.Of(NaiveOverlaps(histograms[i], entry.histogram),
                                          example->graph.vertex_count(), entry.graph.vertex_count());
      ranked.hit.similarities.push_back(like.value);
      const double term = example->weight * like.value;
      ranked.hit.score = liked ? ranked.hit.score + term : ranked.hit.score - term;
      if (i == 0 || likenesses.Compare(like, ranked.least) < 0) {
        ranked.least = like;
      }
    }
    if (minimum) {
      ranked.hit.score = *std::ranges::min_element(ranked.hit.similarities);
    }
    if (!taste.excluded.contains(id) && (!taste.min_score || ranked.hit.score >= *taste.min_score)) {
      found.push_back(std::move(ranked));
    }
  }
  std::ranges::sort(found, [&](const RankedTaste& a, const RankedTaste& b) {
    const int order = minimum ? likenesses.Compare(a.least, b.least)
                              : (a.hit.score < b.hit.score ? -1 : (a.hit.score > b.hit.score ? 1 : 0));
    return order != 0 ? order > 0 : a.hit.id < b.hit.id;
  });
  std::vector<RecommendHit> hits;
  for (size_t i = 0; i < std::min<size_t>(found.size(), taste.k); ++i) {
    hits.push_back(found[i].hit);
  }
  return hits;
}

}  // namespace kindred::test
