// The search over the blocks of one segment: bounds, seeds, survivors. docs/search.md tells the whole.
//
//   1. count    how many rare features of the query each block has           (its rare lists, once)
//   2. bound    every block whose size allows it                             [BlockBound, LevelBound,
//   SizeBound]
//   3. seeds    score the blocks that promise most, which raises the threshold
//   4. survive  the blocks whose bound reaches what their size needs          [NeedBound]
//   5. score    survivors exactly, best bound first, giving up a block when no graph of it can reach the need
//
// Every bound is proved in docs/exactness.md under the name in brackets.
//
// Threads: one search; the segment is shared.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "index/lists/segment.h"
#include "index/search/bound_units.h"
#include "index/search/query_terms.h"
#include "index/search/top_k.h"

namespace kindred {

// Memory that one search after the other uses: a few bytes a block.
class BlockScratch {
 public:
  template <typename T>
  struct Counters {
    std::vector<T> bounds;             // A block each.
    std::vector<T> chunk_bounds;       // A chunk each.
    std::vector<T> frequent;           // A block each.
    std::vector<std::vector<T>> rare;  // A level of the query, then a block each.
  };

  Counters<uint8_t> bytes;
  Counters<uint16_t> words;
  std::vector<uint64_t> wanted;   // A bit a block; all clear between searches.
  std::vector<uint32_t> places;   // A block each.
  std::vector<uint16_t> counts;   // 16 a block that is scored, and a level where levels are told apart.
  std::vector<uint16_t> largest;  // A block that is scored each: the largest of its counts.
};

// One of several equal parts of a segment's blocks.
struct BlockPart {
  uint32_t number = 0;
  uint32_t count = 1;
};

// Offers to `top` every graph of this part of the segment's blocks that could be admitted.
absl::Status SearchBlocks(const SegmentView& view, BlockPart part, const Query& query,
                          const BoundUnits& units, const Interrupt& interrupt, BlockScratch& scratch,
                          TopK& top, SearchStats& stats);

}  // namespace kindred
