#include "index/pairs/feature_masks.h"

#include <algorithm>

namespace kindred {
namespace {

// What one thread does at a time.
constexpr uint32_t kShardGroups = 256;
constexpr uint32_t kShardFrequent = 256;
constexpr uint32_t kShardFeatures = 1 << 15;

// Calls work(begin, end) for ranges of at most `shard` that make up 0..count.
template <typename Work>
void ForRanges(uint32_t count, uint32_t shard, const ParallelFor& parallel_for, Work work) {
  parallel_for((count + shard - 1) / shard, [&](size_t i) {
    const auto begin = static_cast<uint32_t>(i) * shard;
    work(begin, std::min(begin + shard, count));
  });
}

size_t CountBits(const uint16_t* column, uint32_t groups) {
  size_t count = 0;
  for (uint32_t group = 0; group < groups; ++group) {
    count += static_cast<size_t>(std::popcount(column[group]));
  }
  return count;
}

}  // namespace

FeatureMasks::FeatureMasks(const BlockIndex& blocks, const ParallelFor& parallel_for)
    : blocks_(blocks), masks_begins_(size_t{blocks.frequent_count()} + 1) {
  std::vector<uint32_t> frequent_of_bit(size_t{blocks.row_words()} * 64);
  for (uint32_t frequent = 0; frequent < blocks.frequent_count(); ++frequent) {
    frequent_of_bit[blocks.row_bit(frequent)] = frequent;
  }
  ForRanges(blocks.frequent_count(), kShardFrequent, parallel_for, [&](uint32_t begin, uint32_t end) {
    for (uint32_t frequent = begin; frequent < end; ++frequent) {
      masks_begins_[frequent + 1] = CountBits(blocks.column(frequent), blocks.group_count());
    }
  });
  for (uint32_t frequent = 0; frequent < blocks.frequent_count(); ++frequent) {
    masks_begins_[frequent + 1] += masks_begins_[frequent];
  }
  masks_.resize(masks_begins_.back());
  ForRanges(blocks.group_count(), kShardGroups, parallel_for,
            [&](uint32_t begin, uint32_t end) { Bring(begin, end, frequent_of_bit); });
}

// Of the blocks of these groups.
void FeatureMasks::Bring(uint32_t group_begin, uint32_t group_end,
                         const std::vector<uint32_t>& frequent_of_bit) {
  std::vector<size_t> next(blocks_.frequent_count());
  for (uint32_t frequent = 0; frequent < next.size(); ++frequent) {
    next[frequent] = masks_begins_[frequent] + CountBits(blocks_.column(frequent), group_begin);
  }
  const uint32_t end = std::min(group_end * kGroupBlocks, blocks_.block_count());
  for (uint32_t block = group_begin * kGroupBlocks; block < end; ++block) {
    const uint64_t* const row = blocks_.row(block);
    const uint16_t* mask = blocks_.row_masks(block);
    for (uint32_t word = 0; word < blocks_.row_words(); ++word) {
      for (uint64_t bits = row[word]; bits != 0; bits &= bits - 1) {
        const uint32_t bit = word * 64 + static_cast<uint32_t>(std::countr_zero(bits));
        masks_[next[frequent_of_bit[bit]]++] = *mask++;
      }
    }
  }
}

std::vector<uint32_t> FeatureMasks::Count(std::span<const uint16_t> lanes,
                                          const ParallelFor& parallel_for) const {
  std::vector<uint32_t> counts(blocks_.features().size());
  const auto size = static_cast<uint32_t>(counts.size());
  ForRanges(size, kShardFeatures, parallel_for, [&](uint32_t begin, uint32_t end) {
    for (uint32_t feature = begin; feature < end; ++feature) {
      ForEach(feature, lanes, [&](uint32_t, uint32_t meant) {
        counts[feature] += static_cast<uint32_t>(std::popcount(meant));
      });
    }
  });
  return counts;
}

}  // namespace kindred
