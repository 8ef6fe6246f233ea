// Scores blocks exactly and offers their graphs to the best: the last step of a search.
//
// First the masks of rare features, read from their lists for all blocks at once; then, block by block and
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

template <typename T>
class BlockScores {
 public:
  // All references must outlive this. `need` is kept to what `top` asks for.
  BlockScores(const SegmentView& view, const Query& query, const BoundUnits& units, const QueryTerms& terms,
              const BoundedBlocks<T>& bounded, const Interrupt& interrupt, BlockScratch& scratch,
              NeedTable& need, TopK& top, SearchStats& stats);

  // Offers every graph of these blocks that could be admitted. Best in the order of promise.
  absl::Status Offer(const std::vector<uint32_t>& list);

 private:
  void AddRare(const std::vector<uint32_t>& list);
  std::vector<RowLevel> RowLevels() const;
  bool Promises(const std::vector<uint32_t>& list, size_t i, uint32_t need) const;
  void Prefetch(uint32_t block) const;
  void OfferSummed(uint32_t block, const uint16_t* counts);
  void OfferByLevel(uint32_t block, const uint16_t* counts);
  void OfferGraph(uint32_t slot, double kernel);

  const SegmentView& view_;
  const BlockIndex& blocks_;
  const Query& query_;
  const BoundUnits& units_;
  const QueryTerms& terms_;
  const BoundedBlocks<T>& bounded_;
  const Interrupt& interrupt_;
  BlockScratch& scratch_;
  NeedTable& need_;
  TopK& top_;
  SearchStats& stats_;
  const bool summed_;    // Levels count alike: one count a graph will do.
  const size_t stride_;  // Counts of a block.
};

extern template class BlockScores<uint8_t>;
extern template class BlockScores<uint16_t>;

}  // namespace kindred
