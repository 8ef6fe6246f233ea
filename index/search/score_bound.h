// How high the score of some graphs can be when all that is known is how similar they can be to each example,
// and, as one example after the other is looked at, how similar they are to the first ones.
//
//   [ScoreBound] Let r_i >= sim(q_i,G) for every liked example and graph G of a block. Then
//     kWeightedSum   score(G) <= w_1 r_1 + w_2 r_2 + ...: what is disliked only takes away;
//                    with the first examples known, score(G) <= what they add up to + the w_i r_i of the
//                    others;
//     kBestMinimum   the same with the least in the place of the sum.
//   [ScoreNeed] If the score of G is at least s, example i gives it at least (s - what the others can give) /
//   w_i, or,
//     of kBestMinimum, s.
//
// docs/exactness.md proves both, and why no rounding matters.
//
// Threads: one recommendation.

#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "index/base/mutant.h"
#include "index/search/bound_units.h"
#include "index/search/recommendation.h"

namespace kindred {

class ScoreBound {
 public:
  // `query` must outlive this.
  explicit ScoreBound(const RecommendQuery& query);

  // reach(i): r_i of the liked example i.
  template <typename Reach>
  void Set(Reach reach) {
    for (size_t i = liked_; i-- > 0;) {
      reaches_[i] = reach(i);
      rest_[i] = minimum_ ? std::min(rest_[i + 1], reaches_[i])
                          : rest_[i + 1] + query_.examples[i].weight * reaches_[i];
    }
  }

  // Of any graph.
  double Whole() const { return Rest(query_.NoScore(), 0); }
  // Of graphs whose first `known` examples add up to at most `score`.
  double Rest(double score, size_t known) const {
    const double rest = rest_[std::min(known, liked_)];
    return minimum_ ? std::min(score, rest) : score + rest + Slack(score, rest);
  }
  // The similarity that the liked example i has to have at least if the score of a graph whose first i
  // examples add up to at most `score` is to reach `least`; 0 or less: any. REQUIRES: Rest(score, i) >=
  // least.
  double Need(double score, size_t i, double least) const {
    if (minimum_) {
      return least;
    }
    const double rest = rest_[i + 1];
    const double need = (least - score - rest - Slack(score, rest) - kRoundingSlack * std::abs(least)) /
                        query_.examples[i].weight;
    return need * (1 + 1e-6 * TooTight(Mutant::kScoreNeed));
  }
  double reach(size_t i) const { return reaches_[i]; }

 private:
  // Far wider than what all roundings may add up to. The smallest normal number covers products too small to
  // have all their digits.
  static double Slack(double score, double rest) {
    return kRoundingSlack * (std::abs(score) + rest) + std::numeric_limits<double>::min();
  }

  const RecommendQuery& query_;
  const bool minimum_;
  size_t liked_ = 0;
  std::vector<double> reaches_;
  std::vector<double> rest_;  // rest_[i]: of examples i and later.
};

}  // namespace kindred
