// Which graphs of a segment are shown, and not deleted, replaced or left out by a filter: one bit a slot.
//
// Threads: a value; shared as const.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace kindred {

class LiveMask {
 public:
  // Nothing is hidden.
  explicit LiveMask(uint32_t slots) : words_((slots + 63) / 64, ~uint64_t{0}) {}

  // These alone are shown; so many graphs are not. REQUIRES: no bit is set beyond the slots.
  LiveMask(std::vector<uint64_t> words, uint32_t hidden_count)
      : words_(std::move(words)), hidden_(hidden_count) {}

  const std::vector<uint64_t>& words() const { return words_; }
  bool Test(uint32_t slot) const { return (words_[slot / 64] >> (slot % 64) & 1) != 0; }
  // The first slot from `slot` on that is shown; beyond all slots if there is none. REQUIRES: there is such a
  // slot.
  uint32_t NextShown(uint32_t slot) const {
    size_t word = slot / 64;
    uint64_t bits = words_[word] >> slot % 64 << slot % 64;
    while (bits == 0 && ++word < words_.size()) {
      bits = words_[word];
    }
    return static_cast<uint32_t>(word * 64) + (bits == 0 ? 0 : static_cast<uint32_t>(std::countr_zero(bits)));
  }
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
