// What several examples together ask for, and the one interface of every way to answer it.
//
//   kWeightedSum   score(G) = ((0 + w_1 sim(q_1,G)) + w_2 sim(q_2,G)) + ... - w_j sim(q_j,G) - ...
//                  over the liked, then minus the disliked, in the order of the examples, in doubles: each
//                  product is rounded, then each sum. Every implementation adds up in this order and gets the
//                  same bits.
//   kBestMinimum   score(G) = the least sim(q_i,G) over the liked
//
// Order: the higher score first; equal score, smaller external id first, bytewise. Sums are compared as
// doubles. Least similarities are compared exactly where the weights of the levels are integers
// (Scoring::CompareAcross), else as doubles.
//
// A recommender is bound to one snapshot. All recommenders of a snapshot give the same answer.

#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "index/search/searcher.h"

namespace kindred {

enum class RecommendForm { kWeightedSum, kBestMinimum };

struct RecommendQuery {
  struct Example {
    Histogram histogram;
    double weight = 1;  // Above 0. Means nothing to kBestMinimum.
    bool liked = true;
  };

  // At least one is liked; the liked come first. kBestMinimum has no others.
  std::vector<Example> examples;
  RecommendForm form = RecommendForm::kWeightedSum;
  Scoring scoring;
  uint32_t k = kNeighboursDefault;
  std::optional<double> min_score;
  // External ids that are no answers.
  std::set<std::string, std::less<>> excluded;

  // The score of no example, and that with one more.
  double NoScore() const {
    return form == RecommendForm::kBestMinimum ? std::numeric_limits<double>::infinity() : 0;
  }
  double AddScore(double score, const Example& example, double similarity) const {
    if (form == RecommendForm::kBestMinimum) {
      return std::min(score, similarity);
    }
    const double term = example.weight * similarity;
    return example.liked ? score + term : score - term;
  }
};

struct RecommendHit {
  std::string id;
  double score = 0;
  std::vector<double> similarities;  // To each example, in their order.

  friend bool operator==(const RecommendHit&, const RecommendHit&) = default;
};

struct RecommendAnswer {
  std::vector<RecommendHit> hits;  // Best first.
  SearchStats stats;
};

// What decides the place of one graph among the answers, beside its id.
struct RecommendRank {
  double score = 0;
  // kBestMinimum: the score with that liked example which is the least similar, exactly.
  Score least;
  uint32_t least_query = 0;  // Its vertices.
};

// `kernels`: K of the graph with each example.
RecommendRank RankOf(const RecommendQuery& query, std::span<const double> kernels, uint32_t vertex_count);
// greater: `a` comes first.
std::weak_ordering CompareRanks(const RecommendQuery& query, const RecommendRank& a, const RecommendRank& b);
std::vector<double> SimilaritiesOf(const RecommendQuery& query, std::span<const double> kernels,
                                   uint32_t vertex_count);

class Recommender {
 public:
  virtual ~Recommender() = default;

  // CANCELLED or DEADLINE_EXCEEDED when interrupted.
  virtual absl::StatusOr<RecommendAnswer> Recommend(const RecommendQuery& query,
                                                    const Interrupt& interrupt) const = 0;
};

}  // namespace kindred
