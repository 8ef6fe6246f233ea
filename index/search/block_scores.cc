#include "index/search/block_scores.h"

#include <algorithm>
#include <array>

#include "index/base/mutant.h"
#include "index/base/status.h"

namespace kindred {
namespace {

// How many blocks are scored between two looks at the interrupt.
constexpr size_t kBlocksBetweenChecks = 1024;
// How far ahead the rows of blocks to be scored are fetched into the cache.
constexpr size_t kPrefetchBlocks = 4;
// How much of a row, and of its masks: the deepest levels, by which most blocks are given up.
constexpr size_t kPrefetchBytes = 512;

// A count of 16 bits that may be more in truth.
constexpr uint32_t kRestUnknown = UINT32_MAX / 2;
uint32_t Rest(uint32_t frequent) {
  return frequent == UINT16_MAX ? kRestUnknown : frequent - std::min(frequent, TooTight(Mutant::kRestBound));
}

}  // namespace

template <typename T>
BlockScores<T>::BlockScores(const SegmentView& view, const Query& query, const BoundUnits& units,
                            const QueryTerms& terms, const BoundedBlocks<T>& bounded,
                            const Interrupt& interrupt, BlockScratch& scratch, NeedTable& need, TopK& top,
                            SearchStats& stats)
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

template <typename T>
absl::Status BlockScores<T>::Offer(const std::vector<uint32_t>& list) {
  AddRare(list);
  std::vector<uint32_t> hopeful;  // Places in the list.
  for (uint32_t i = 0; i < list.size(); ++i) {
    if (Promises(list, i, need_(blocks_.smallest(list[i])))) {
      hopeful.push_back(i);
    }
  }
  const std::vector<RowLevel> row_levels = RowLevels();
  for (size_t at = 0; at < hopeful.size(); ++at) {
    if (at % kBlocksBetweenChecks == 0) {
      KINDRED_RETURN_IF_ERROR(interrupt_.Check());
    }
    if (at + kPrefetchBlocks < hopeful.size()) {
      Prefetch(list[hopeful[at + kPrefetchBlocks]]);
    }
    const uint32_t i = hopeful[at];
    const uint32_t block = list[i];
    const uint32_t need = need_(blocks_.smallest(block));
    if (!Promises(list, i, need)) {
      continue;  // The threshold has risen since.
    }
    ++stats_.blocks_scored;
    uint16_t* counts = scratch_.counts.data() + i * stride_;
    if (AddRow(blocks_.row(block), terms_.row.data(), blocks_.row_masks(block), row_levels,
               Rest(bounded_.frequent(block)), summed_ ? need : 0, counts, stats_.postings_read)) {
      summed_ ? OfferSummed(block, counts) : OfferByLevel(block, counts);
      // Once a block: a need that lags behind is only too low.
      need_.SetSimilarity(top_.least_similarity());
    }
  }
  return absl::OkStatus();
}

// Fills scratch_.counts with what the rare features give, and scratch_.largest if levels are summed.
template <typename T>
void BlockScores<T>::AddRare(const std::vector<uint32_t>& list) {
  GrowTo(scratch_.wanted, blocks_.chunk_count());
  GrowTo(scratch_.places, blocks_.block_count());
  GrowTo(scratch_.largest, list.size());
  scratch_.counts.assign(list.size() * stride_, 0);
  for (size_t i = 0; i < list.size(); ++i) {
    scratch_.wanted[list[i] / 64] |= uint64_t{1} << (list[i] % 64);
    scratch_.places[list[i]] = static_cast<uint32_t>(i);
  }
  for (size_t l = 0; l < terms_.levels.size(); ++l) {
    for (const std::span<const BlockPosting> postings : terms_.levels[l].rare) {
      AddPostings(postings, scratch_.wanted.data(), scratch_.places.data(), stride_,
                  scratch_.counts.data() + (summed_ ? 0 : l * kBlockGraphs));
      stats_.postings_read += postings.size();
    }
  }
  for (const uint32_t block : list) {
    scratch_.wanted[block / 64] = 0;
  }
  if (summed_) {
    LargestCounts(scratch_.counts.data(), list.size(), scratch_.largest.data());
  }
}

// [RowBound] What the rare features gave the best graph, and all frequent ones. Never too few: bytes do not
// saturate, and of 16 bits what saturates is more than any need.
template <typename T>
bool BlockScores<T>::Promises(const std::vector<uint32_t>& list, size_t i, uint32_t need) const {
  const uint32_t block = list[i];
  return bounded_.bound(block) >= need &&
         (!summed_ || scratch_.largest[i] + bounded_.frequent(block) >= need + TooTight(Mutant::kRowBound));
}

// All levels, in the order of a row; those that do not count share no bit with the query.
template <typename T>
std::vector<RowLevel> BlockScores<T>::RowLevels() const {
  std::vector<RowLevel> row_levels;
  for (Level level = blocks_.features().level_count(); level-- > 0;) {
    const auto found = std::ranges::find(terms_.levels, level, &QueryTerms::AtLevel::level);
    const auto place = static_cast<uint32_t>(found - terms_.levels.begin());
    row_levels.push_back({blocks_.row_words_at(level).size(),
                          summed_ || found == terms_.levels.end() ? 0 : place * kBlockGraphs});
  }
  return row_levels;
}

template <typename T>
void BlockScores<T>::Prefetch(uint32_t block) const {
  const auto* row = reinterpret_cast<const char*>(blocks_.row(block));
  const auto* masks = reinterpret_cast<const char*>(blocks_.row_masks(block));
  for (size_t at = 0; at < kPrefetchBytes; at += 64) {
    __builtin_prefetch(row + at);
    __builtin_prefetch(masks + at);
  }
}

// K = exact_unit() times the count.
template <typename T>
void BlockScores<T>::OfferSummed(uint32_t block, const uint16_t* counts) {
  for (uint32_t lane = 0; lane < kBlockGraphs; ++lane) {
    const uint32_t slot = block * kBlockGraphs + lane;
    if (counts[lane] >= need_(view_.segment->graphs().vertex_count(slot))) {
      OfferGraph(slot, units_.exact_unit() * counts[lane]);
    }
  }
}

// By the roundings of Scoring::Kernel: whole overlaps first, then one product a level.
template <typename T>
void BlockScores<T>::OfferByLevel(uint32_t block, const uint16_t* counts) {
  std::array<uint32_t, kLevelsMax> overlaps{};
  for (uint32_t lane = 0; lane < kBlockGraphs; ++lane) {
    for (size_t l = 0; l < terms_.levels.size(); ++l) {
      overlaps[terms_.levels[l].level] = counts[l * kBlockGraphs + lane];
    }
    OfferGraph(block * kBlockGraphs + lane, query_.scoring.Kernel(overlaps));
  }
}

template <typename T>
void BlockScores<T>::OfferGraph(uint32_t slot, double kernel) {
  if (!view_.is_live(slot)) {
    return;
  }
  ++stats_.candidates;
  const GraphTable& graphs = view_.segment->graphs();
  const Score score{kernel, graphs.vertex_count(slot)};
  if (top_.Admits(score)) {
    top_.Offer({score, graphs.external_id(slot)});
  }
}

template class BlockScores<uint8_t>;
template class BlockScores<uint16_t>;

}  // namespace kindred
