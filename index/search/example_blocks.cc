#include "index/search/example_blocks.h"

#include <array>

#include "index/base/status.h"
#include "index/search/block_scores.h"

namespace kindred {

ExampleBlocks::ExampleBlocks(const BlockIndex& blocks, const LiveBlocks& live, const Query& query,
                             const BoundUnits& units)
    : index_(blocks),
      query_(query),
      units_(units),
      summed_(units.exact_unit() != 0),
      terms_(blocks, query, units),
      row_levels_(terms_.RowLevels(blocks, summed_)),
      stride_((summed_ ? 1 : terms_.levels.size()) * kBlockGraphs),
      groups_(blocks, live, terms_, scratch_),
      blocks_(blocks, live, terms_, scratch_) {}

absl::Status ExampleBlocks::BoundGroups(const Interrupt& interrupt, SearchStats& stats) {
  NeedTable nothing(units_);  // All shelves: what one example needs is not known before the others.
  return groups_.Bound(BlockPart(), units_, nothing, interrupt, stats);
}

absl::Status ExampleBlocks::BoundBlocks(const std::vector<uint32_t>& groups, const Interrupt& interrupt,
                                        SearchStats& stats) {
  return blocks_.Bound(groups, interrupt, stats);
}

void ExampleBlocks::FillReaches(double* reaches, size_t stride) const {
  for (size_t word = 0; word < bounds().words().size(); ++word) {
    bounds().ForEachIn(word, [&](uint32_t place) {
      reaches[place * stride] = units_.Reach(bounds().bound(place), bounds().smallest(place));
    });
  }
}

absl::Status ExampleBlocks::Begin(std::span<const uint32_t> places, const Interrupt& interrupt,
                                  SearchStats& stats) {
  scratch_.score_places.assign(bounds().words().size() * kGroupBlocks, kNowhere);
  for (size_t i = 0; i < places.size(); ++i) {
    scratch_.score_places[places[i]] = static_cast<uint32_t>(i);
  }
  scratch_.counts.assign(places.size() * stride_, 0);
  return blocks_.ForEachRare(interrupt, stats, [&](std::span<const RareHit> hits) {
    AddHits(hits, scratch_.score_places.data(), stride_, summed_ ? 0 : kBlockGraphs, scratch_.counts.data());
  });
}

bool ExampleBlocks::Finish(uint32_t i, uint32_t place, double similarity, SearchStats& stats) {
  const uint32_t block = bounds().number(place);
  // Sums are given up by it; levels told apart are not.
  const uint32_t need = summed_ && similarity > 0 ? units_.Need(similarity, bounds().smallest(place)) : 0;
  RowCursor cursor{index_.row(block), terms_.row.data(), index_.row_masks(block),
                   RestOf(bounds().frequent(place)), blocks_.live().lanes(block)};
  return AddRow(cursor, row_levels_, need, scratch_.counts.data() + i * stride_, stats.postings_read);
}

void ExampleBlocks::Similarities(uint32_t i, double self, std::span<const double, kBlockGraphs> selves,
                                 std::span<double, kBlockGraphs> out) const {
  const uint16_t* const counts = scratch_.counts.data() + i * stride_;
  for (uint32_t lane = 0; lane < kBlockGraphs; ++lane) {
    out[lane] = summed_ ? units_.exact_unit() * counts[lane] : Kernel(i, lane);
  }
  for (uint32_t lane = 0; lane < kBlockGraphs; ++lane) {
    out[lane] = query_.scoring.SimilarityOf(out[lane], self, selves[lane]);
  }
}

double ExampleBlocks::Kernel(uint32_t i, uint32_t lane) const {
  const uint16_t* const counts = scratch_.counts.data() + i * stride_ + lane;
  if (summed_) {
    return units_.exact_unit() * *counts;
  }
  // By the roundings of Scoring::Kernel: whole overlaps first, then one product a level.
  std::array<uint32_t, kLevelsMax> overlaps{};
  for (size_t l = 0; l < terms_.levels.size(); ++l) {
    overlaps[terms_.levels[l].level] = counts[l * kBlockGraphs];
  }
  return query_.scoring.Kernel(overlaps);
}

}  // namespace kindred
