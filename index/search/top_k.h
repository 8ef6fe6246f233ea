// The order of the answers, and the best k seen so far in that order.
//
// Better similarity first; equal similarity, smaller external id first, bytewise. Ids are unique in a
// snapshot, so this is a total order: the answer depends neither on the order of offers nor on segments.
//
// Threads: one search each.
// Cost: Offer is O(1) for what is worse than the k-th, else O(log k).

#pragma once

#include <string_view>
#include <vector>

#include "index/search/searcher.h"

namespace kindred {

struct Candidate {
  Score score;
  std::string_view id;  // Points into the snapshot.
};

class TopK {
 public:
  // `query` must outlive this.
  explicit TopK(const Query& query) : query_(query) {}

  void Offer(const Candidate& candidate);
  // Best first. Leaves this empty.
  std::vector<Hit> TakeHits();

 private:
  bool Better(const Candidate& a, const Candidate& b) const;

  const Query& query_;
  std::vector<Candidate> heap_;  // The worst on top.
};

}  // namespace kindred
