#include "index/search/block_scores.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>

#include "index/base/mutant.h"
#include "index/base/status.h"

namespace kindred {
namespace {

// How many blocks are scored between two looks at the interrupt.
constexpr size_t kBlocksBetweenChecks = 1024;
// Rows are read in two steps, each some blocks after its memory was asked for: the first levels of all, by
// which most blocks are given up, then the others of the rest.
constexpr size_t kFirstLevels = 2;
constexpr size_t kPrefetchBlocks = 6;
// How much is asked for: what molecules of levels 0 and 1 take, and of level 2.
constexpr size_t kFirstRowBytes = 64;
constexpr size_t kFirstMaskBytes = 192;
constexpr size_t kNextRowBytes = 128;
constexpr size_t kNextMaskBytes = 192;

void Prefetch(const void* from, size_t bytes) {
  for (size_t at = 0; at <= bytes; at += 64) {
    __builtin_prefetch(static_cast<const char*>(from) + at);
  }
}

}  // namespace

uint32_t RestOf(uint32_t frequent) {
  constexpr uint32_t kUnknown = UINT32_MAX / 2;
  return frequent == UINT16_MAX ? kUnknown : frequent - std::min(frequent, TooTight(Mutant::kRestBound));
}

BlockScores::BlockScores(const SegmentView& view, const Query& query, const BoundUnits& units,
                         const QueryTerms& terms, BoundedBlocks& bounded, const Interrupt& interrupt,
                         BlockScratch& scratch, NeedTable& need, TopK& top, SearchStats& stats)
    : view_(view),
      blocks_(view.segment->blocks()),
      query_(query),
      units_(units),
      terms_(terms),
      bounded_(bounded),
      interrupt_(interrupt),
      scratch_(scratch),
      need_(need),
      top_(top),
      stats_(stats),
      summed_(units.exact_unit() != 0),
      stride_((summed_ ? 1 : terms.levels.size()) * kBlockGraphs) {}

absl::Status BlockScores::Offer(const std::vector<uint32_t>& list) {
  KINDRED_RETURN_IF_ERROR(AddRare(list));
  const BoundedSixteens& bounds = bounded_.bounds();
  std::vector<Reading> hopeful;
  for (uint32_t i = 0; i < list.size(); ++i) {
    if (Promises(list[i], i)) {
      hopeful.push_back({list[i], i, {}});
    }
  }
  const std::vector<RowLevel> levels = terms_.RowLevels(blocks_, summed_);
  const auto first = std::span(levels).first(std::min(kFirstLevels, levels.size()));
  const auto others = std::span(levels).subspan(first.size());
  std::deque<Reading> begun;
  const auto finish_one = [&] {
    Finish(begun.front(), others);
    begun.pop_front();
  };
  for (size_t at = 0; at < hopeful.size(); ++at) {
    if (at % kBlocksBetweenChecks == 0) {
      KINDRED_RETURN_IF_ERROR(interrupt_.Check());
    }
    if (at + kPrefetchBlocks < hopeful.size()) {
      const uint32_t block = bounds.number(hopeful[at + kPrefetchBlocks].place);
      Prefetch(blocks_.row(block), kFirstRowBytes);
      Prefetch(blocks_.row_masks(block), kFirstMaskBytes);
    }
    Reading& reading = hopeful[at];
    if (!Promises(reading.place, reading.i)) {
      continue;  // The threshold has risen since.
    }
    ++stats_.blocks_scored;
    reading.cursor = CursorOf(reading.place);
    if (AddRow(reading.cursor, first, Need(reading.place), counts(reading.i), stats_.postings_read)) {
      Prefetch(reading.cursor.row, kNextRowBytes);
      Prefetch(reading.cursor.masks, kNextMaskBytes);
      begun.push_back(reading);
    }
    if (begun.size() == kPrefetchBlocks) {
      finish_one();
    }
  }
  while (!begun.empty()) {
    finish_one();
  }
  return absl::OkStatus();
}

// What is left of a row, then offers its graphs.
void BlockScores::Finish(Reading& reading, std::span<const RowLevel> levels) {
  uint16_t* const sums = counts(reading.i);
  if (AddRow(reading.cursor, levels, Need(reading.place), sums, stats_.postings_read)) {
    const uint32_t block = bounded_.bounds().number(reading.place);
    summed_ ? OfferSummed(block, sums) : OfferByLevel(block, sums);
    // Once a block: a need that lags behind is only too low.
    need_.SetSimilarity(top_.least_similarity());
  }
}

RowCursor BlockScores::CursorOf(uint32_t place) const {
  const uint32_t block = bounded_.bounds().number(place);
  return {blocks_.row(block), terms_.row.data(), blocks_.row_masks(block),
          RestOf(bounded_.bounds().frequent(place)), bounded_.live().lanes(block)};
}

// Sums are given up by it; levels told apart are not.
uint32_t BlockScores::Need(uint32_t place) { return summed_ ? need_(bounded_.bounds().smallest(place)) : 0; }

// Fills scratch_.counts with what the rare features give, and scratch_.largest if levels are summed.
absl::Status BlockScores::AddRare(const std::vector<uint32_t>& list) {
  scratch_.score_places.assign(bounded_.bounds().words().size() * kGroupBlocks, kNowhere);
  for (size_t i = 0; i < list.size(); ++i) {
    scratch_.score_places[list[i]] = static_cast<uint32_t>(i);
  }
  scratch_.counts.assign(list.size() * stride_, 0);
  KINDRED_RETURN_IF_ERROR(bounded_.ForEachRare(interrupt_, stats_, [&](std::span<const RareHit> hits) {
    AddHits(hits, scratch_.score_places.data(), stride_, summed_ ? 0 : kBlockGraphs, scratch_.counts.data());
  }));
  if (summed_) {
    GrowTo(scratch_.largest, list.size());
    LargestCounts(scratch_.counts.data(), list.size(), scratch_.largest.data());
  }
  return absl::OkStatus();
}

// [RowBound] What the rare features gave the best graph, and all frequent ones. Never too few: what
// saturates is more than any need.
bool BlockScores::Promises(uint32_t place, uint32_t i) {
  const BoundedSixteens& bounds = bounded_.bounds();
  const uint32_t need = need_(bounds.smallest(place));
  return bounds.bound(place) >= need &&
         (!summed_ || scratch_.largest[i] + bounds.frequent(place) >= need + TooTight(Mutant::kRowBound));
}

// K = exact_unit() times the count.
void BlockScores::OfferSummed(uint32_t block, const uint16_t* counts) {
  for (uint32_t left = bounded_.live().lanes(block); left != 0; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(left));
    const uint32_t slot = block * kBlockGraphs + lane;
    if (counts[lane] >= need_(view_.segment->graphs().vertex_count(slot))) {
      OfferGraph(slot, units_.exact_unit() * counts[lane]);
    }
  }
}

// By the roundings of Scoring::Kernel: whole overlaps first, then one product a level.
void BlockScores::OfferByLevel(uint32_t block, const uint16_t* counts) {
  std::array<uint32_t, kLevelsMax> overlaps{};
  for (uint32_t lane = 0; lane < kBlockGraphs; ++lane) {
    for (size_t l = 0; l < terms_.levels.size(); ++l) {
      overlaps[terms_.levels[l].level] = counts[l * kBlockGraphs + lane];
    }
    OfferGraph(block * kBlockGraphs + lane, query_.scoring.Kernel(overlaps));
  }
}

void BlockScores::OfferGraph(uint32_t slot, double kernel) {
  if (!view_.is_live(slot)) {
    return;
  }
  ++stats_.candidates;
  const GraphTable& graphs = view_.segment->graphs();
  top_.Offer({kernel, graphs.vertex_count(slot)}, [&] { return graphs.external_id(slot); });
}

}  // namespace kindred
