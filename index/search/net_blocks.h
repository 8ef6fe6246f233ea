// The net weights of the features of several examples (search/net_bound.h) in the blocks of one segment: what
// a block, and what a graph of it, has of them at most.
//
// Net weights are scaled to 16 bits and rounded up, so that their sum stays a bound: a unit is 1 / 32,767 of
// all that could be for a graph. Of a block those above 0 are added up for every feature that any of its
// graphs has.
//
// Threads: one recommendation; the segment is shared.
// Cost: 8 bytes for each rare posting of the bounded blocks.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "index/lists/block_index.h"
#include "index/lists/weighted_kernels.h"
#include "index/search/net_bound.h"

namespace kindred {

class NetBlocks {
 public:
  // `blocks` must outlive this.
  NetBlocks(const BlockIndex& blocks, const RecommendExamples& examples, const NetBound& bound);

  // False: there are more features than 16 bits can tell apart, and nothing below may be called.
  bool usable() const { return usable_; }

  // Bounds the blocks of these groups, in the place of those bounded before. Places are those of
  // BoundedBlocks.
  absl::Status Bound(const std::vector<uint32_t>& groups, const Interrupt& interrupt, SearchStats& stats);
  // At least N(G) of every graph of a bounded block.
  double MostOfBlock(uint32_t place) const { return sums_[place] / scale_; }

  using Sums = std::array<int16_t, kBlockGraphs>;
  // The units of each of its 16 graphs; `block` is its number.
  Sums OfGraphs(uint32_t place, uint32_t block, SearchStats& stats) const;
  double Units(int16_t units) const { return units / scale_; }

 private:
  struct Hit {
    uint32_t place = 0;
    WeightedMask mask;
  };
  struct Rare {
    std::span<const BlockPosting> list;
    int16_t weight = 0;
  };

  void AddFeature(uint32_t feature, int16_t weight);
  absl::Status ReadRare(const Interrupt& interrupt, SearchStats& stats);
  void SortHits(size_t places);

  const BlockIndex& blocks_;
  bool usable_ = false;
  double scale_ = 1;
  std::vector<Rare> rare_;
  std::vector<const uint16_t*> columns_;  // Of those with weights above 0,
  std::vector<int16_t> column_weights_;   // which are these.
  std::vector<uint64_t> row_;             // All frequent ones, as in a block's row,
  std::vector<int16_t> row_weights_;      // a bit each.
  // Of the bounded blocks.
  std::vector<int16_t> sums_;
  std::vector<uint32_t> group_places_;  // A group each; kNowhere but for the bounded ones.
  std::vector<Hit> hits_;
  std::vector<uint32_t> mask_ends_;  // Where the masks of each place end.
  std::vector<WeightedMask> masks_;
};

}  // namespace kindred
