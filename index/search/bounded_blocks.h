// The blocks of one segment, or of a part of it, with the bound of each: the first two steps of a search.
//
//   1. count    how many rare features of the query each block has           (its rare lists, once)
//   2. bound    every block whose size allows it                             [BlockBound, LevelBound,
//   SizeBound]
//
// T: what bounds fit in, bytes or 16 bits.
//
// Threads: one search; the segment is shared.

#pragma once

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "index/lists/block_index.h"
#include "index/lists/block_kernels.h"
#include "index/search/block_scratch.h"
#include "index/search/bound_units.h"
#include "index/search/query_terms.h"

namespace kindred {

// One of several equal parts of a segment's blocks.
struct BlockPart {
  uint32_t number = 0;
  uint32_t count = 1;
};

template <typename T>
class BoundedBlocks {
 public:
  // All references must outlive this.
  BoundedBlocks(const BlockIndex& blocks, const QueryTerms& terms, BlockScratch& scratch)
      : blocks_(blocks), terms_(terms), scratch_(scratch), counters_(scratch.counters<T>()) {}

  // Bounds all blocks of the part but those that miss `need` by their size alone.
  absl::Status Bound(BlockPart part, const BoundUnits& units, NeedTable& need, const Interrupt& interrupt,
                     SearchStats& stats);

  // REQUIRES, for all below: Bound was called.
  uint32_t bound(uint32_t block) const { return counters_.bounds[block]; }
  // How many frequent features of the query the block has, or more; saturates.
  uint32_t frequent(uint32_t block) const { return counters_.frequent[block]; }

  // Chunks that were bounded, and at least the largest bound in one.
  uint32_t chunk_count() const;
  void ForEachChunk(absl::FunctionRef<void(uint32_t chunk)> visit) const;
  uint32_t chunk_bound(uint32_t chunk) const { return counters_.chunk_bounds[chunk]; }

  // The bounded blocks with a bound of at least least(its chunk), ascending.
  std::vector<uint32_t> Select(absl::FunctionRef<uint32_t(uint32_t chunk)> least) const;
  // The best bound first; roughly so for 16 bits.
  std::vector<uint32_t> ByBound(const std::vector<uint32_t>& blocks) const;

 private:
  // Chunks [first, last).
  struct Run {
    uint32_t first = 0;
    uint32_t last = 0;
  };

  absl::Status CountRare(const Interrupt& interrupt, SearchStats& stats);
  void FindRuns(BlockPart part, const BoundUnits& units, NeedTable& need);
  std::vector<LevelTerms<T>> Levels() const;
  const T* Largest();

  const BlockIndex& blocks_;
  const QueryTerms& terms_;
  BlockScratch& scratch_;
  BlockScratch::Counters<T>& counters_;
  std::vector<Run> runs_;  // Ascending.
  std::vector<T> too_small_;
};

extern template class BoundedBlocks<uint8_t>;
extern template class BoundedBlocks<uint16_t>;

}  // namespace kindred
