// Random blocks and queries, with what the search computes of them and what is true of them: for tests of
// each bound.
//
// What is true comes from histograms alone, what the search computes from the segment's lists, through the
// same functions (QueryTerms, BoundedGroups, BoundedBlocks, BoundSixteens, AddHits, AddRow).

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "index/lists/block_kernels.h"
#include "index/lists/segment.h"
#include "index/search/bounded_blocks.h"
#include "index/search/bounded_groups.h"
#include "index/search/query_terms.h"
#include "tests/support/graphs.h"

namespace kindred::test {

// Every kind of weights a query may have, one a level, not all 0. `kind` is one of 0..kWeightKinds-1.
inline constexpr int kWeightKinds = 10;
std::vector<double> WeightsOfKind(int kind, Level depth, Rng& rng);

// Graphs in blocks, with their histograms by slot.
class BlockSet {
 public:
  explicit BlockSet(const std::vector<Histogram>& histograms, Ordering ordering = Ordering::kBySimilarity);

  SegmentView view() const { return {segment_, nullptr}; }
  const BlockIndex& blocks() const { return segment_->blocks(); }
  // Null for an empty slot.
  const std::vector<std::shared_ptr<const Histogram>>& by_slot() const { return by_slot_; }

 private:
  std::shared_ptr<const Segment> segment_;
  std::vector<std::shared_ptr<const Histogram>> by_slot_;
};

// One query over all blocks, and over all groups of them.
class BoundedBlocks {
 public:
  // `set` and `query` must outlive this.
  BoundedBlocks(const BlockSet& set, const Query& query);

  const BlockIndex& blocks() const { return set_.blocks(); }
  const Query& query() const { return query_; }
  const BoundUnits& units() const { return units_; }
  const QueryTerms& terms() const { return terms_; }

  // Calls visit(slot, histogram, overlaps) for every graph.
  template <typename Visit>
  void ForEachGraph(Visit visit) const {
    for (uint32_t slot = 0; slot < overlaps_.size(); ++slot) {
      if (set_.by_slot()[slot]) {
        visit(slot, *set_.by_slot()[slot], overlaps_[slot]);
      }
    }
  }

  uint32_t UnitsOf(const std::vector<uint32_t>& overlaps) const;
  double SimilarityOf(const Histogram& histogram, const std::vector<uint32_t>& overlaps) const;
  // The most units that a graph of each block has.
  std::vector<uint32_t> MostUnits() const;

  // As the search bounds them. A place is a number here: nothing is left out.
  const BoundedSixteens& block_bounds() const { return blocks_bounded_.bounds(); }
  const LiveBlocks& live() const { return live_; }
  const BoundedSixteens& group_bounds() const { return groups_bounded_.bounds(); }

  enum class Of { kBlocks, kGroups };
  struct Bounds {
    std::vector<uint16_t> bounds;
    std::vector<uint16_t> frequent;
    std::vector<uint16_t> most;
  };
  // By level `l` of terms() alone, with a weight of 1 and whatever their size.
  Bounds BoundLevel(Of what, size_t l) const;
  // By all levels, once more: on the vector target that is chosen now.
  Bounds BoundAgain(Of what) const;

  // The 16 counts of each block, level after level of terms(), from rare lists alone.
  const std::vector<uint16_t>& rare_counts() const { return rare_counts_; }
  // The levels of a row: counts apart, or all in one sum.
  std::vector<RowLevel> RowLevels(bool summed) const;
  RowCursor RowOf(uint32_t block, uint32_t rest) const {
    return {blocks().row(block), terms_.row.data(), blocks().row_masks(block), rest};
  }

 private:
  Bounds Bound(Of what, const std::vector<LevelTerms>& terms, const std::vector<uint16_t>& rare,
               const uint16_t* largest) const;

  const BlockSet& set_;
  const Query& query_;
  const BoundUnits units_;
  const QueryTerms terms_;
  std::vector<std::vector<uint32_t>> overlaps_;  // By slot.
  BlockScratch scratch_;
  const LiveBlocks live_;
  BoundedGroups groups_bounded_;
  kindred::BoundedBlocks blocks_bounded_;
  std::vector<uint16_t> rare_counts_;
};

// All of them in one, each so many times.
Histogram SumOf(const std::vector<Histogram>& histograms, uint32_t times);

// Random sets of blocks, each asked random queries in random ways; on failure the trace tells the seed.
void ForEachBoundedCase(const std::function<void(const BoundedBlocks&)>& check);

}  // namespace kindred::test
