// Which blocks of a segment have a graph that is shown at all, and which of their lanes: what a filter leaves
// of a segment is often little, and the rest need not be bounded or scored.
//
// A mask that hides less than a quarter leaves hardly a block without a graph; it is not looked at here, and
// all blocks count as shown. Whether a graph is live is decided when it is offered.
//
// Threads: immutable; the view must outlive it.
// Cost: a look at the mask for each question.

#pragma once

#include <algorithm>
#include <cstdint>

#include "index/lists/segment.h"

namespace kindred {

class LiveBlocks {
 public:
  explicit LiveBlocks(const SegmentView& view)
      : graph_count_(view.live_count()),
        mask_(graph_count_ < view.segment->size() - view.segment->size() / 4 ? view.live.get() : nullptr) {}

  // Of the segment that are shown.
  uint32_t graph_count() const { return graph_count_; }
  // Nothing is skipped.
  bool all() const { return mask_ == nullptr; }

  uint16_t lanes(uint32_t block) const {
    static_assert(kBlockGraphs == 16);
    return all() ? UINT16_MAX : static_cast<uint16_t>(mask_->words()[block / 4] >> block % 4 * 16);
  }
  bool InBlock(uint32_t block) const { return lanes(block) != 0; }
  // Which blocks of a group show something, a bit each; any bits for blocks that there are not.
  uint32_t BlocksIn(uint32_t group) const {
    uint32_t blocks = UINT16_MAX;
    if (!all()) {
      const std::vector<uint64_t>& words = mask_->words();
      blocks = 0;
      for (size_t i = 0; i < kGroupBlocks / 4 && group * kGroupBlocks / 4 + i < words.size(); ++i) {
        const uint64_t word = words[group * kGroupBlocks / 4 + i];
        for (size_t part = 0; part < 4; ++part) {
          blocks |= static_cast<uint32_t>((word >> part * 16 & UINT16_MAX) != 0) << (i * 4 + part);
        }
      }
    }
    return blocks;
  }
  // The same of the groups of a shelf.
  uint32_t GroupsIn(uint32_t shelf) const {
    uint32_t groups = UINT16_MAX;
    if (!all()) {
      groups = 0;
      for (uint32_t i = 0; i < kShelfGroups; ++i) {
        groups |= static_cast<uint32_t>(InGroup(shelf * kShelfGroups + i)) << i;
      }
    }
    return groups;
  }
  bool InGroup(uint32_t group) const { return all() || InWords(group, kGroupBlocks * kBlockGraphs / 64); }
  bool InShelf(uint32_t shelf) const { return all() || InWords(shelf, kShelfBlocks * kBlockGraphs / 64); }

 private:
  // Some of the i-th so many words.
  bool InWords(size_t i, size_t count) const {
    const std::vector<uint64_t>& words = mask_->words();
    const auto begin = words.begin() + static_cast<ptrdiff_t>(std::min(i * count, words.size()));
    const auto end = words.begin() + static_cast<ptrdiff_t>(std::min((i + 1) * count, words.size()));
    return std::any_of(begin, end, [](uint64_t word) { return word != 0; });
  }

  const uint32_t graph_count_;
  const LiveMask* const mask_;
};

}  // namespace kindred
