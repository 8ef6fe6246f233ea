// The inverted index of a segment: its graphs in blocks of 16, and for each feature the blocks that hold it.
//
// Graphs are numbered by slots: graph `lane` of block b has the slot 16 b + lane. Similar graphs share a
// block (lists/similarity_order.h), so that a block has few features, and counting how many of a query's
// features occur in the block at all bounds the kernel of each of its 16 graphs from above. The same again
// one step up: 16 blocks are a group, which bounds all of them at once; 16 groups are a shelf.
//
//   rare feature       a list of (block, mask), the mask telling which of the 16 graphs have it. A posting is
//                      4 bytes: the gap to the block before, and the mask; a posting without a mask only
//                      skips 65,535 blocks:      gap:16 | mask:16
//   frequent feature   a column, 16 bits a group, telling which of its blocks have it; a group column, 16
//                      bits a shelf, telling which of its groups do; and in each block that has it a bit in
//                      the block's row, with the mask behind it:
//                      row of block b:   [ bits of level 0 | pad to 64 | bits of level 1 | pad | ... ]
//                      masks of block b: one of 16 bits for each bit set in the row, in its order
//
// Threads: immutable, so any number of readers.
// Cost: about 150 bytes a molecule.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "index/base/limits.h"
#include "index/base/memory.h"
#include "index/lists/feature_table.h"
#include "index/lists/forward_lists.h"

namespace kindred {

inline constexpr uint32_t kBlockGraphs = 16;
inline constexpr uint32_t kGroupBlocks = 16;
inline constexpr uint32_t kShelfGroups = 16;
inline constexpr uint32_t kShelfBlocks = kShelfGroups * kGroupBlocks;

// What larger graphs would break: the counts of a graph are features one by one up to this, ...
inline constexpr uint32_t kBlockCountMax = 255;
// ... and with so many vertices 16 levels of overlaps add up to less than 2^16, as do the features of the
// 16 graphs of a block at one level.
inline constexpr uint32_t kBlockVerticesMax = 4095;

struct BlockPosting {
  uint16_t gap = 0;
  uint16_t mask = 0;
};
static_assert(sizeof(BlockPosting) == 4);

class BlockIndex {
 public:
  BlockIndex() = default;

  uint32_t block_count() const { return static_cast<uint32_t>(smallest_.size()); }
  uint32_t group_count() const { return (block_count() + kGroupBlocks - 1) / kGroupBlocks; }
  uint32_t shelf_count() const { return (block_count() + kShelfBlocks - 1) / kShelfBlocks; }
  const FeatureTable& features() const { return features_; }
  size_t memory_bytes() const;
  // Postings of rare features and masks of frequent ones.
  uint64_t posting_count() const { return postings_.size() + masks_.size(); }

  // The number of a frequent feature.
  std::optional<uint32_t> FindFrequent(uint32_t feature) const;
  uint32_t frequent_count() const { return static_cast<uint32_t>(frequent_.size()); }
  uint32_t frequent_feature(uint32_t number) const { return frequent_[number]; }
  // Bit b of word g: block 16 g + b has the feature. Padded with zeros to whole shelves.
  const uint16_t* column(uint32_t frequent) const {
    return &columns_[size_t{frequent} * shelf_count() * kShelfGroups];
  }
  // Bit g of word s: a block of group 16 s + g has it.
  const uint16_t* group_column(uint32_t frequent) const {
    return &group_columns_[size_t{frequent} * shelf_count()];
  }
  // So many blocks have the feature that its column tells little.
  bool ubiquitous(uint32_t frequent) const { return ubiquitous_[frequent]; }

  // For a look-up of lists soon.
  void PrefetchList(uint32_t feature) const { __builtin_prefetch(list_begins_.data() + feature); }
  // Empty for a frequent feature. The first gap counts from block 0.
  std::span<const BlockPosting> rare_list(uint32_t feature) const {
    return std::span(postings_).subspan(list_begins_[feature],
                                        list_begins_[feature + 1] - list_begins_[feature]);
  }

