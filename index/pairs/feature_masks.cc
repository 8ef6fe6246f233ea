#include "index/pairs/feature_masks.h"

#include <algorithm>
#include <utility>

namespace kindred {
namespace {

// A band of groups, or a slice of features, is one thread's work. Each band has a count for every frequent
// feature, so there are not many.
constexpr uint32_t kMaskBandGroups = 64;
constexpr uint32_t kMaskBandsMax = 16;
constexpr uint32_t kSliceFeatures = 1 << 14;

}  // namespace

FeatureMasks::FeatureMasks(const BlockIndex& blocks, const ParallelFor& parallel_for)
    : blocks_(blocks), masks_begins_(size_t{blocks.frequent_count()} + 1) {
  const uint32_t groups = blocks.group_count();
  const uint32_t bands = std::clamp<uint32_t>(groups / kMaskBandGroups, 1, kMaskBandsMax);
  const auto first_group = [&](size_t band) {
    return static_cast<uint32_t>(uint64_t{groups} * band / bands);
  };
  // For each band and frequent feature: how many blocks have it, then where their masks go.
  std::vector<std::vector<size_t>> next(bands, std::vector<size_t>(blocks.frequent_count()));
  parallel_for(bands, [&](size_t band) {
    for (uint32_t frequent = 0; frequent < blocks.frequent_count(); ++frequent) {
      const uint16_t* const column = blocks.column(frequent);
      size_t count = 0;
      for (uint32_t group = first_group(band); group < first_group(band + 1); ++group) {
        count += static_cast<size_t>(std::popcount(column[group]));
      }
      next[band][frequent] = count;
    }
  });
  std::vector<uint32_t> frequent_of_bit(size_t{blocks.row_words()} * 64);
  for (uint32_t frequent = 0; frequent < blocks.frequent_count(); ++frequent) {
    frequent_of_bit[blocks.row_bit(frequent)] = frequent;
    size_t begin = masks_begins_[frequent];
    for (std::vector<size_t>& band : next) {
      begin += std::exchange(band[frequent], begin);
    }
    masks_begins_[frequent + 1] = begin;
  }
  masks_.resize(masks_begins_.back());
  parallel_for(bands, [&](size_t band) {
    const uint32_t end = std::min(blocks.block_count(), first_group(band + 1) * kGroupBlocks);
    for (uint32_t block = first_group(band) * kGroupBlocks; block < end; ++block) {
      const uint64_t* const row = blocks.row(block);
      const uint16_t* mask = blocks.row_masks(block);
      for (uint32_t word = 0; word < blocks.row_words(); ++word) {
        for (uint64_t bits = row[word]; bits != 0; bits &= bits - 1) {
          const uint32_t bit = word * 64 + static_cast<uint32_t>(std::countr_zero(bits));
          masks_[next[band][frequent_of_bit[bit]]++] = *mask++;
        }
      }
    }
  });
}

std::vector<uint32_t> FeatureMasks::Count(std::span<const uint16_t> lanes,
                                          const ParallelFor& parallel_for) const {
  const uint32_t size = blocks_.features().size();
  std::vector<uint32_t> counts(size);
  parallel_for((size + kSliceFeatures - 1) / kSliceFeatures, [&](size_t slice) {
    const auto begin = static_cast<uint32_t>(slice * kSliceFeatures);
    for (uint32_t feature = begin; feature < std::min(size, begin + kSliceFeatures); ++feature) {
      uint32_t count = 0;
      ForEach(feature, lanes,
              [&](uint32_t, uint32_t meant) { count += static_cast<uint32_t>(std::popcount(meant)); });
      counts[feature] = count;
    }
  });
  return counts;
}

}  // namespace kindred
