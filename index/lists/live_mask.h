// Which graphs of a segment are still there: one bit each.
//
// Threads: a value; shared as const.

#pragma once

#include <cstdint>
#include <vector>

namespace kindred {

class LiveMask {
 public:
  // All live.
  explicit LiveMask(uint32_t size) : words_((size + 63) / 64, ~uint64_t{0}), count_(size) {}

  bool Test(uint32_t graph) const { return (words_[graph / 64] >> (graph % 64) & 1) != 0; }
  uint32_t count() const { return count_; }

  // REQUIRES: the graph is live.
  void Clear(uint32_t graph) {
    words_[graph / 64] &= ~(uint64_t{1} << (graph % 64));
    --count_;
  }

 private:
  std::vector<uint64_t> words_;
  uint32_t count_;
};

}  // namespace kindred