  // Rows of frequent features.
  uint32_t row_words() const { return row_levels_.empty() ? 0 : row_levels_.back().end; }
  FeatureRange row_words_at(Level level) const { return row_levels_[level]; }
  uint32_t row_bit(uint32_t frequent) const { return row_bits_[frequent]; }
  const uint64_t* row(uint32_t block) const { return rows_.data() + size_t{block} * row_words(); }
  const uint16_t* row_masks(uint32_t block) const { return masks_.data() + mask_begins_[block]; }

  // The smallest and the largest vertex count of a block, a group, a shelf. The largest of
  // blocks and groups are padded with zeros to whole shelves.
  const uint16_t* smallest() const { return smallest_.data(); }
  const uint16_t* group_smallest() const { return group_smallest_.data(); }
  const uint16_t* shelf_smallest() const { return shelf_smallest_.data(); }
  const uint16_t* largest() const { return largest_.data(); }
  const uint16_t* group_largest() const { return group_largest_.data(); }
  const uint16_t* shelf_largest() const { return shelf_largest_.data(); }

 private:
  friend class BlockIndexBuilder;

  FeatureTable features_;

  LargeVector<uint32_t> list_begins_;  // One more than features.
  LargeVector<BlockPosting> postings_;

  std::vector<uint32_t> frequent_;  // Features, ascending.
  std::vector<bool> ubiquitous_;
  LargeVector<uint16_t> columns_;
  LargeVector<uint16_t> group_columns_;

  std::vector<FeatureRange> row_levels_;  // Words of each level.
  std::vector<uint32_t> row_bits_;
  LargeVector<uint64_t> rows_;
  LargeVector<uint32_t> mask_begins_;  // One more than blocks.
  LargeVector<uint16_t> masks_;

  std::vector<uint16_t> smallest_;
  std::vector<uint16_t> largest_;
  std::vector<uint16_t> group_smallest_;
  std::vector<uint16_t> group_largest_;
  std::vector<uint16_t> shelf_smallest_;
  std::vector<uint16_t> shelf_largest_;
};

// Builds in two passes over the blocks, so that nothing is held twice: all blocks are counted, then the same
// blocks are added, in the same order.
class BlockIndexBuilder {
 public:
  struct Graph {
    uint32_t vertex_count = 0;
    std::span<const FeatureRun> runs;
  };

  explicit BlockIndexBuilder(FeatureTable features);

  const FeatureTable& features() const { return index_.features_; }
  // Graphs of the next block: 1 to 16, which take its first lanes.
  void Count(std::span<const Graph> block);
  // REQUIRES: every block was counted.
  void Add(std::span<const Graph> block);
  // REQUIRES: every counted block was added.
  BlockIndex Build() &&;

 private:
  // What is known of a feature while blocks pass by.
  struct Progress {
    uint32_t blocks = 0;      // Counted; 0 later for a rare one.
    uint32_t postings = 0;    // Counted, with those that only skip; later where the next one goes, or
                              // the number of a frequent feature.
    uint32_t last_block = 0;  // Of the latest posting.
  };

  void Gather(std::span<const Graph> block);
  void Layout();
  uint32_t LayoutRows(const std::vector<uint32_t>& frequent_at_level);
  void AddPosting(uint32_t feature, uint16_t mask);
  void FillGroups();

  BlockIndex index_;
  bool laid_out_ = false;
  uint32_t counted_ = 0;
  uint32_t added_ = 0;
  std::vector<Progress> progress_;                  // A feature each.
  std::vector<uint32_t> touched_;                   // The features of the block at hand, in any order,
  std::vector<uint16_t> gathered_;                  // and the mask of each feature.
  std::vector<std::pair<uint32_t, uint16_t>> row_;  // Its frequent features: row bit and mask.
};

}  // namespace kindred
