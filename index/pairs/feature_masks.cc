#include "index/pairs/feature_masks.h"

namespace kindred {

FeatureMasks::FeatureMasks(const BlockIndex& blocks)
    : blocks_(blocks), masks_begins_(size_t{blocks.frequent_count()} + 1) {
  std::vector<uint32_t> frequent_of_bit(size_t{blocks.row_words()} * 64);
  for (uint32_t frequent = 0; frequent < blocks.frequent_count(); ++frequent) {
    frequent_of_bit[blocks.row_bit(frequent)] = frequent;
    size_t count = 0;
    for (uint32_t group = 0; group < blocks.group_count(); ++group) {
      count += static_cast<size_t>(std::popcount(blocks.column(frequent)[group]));
    }
    masks_begins_[frequent + 1] = masks_begins_[frequent] + count;
  }
  masks_.resize(masks_begins_.back());
  std::vector<size_t> next(masks_begins_.begin(), masks_begins_.end() - 1);
  for (uint32_t block = 0; block < blocks.block_count(); ++block) {
    const uint64_t* const row = blocks.row(block);
    const uint16_t* mask = blocks.row_masks(block);
    for (uint32_t word = 0; word < blocks.row_words(); ++word) {
      for (uint64_t bits = row[word]; bits != 0; bits &= bits - 1) {
        const uint32_t bit = word * 64 + static_cast<uint32_t>(std::countr_zero(bits));
        masks_[next[frequent_of_bit[bit]]++] = *mask++;
      }
    }
  }
}

std::vector<uint32_t> FeatureMasks::Count(std::span<const uint16_t> lanes) const {
  std::vector<uint32_t> counts(blocks_.features().size());
  for (uint32_t feature = 0; feature < counts.size(); ++feature) {
    ForEach(feature, lanes, [&](uint32_t, uint32_t meant) {
      counts[feature] += static_cast<uint32_t>(std::popcount(meant));
    });
  }
  return counts;
}

}  // namespace kindred
