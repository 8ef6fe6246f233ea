// The oracle of recommendations: compares every example with every stored histogram, one after the other.
//
// Plain and obviously right. It shares with the other way the definition of a score
// (search/recommendation.h) and nothing else.

#pragma once

#include <utility>

#include "index/search/exhaustive.h"
#include "index/search/recommendation.h"

namespace kindred {

class ExhaustiveRecommender : public Recommender {
 public:
  explicit ExhaustiveRecommender(HistogramSource source) : source_(std::move(source)) {}

  absl::StatusOr<RecommendAnswer> Recommend(const RecommendQuery& query,
                                            const Interrupt& interrupt) const override;

 private:
  HistogramSource source_;
};

}  // namespace kindred
