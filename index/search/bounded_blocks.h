// The blocks of some groups, with the bound of each [BlockBound, LevelBound] and what rare features of the
// query they have.
//
// Threads: one search; the segment is shared.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "index/lists/block_index.h"
#include "index/search/bounded_sixteens.h"
#include "index/search/live_blocks.h"
#include "index/search/query_terms.h"

namespace kindred {

class BoundedBlocks {
 public:
  // All references must outlive this.
  BoundedBlocks(const BlockIndex& blocks, const LiveBlocks& live, const QueryTerms& terms,
                BlockScratch& scratch);

  // In the place of those bounded before.
  absl::Status Bound(std::vector<uint32_t> groups, const Interrupt& interrupt, SearchStats& stats);

  uint32_t group_count() const { return blocks_.group_count(); }
  const BoundedSixteens& bounds() const { return bounds_; }
  const LiveBlocks& live() const { return live_; }
  // The rare features are at hand: ForEachRare reads no list.
  bool kept() const { return kept_; }
  // Calls take with the query's rare features that shown graphs of the bounded blocks have, some at a time.
  absl::Status ForEachRare(const Interrupt& interrupt, SearchStats& stats,
                           absl::FunctionRef<void(std::span<const RareHit>)> take);

 private:
  absl::Status ReadRare(const Interrupt& interrupt, SearchStats& stats,
                        absl::FunctionRef<void(std::span<const RareHit>)> take);
  absl::Status ReadLists(const Interrupt& interrupt, SearchStats& stats,
                         absl::FunctionRef<void(std::span<const RareHit>)> take);

  const BlockIndex& blocks_;
  const LiveBlocks& live_;
  const QueryTerms& terms_;
  BlockScratch& scratch_;
  BoundedSixteens bounds_;
  bool kept_ = false;  // scratch_.hits has all.
};

}  // namespace kindred
