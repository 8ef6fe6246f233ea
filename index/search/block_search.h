// The search over the blocks of one segment: bounds, seeds, survivors. docs/search.md tells the whole.
//
//   1. count    how many rare features of the query each group has           (search/bounded_groups.h)
//   2. bound    every group whose size allows it                             [GroupBound, SizeBound]
//   3. seeds    score the blocks that promise most, which raises the threshold
//   4. survive  the groups whose bound reaches what their size needs; of their blocks, bounded in turn, those
//               whose own bound does                          (search/bounded_blocks.h) [BlockBound,
//               NeedBound]
//   5. score    the survivors exactly, the most promising first, in waves    (search/block_scores.h)
//
// Every bound is proved in docs/exactness.md under the name in brackets.
//
// Threads: one search; the segment is shared.

#pragma once

#include "absl/status/status.h"
#include "index/lists/segment.h"
#include "index/search/block_scratch.h"
#include "index/search/bound_units.h"
#include "index/search/bounded_groups.h"
#include "index/search/top_k.h"

namespace kindred {

// Offers to `top` every graph of this part of the segment's blocks that could be admitted.
absl::Status SearchBlocks(const SegmentView& view, BlockPart part, const Query& query,
                          const BoundUnits& units, const Interrupt& interrupt, BlockScratch& scratch,
                          TopK& top, SearchStats& stats);

}  // namespace kindred
