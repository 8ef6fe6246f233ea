// One example of a recommendation in the blocks of one segment: how similar the graphs of a group or a block
// can be to it, and how similar they are.
//
// The bounds are those of a search (search/bounded_groups.h, search/bounded_blocks.h), told as similarities
// [ReachBound].
//
// Threads: one recommendation; the segment is shared.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "index/lists/segment.h"
#include "index/search/bounded_blocks.h"
#include "index/search/bounded_groups.h"
#include "index/search/live_blocks.h"
#include "index/search/query_terms.h"

namespace kindred {

class ExampleBlocks {
 public:
  // All must outlive this.
  ExampleBlocks(const BlockIndex& blocks, const LiveBlocks& live, const Query& query,
                const BoundUnits& units);
  ExampleBlocks(const ExampleBlocks&) = delete;
  ExampleBlocks& operator=(const ExampleBlocks&) = delete;

  // Bounds all groups but those of shelves that show nothing.
  absl::Status BoundGroups(const Interrupt& interrupt, SearchStats& stats);
  const BoundedSixteens& group_bounds() const { return groups_.bounds(); }
  double GroupReach(uint32_t place) const {
    return units_.Reach(group_bounds().bound(place), group_bounds().smallest(place));
  }
  // Bounds the blocks of these groups, in the place of those bounded before. Places are the same for all
  // examples.
  absl::Status BoundBlocks(const std::vector<uint32_t>& groups, const Interrupt& interrupt,
                           SearchStats& stats);
  const BoundedSixteens& bounds() const { return blocks_.bounds(); }
  // Of every bounded block, by place, to reaches[place * stride].
  void FillReaches(double* reaches, size_t stride) const;

  // Begins to count what these bounded blocks, by place, share with the example: rare features.
  absl::Status Begin(std::span<const uint32_t> places, const Interrupt& interrupt, SearchStats& stats);
  // Counts the rest of the i-th of them. False if, having read some of it or nothing, none of its graphs is
  // so similar.
  bool Finish(uint32_t i, uint32_t place, double similarity, SearchStats& stats);
  // The similarities of the 16 graphs of the i-th, finished. `selves` are their self-kernels, above 0 for
  // empty slots, too.
  void Similarities(uint32_t i, double self, std::span<const double, kBlockGraphs> selves,
                    std::span<double, kBlockGraphs> out) const;
  // K with a graph of the i-th, finished.
  double Kernel(uint32_t i, uint32_t lane) const;

 private:
  const BlockIndex& index_;
  const Query& query_;
  const BoundUnits& units_;
  const bool summed_;  // Levels count alike: one count a graph will do.
  BlockScratch scratch_;
  const QueryTerms terms_;
  const std::vector<RowLevel> row_levels_;
  const size_t stride_;  // Counts of a block.
  BoundedGroups groups_;
  BoundedBlocks blocks_;
};

}  // namespace kindred
