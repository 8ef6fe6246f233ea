// Which graphs have equal histograms, as far as they count: they are alike to each other and to everything
// else, so one of them is compared for all.
//
// Graphs of one size and one sketch are compared byte by byte; a hash only brings them together.
//
// Threads: immutable once made.
// Cost: 20 bytes a graph while it is made; 8 bytes for each graph that has an equal.

#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/interrupt.h"
#include "index/base/parallel.h"
#include "index/pairs/pair_bounds.h"
#include "index/pairs/pair_parts.h"
#include "index/pairs/sketch.h"

namespace kindred {

class EqualGraphs {
 public:
  // Of the graphs of these lanes, of which one of each class is left. `memory_max` is for graphs that are
  // compared; the largest there is may take more.
  static absl::StatusOr<EqualGraphs> Find(const PairParts& parts, const PairBounds& bounds,
                                          const Sketches& sketches, uint64_t memory_max,
                                          const ParallelFor& parallel_for, const Interrupt& interrupt,
                                          Lanes& lanes);

  // All that are equal to the one that was left, itself included, ascending. Empty if it is the only one.
  std::span<const uint32_t> equals(uint32_t number) const {
    const auto found = classes_.find(number);
    return found == classes_.end()
               ? std::span<const uint32_t>()
               : std::span(members_).subspan(found->second.first, found->second.second - found->second.first);
  }
  uint64_t size(uint32_t number) const {
    const size_t count = equals(number).size();
    return count == 0 ? 1 : count;
  }

  // Those that were left and have equals.
  const std::vector<uint32_t>& repeated() const { return repeated_; }

 private:
  std::vector<uint32_t> repeated_;
  std::vector<uint32_t> members_;                                    // Class after class.
  std::unordered_map<uint32_t, std::pair<size_t, size_t>> classes_;  // Where each begins and ends.
};

}  // namespace kindred
