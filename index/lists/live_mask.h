// Which graphs of a segment were deleted or replaced: one bit a slot.
//
// Threads: a value; shared as const.

#pragma once

#include <cstdint>
#include <vector>

namespace kindred {

class LiveMask {
 public:
  // Nothing is hidden.
  explicit LiveMask(uint32_t slots) : words_((slots + 63) / 64, ~uint64_t{0}) {}

  bool Test(uint32_t slot) const { return (words_[slot / 64] >> (slot % 64) & 1) != 0; }
  uint32_t hidden_count() const { return hidden_; }

  // REQUIRES: the graph is live.
  void Hide(uint32_t slot) {
    words_[slot / 64] &= ~(uint64_t{1} << (slot % 64));
    ++hidden_;
  }

 private:
  std::vector<uint64_t> words_;
  uint32_t hidden_ = 0;
};

}  // namespace kindred
