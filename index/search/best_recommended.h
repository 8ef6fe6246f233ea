// The best k graphs seen so far by the scores of several examples (search/recommendation.h).
//
// What is offered and may be one of the best is gathered, up to about twice k, and then cut down to k.
//
// Threads: one recommendation.
// Cost: Offer is O(1) for what is worse than the k-th was when they were last cut down, else O(examples).

#pragma once

#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "index/search/recommendation.h"

namespace kindred {

class BestRecommended {
 public:
  // `query` must outlive this.
  explicit BestRecommended(const RecommendQuery& query);

  // A graph of a lower score is none of the best; -infinity while any may be. Only grows.
  double least() const { return least_; }

  // A graph with these kernels with each example. `id` points into the snapshot.
  void Offer(std::string_view id, std::span<const double> kernels, uint32_t vertex_count);
  // Cuts down what was gathered: least() is then that of all that was offered.
  void Settle();
  // Best first. Leaves this empty.
  std::vector<RecommendHit> TakeHits();

 private:
  struct Entry {
    RecommendRank rank;
    std::string_view id;
    std::vector<double> kernels;
    uint32_t vertex_count = 0;
  };

  bool Better(const Entry& a, const Entry& b) const;

  const RecommendQuery& query_;
  double least_ = -std::numeric_limits<double>::infinity();
  std::vector<Entry> entries_;
};

}  // namespace kindred
