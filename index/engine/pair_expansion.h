// Found pairs graph by graph: what stands for many is told one by one, as it is asked for, and never held.
//
// Threads: one user.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "index/engine/pair_search.h"

namespace kindred {

// Two stored graphs, the smaller id first.
struct SimilarPair {
  std::string_view a;  // Points into the snapshot.
  std::string_view b;
  double kernel = 0;
  double similarity = 0;
};

class PairExpansion {
 public:
  // `search` must outlive this.
  explicit PairExpansion(const PairSearch& search) : search_(search) {}

  // Where a step of the search puts what it found. REQUIRES: empty().
  std::vector<FoundPair>& Refill();
  bool empty() const { return next_ == found_.size(); }
  // The next one. REQUIRES: not empty().
  SimilarPair Take();

 private:
  // The graphs that this one stands for.
  uint32_t Member(uint32_t number, uint64_t i) const;
  void Advance(const FoundPair& found);

  const PairSearch& search_;
  std::vector<FoundPair> found_;
  size_t next_ = 0;
  // Of the graphs that the next one stands for: which are told next.
  uint64_t i_ = 0;
  uint64_t j_ = 0;
};

}  // namespace kindred
