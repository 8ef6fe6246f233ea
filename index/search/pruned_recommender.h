// The recommendations users get: every segment's blocks through their bounds, plain graphs one by one,
// outsize graphs through plain lists.

#pragma once

#include <span>

#include "index/lists/segment.h"
#include "index/search/recommendation.h"

namespace kindred {

class PrunedRecommender : public Recommender {
 public:
  // `segments` must outlive this.
  explicit PrunedRecommender(std::span<const SegmentView> segments) : segments_(segments) {}

  absl::StatusOr<RecommendAnswer> Recommend(const RecommendQuery& query,
                                            const Interrupt& interrupt) const override;

 private:
  std::span<const SegmentView> segments_;
};

}  // namespace kindred
