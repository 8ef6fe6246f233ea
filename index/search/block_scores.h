// Scores blocks exactly and offers their graphs to the best: the last step of a search.
//
// First the masks of rare features, for all blocks at once; then, block by block and
// while there is hope [RowBound], the masks of its row, given up after a level when nothing can reach the
// need [RestBound]. docs/exactness.md proves both.
//
// Threads: one search; the segment is shared.

#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "index/lists/block_kernels.h"
#include "index/lists/segment.h"
#include "index/search/bounded_blocks.h"
#include "index/search/top_k.h"

namespace kindred {

// [RestBound] At least the bits that the row of a block shares with the query: its number of frequent
// features, which is of 16 bits and may be more in truth.
uint32_t RestOf(uint32_t frequent);

class BlockScores {
 public:
  // All references must outlive this. `need` is kept to what `top` asks for.
  BlockScores(const SegmentView& view, const Query& query, const BoundUnits& units, const QueryTerms& terms,
              BoundedBlocks& bounded, const Interrupt& interrupt, BlockScratch& scratch, NeedTable& need,
              TopK& top, SearchStats& stats);

  // Offers every graph of these bounded blocks, by place, that could be admitted. Best in the order of
  // promise.
  absl::Status Offer(const std::vector<uint32_t>& list);

 private:
  // A block that is being scored.
  struct Reading {
    uint32_t place = 0;
    uint32_t i = 0;  // In the list.
    RowCursor cursor;
  };

  absl::Status AddRare(const std::vector<uint32_t>& list);
  uint16_t* counts(uint32_t i) { return scratch_.counts.data() + i * stride_; }
  uint32_t Need(uint32_t place);
  bool Promises(uint32_t place, uint32_t i);
  RowCursor CursorOf(uint32_t place) const;
  void Finish(Reading& reading, std::span<const RowLevel> levels);
  void OfferSummed(uint32_t block, const uint16_t* counts);
  void OfferByLevel(uint32_t block, const uint16_t* counts);
  void OfferGraph(uint32_t slot, double kernel);

  const SegmentView& view_;
  const BlockIndex& blocks_;
  const Query& query_;
  const BoundUnits& units_;
  const QueryTerms& terms_;
  BoundedBlocks& bounded_;
  const Interrupt& interrupt_;
  BlockScratch& scratch_;
  NeedTable& need_;
  TopK& top_;
  SearchStats& stats_;
  const bool summed_;    // Levels count alike: one count a graph will do.
  const size_t stride_;  // Counts of a block.
};

}  // namespace kindred
