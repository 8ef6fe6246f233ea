// Random blocks and queries, with what the search computes of them and what is true of them: for tests of
// each bound.
//
// What is true comes from histograms alone, what the search computes from the segment's lists, through the
// same functions (QueryTerms, BoundBlocks, AddPostings, AddRow).

#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "index/lists/block_kernels.h"
#include "index/lists/segment.h"
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

  const BlockIndex& blocks() const { return segment_->blocks(); }
  // Null for an empty slot.
  const std::vector<std::shared_ptr<const Histogram>>& by_slot() const { return by_slot_; }

 private:
  std::shared_ptr<const Segment> segment_;
  std::vector<std::shared_ptr<const Histogram>> by_slot_;
};

// One query over the blocks.
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
  // The most units that a graph of each block has.
  std::vector<uint32_t> MostUnits() const;

  template <typename T>
  struct Bounds {
    std::vector<T> bounds;
    std::vector<T> chunk_bounds;
    std::vector<T> frequent;
  };
  // As the search bounds, over levels [first, last) of terms().
  template <typename T>
  Bounds<T> Bound(size_t first, size_t last, const std::vector<T>& largest, bool weights = true) const {
    std::vector<std::vector<T>> rare;
    std::vector<LevelTerms<T>> levels;
    for (size_t l = first; l < last; ++l) {
      const QueryTerms::AtLevel& level = terms_.levels[l];
      rare.emplace_back(rare_[l].begin(), rare_[l].end());
      levels.push_back({level.columns, level.rare.empty() ? nullptr : rare.back().data(),
                        static_cast<T>(std::min<uint32_t>(level.always, std::numeric_limits<T>::max())),
                        weights ? level.weight : uint16_t{1}});
    }
    const uint32_t words = blocks().column_words();
    Bounds<T> out{std::vector<T>(size_t{words} * kChunkBlocks), std::vector<T>(words),
                  std::vector<T>(size_t{words} * kChunkBlocks)};
    BoundBlocks(std::span<const LevelTerms<T>>(levels), largest.data(), 0, words,
                {out.bounds.data(), out.chunk_bounds.data(), out.frequent.data()});
    return out;
  }
  template <typename T>
  Bounds<T> Bound() const {
    const size_t size = size_t{blocks().column_words()} * kChunkBlocks;
    std::vector<T> largest(size);
    for (size_t i = 0; i < size; ++i) {
      largest[i] = sizeof(T) == 1 ? static_cast<T>(blocks().largest_bytes()[i])
                                  : static_cast<T>(blocks().largest()[i]);
    }
    return Bound<T>(0, terms_.levels.size(), largest);
  }

  // The 16 counts of each block, level after level of terms(), from rare lists alone.
  std::vector<uint16_t> RareCounts() const;
  // The levels of a row, deepest first: counts apart, or all in one sum.
  std::vector<RowLevel> RowLevels(bool summed) const;

 private:
  const BlockSet& set_;
  const Query& query_;
  const BoundUnits units_;
  const QueryTerms terms_;
  std::vector<std::vector<uint32_t>> overlaps_;  // By slot.
  std::vector<std::vector<uint16_t>> rare_;      // A level of terms(), then a block each.
};

// All of them in one, each so many times.
Histogram SumOf(const std::vector<Histogram>& histograms, uint32_t times);

// Random sets of blocks, each asked random queries in random ways; on failure the trace tells the seed.
void ForEachBoundedCase(const std::function<void(const BoundedBlocks&)>& check);

}  // namespace kindred::test
