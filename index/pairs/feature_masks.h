// Which graphs have a feature: block by block, whether the feature is rare or frequent in its part.
//
// The masks of frequent features lie in the rows of their blocks; here they are brought together, feature by
// feature, to be read in a row.
//
// Threads: immutable, so any number of readers.
// Cost: 2 bytes for each frequent feature of a block. A feature takes as long as it has blocks.

#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "index/base/memory.h"
#include "index/base/parallel.h"
#include "index/lists/block_index.h"

namespace kindred {

class FeatureMasks {
 public:
  // `blocks` must outlive this.
  FeatureMasks(const BlockIndex& blocks, const ParallelFor& parallel_for);

  // For a look at a feature soon.
  void Prefetch(uint32_t feature) const { __builtin_prefetch(blocks_.rare_list(feature).data()); }

  // Of these lanes, how many graphs have each feature.
  std::vector<uint32_t> Count(std::span<const uint16_t> lanes, const ParallelFor& parallel_for) const;

  // Calls visit(block, lanes) for each block in which graphs of these lanes have the feature, ascending.
  // Lanes of the block at hand may be taken away meanwhile.
  template <typename Visit>
  void ForEach(uint32_t feature, std::span<const uint16_t> lanes, Visit visit) const {
    const auto list = blocks_.rare_list(feature);
    if (!list.empty()) {
      uint32_t block = 0;
      for (const BlockPosting& posting : list) {
        block += posting.gap;
        if ((posting.mask & lanes[block]) != 0) {
          visit(block, posting.mask & lanes[block]);
        }
      }
    } else if (const auto frequent = blocks_.FindFrequent(feature)) {
      const uint16_t* const column = blocks_.column(*frequent);
      const uint16_t* mask = masks_.data() + masks_begins_[*frequent];
      for (uint32_t group = 0; group < blocks_.group_count(); ++group) {
        for (uint32_t has = column[group]; has != 0; has &= has - 1, ++mask) {
          const uint32_t block = group * kGroupBlocks + static_cast<uint32_t>(std::countr_zero(has));
          if (const uint32_t meant = *mask & lanes[block]; meant != 0) {
            visit(block, meant);
          }
        }
      }
    }
  }

 private:
  const BlockIndex& blocks_;
  LargeVector<uint16_t> masks_;       // Of frequent features, one after the other, block by block.
  std::vector<size_t> masks_begins_;  // One more than frequent features.
};

}  // namespace kindred
