// The groups of one segment, or of a part of it, with the bound of each: the first two steps of a search.
//
//   1. count    how many rare features of the query each group has           (its rare lists, once)
//   2. bound    every group of a shelf whose size allows it                  [GroupBound, LevelBound,
//   SizeBound]
//
// Threads: one search; the segment is shared.

#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "index/lists/block_index.h"
#include "index/search/bound_units.h"
#include "index/search/bounded_sixteens.h"
#include "index/search/live_blocks.h"
#include "index/search/query_terms.h"

namespace kindred {

// One of several equal parts of a segment's blocks.
struct BlockPart {
  uint32_t number = 0;
  uint32_t count = 1;
};

class BoundedGroups {
 public:
  // All references must outlive this.
  BoundedGroups(const BlockIndex& blocks, const LiveBlocks& live, const QueryTerms& terms,
                BlockScratch& scratch);

  // Bounds all groups of the part but those of shelves that show nothing, or miss `need` by their size alone.
  absl::Status Bound(BlockPart part, const BoundUnits& units, NeedTable& need, const Interrupt& interrupt,
                     SearchStats& stats);

  const BoundedSixteens& bounds() const { return bounds_; }

 private:
  std::vector<uint32_t> Shelves(BlockPart part, const BoundUnits& units, NeedTable& need) const;
  absl::Status CountRare(const Interrupt& interrupt, SearchStats& stats);

  const BlockIndex& blocks_;
  const LiveBlocks& live_;
  const QueryTerms& terms_;
  BoundedSixteens bounds_;
};

}  // namespace kindred
