// The reference mathematics of an answer: kernel, similarity, and which of two answers is better.
//
//   K(G,H)   = sum over levels i <= depth of weight_i * I_i(G,H)
//   kernel   = K
//   cosine   = K / sqrt(K(G,G) K(H,H))         K(G,G) = n_G times the sum of the weights, n_G its vertices
//   tanimoto = K / (K(G,G) + K(H,H) - K)
//
// K is accumulated level by level, from level 0, in doubles: every implementation that starts from the
// integer overlaps I_i gets the same bits. With integral weights K is an exact integer, and answers are
// compared by cross products in 128-bit integers, never through a rounded quotient. With other weights
// they are compared by the double that Similarity returns.

#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/ids.h"

namespace kindred {

enum class Measure { kKernel, kCosine, kTanimoto };

// Of one stored graph, for one query.
struct Score {
  double kernel = 0;
  uint32_t vertex_count = 0;

  friend bool operator==(const Score&, const Score&) = default;
};

// How one query wants its answers scored.
class Scoring {
 public:
  // `depth`: default the index's; FAILED_PRECONDITION beyond it. `weights`: one a level 0..depth, each 0
  // or kWeightAboveZeroMin to kWeightMax, not all 0; default all 1.
  static absl::StatusOr<Scoring> Create(Measure measure, Level index_depth, std::optional<uint32_t> depth,
                                        std::span<const double> weights);

  // The same levels and weights by another measure.
  Scoring With(Measure measure) const { return {measure, weights_}; }

  Measure measure() const { return measure_; }
  Level depth() const { return static_cast<Level>(weights_.size() - 1); }
  double weight(Level level) const { return weights_[level]; }
  bool integral() const { return integral_; }

  // `overlaps[i]` is I_i; levels beyond depth() are not read.
  double Kernel(std::span<const uint32_t> overlaps) const;

  // The similarity of a query of `query_vertices` vertices to a graph with this score.
  double Similarity(const Score& score, uint32_t query_vertices) const {
    return SimilarityOf(score.kernel, SelfKernel(query_vertices), SelfKernel(score.vertex_count));
  }
  // The same of self-kernels that are known already.
  double SimilarityOf(double kernel, double query_self, double graph_self) const {
    switch (measure_) {
      case Measure::kKernel:
        break;
      case Measure::kCosine:
        return kernel / std::sqrt(query_self * graph_self);
      case Measure::kTanimoto:
        return kernel / (query_self + graph_self - kernel);
    }
    return kernel;
  }
  // K(G,G) of a graph of so many vertices.
  double SelfKernel(uint32_t vertex_count) const;

  // greater: `a` is more similar to a query of `query_vertices` vertices than `b`. Exact.
  std::weak_ordering Compare(const Score& a, const Score& b, uint32_t query_vertices) const;
  // The same of scores for two queries, of `a_query` and `b_query` vertices. Exact.
  std::weak_ordering CompareAcross(const Score& a, uint32_t a_query, const Score& b, uint32_t b_query) const;

 private:
  Scoring(Measure measure, std::vector<double> weights);

  Measure measure_;
  std::vector<double> weights_;
  bool integral_ = true;
};

}  // namespace kindred
