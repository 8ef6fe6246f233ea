#include "index/search/block_search.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <utility>

#include "index/base/mutant.h"
#include "index/base/status.h"
#include "index/lists/block_kernels.h"

namespace kindred {
namespace {

// Seeds: so many blocks, and so many times k. More make the threshold better and take longer.
constexpr uint32_t kSeedBlocksMin = 24;
constexpr double kSeedBlocksPerHit = 2.5;
// A cut that many blocks share does not make more seeds than so many times what was wanted.
constexpr uint32_t kSeedBlocksSlack = 4;
// What a close neighbour may look like, to tell which blocks promise most: seeds are chosen by how far their
// bound lies above what this similarity needs. Not a threshold: nothing is pruned by it.
constexpr double kPromisingTanimoto = 0.5;
constexpr double kPromisingCosine = 0.65;

// How many blocks are scored between two looks at the interrupt.
constexpr size_t kBlocksBetweenChecks = 1024;
// How far ahead the rows of blocks to be scored are fetched into the cache.
constexpr size_t kPrefetchBlocks = 8;
// How much of a row, and of its masks: the deepest levels, by which most blocks are given up.
constexpr size_t kPrefetchBytes = 512;

double Promising(const Query& query) {
  switch (query.scoring.measure()) {
    case Measure::kKernel:
      break;
    case Measure::kCosine:
      return kPromisingCosine;
    case Measure::kTanimoto:
      return kPromisingTanimoto;
  }
  double self = 0;
  for (Level level = 0; level <= query.scoring.depth(); ++level) {
    self += query.scoring.weight(level) * query.histogram.vertex_count();
  }
  return kPromisingCosine * self;
}

// A count of 16 bits that may be more in truth.
constexpr uint32_t kRestUnknown = UINT32_MAX / 2;
uint32_t Rest(uint32_t frequent) {
  return frequent == UINT16_MAX ? kRestUnknown : frequent - std::min(frequent, TooTight(Mutant::kRestBound));
}

template <typename T>
void Resize(std::vector<T>& values, size_t size) {
  if (values.size() < size) {
    values.resize(size);
  }
}

// T: what bounds fit in.
template <typename T>
class BlockSearch {
 public:
  BlockSearch(const SegmentView& view, BlockPart part, const Query& query, const BoundUnits& units,
              const Interrupt& interrupt, BlockScratch& scratch, BlockScratch::Counters<T>& counters,
              TopK& top, SearchStats& stats)
      : view_(view),
        blocks_(view.segment->blocks()),
        part_(part),
        query_(query),
        units_(units),
        interrupt_(interrupt),
        scratch_(scratch),
        counters_(counters),
        top_(top),
        stats_(stats),
        terms_(blocks_, query, units),
        need_(units) {
    need_.SetSimilarity(top.least_similarity());
  }

  absl::Status Run() {
    CountRare();
    KINDRED_RETURN_IF_ERROR(Bound());
    const auto wanted =
        std::max(kSeedBlocksMin, static_cast<uint32_t>(static_cast<double>(query_.k) * kSeedBlocksPerHit));
    // A threshold that came with the query may leave too few blocks for seeds to pay.
    if (!top_.full() && (!query_.min_similarity || Survivors().size() > wanted)) {
      scored_ = Seeds(wanted);
      KINDRED_RETURN_IF_ERROR(ScoreBlocks(scored_));
      std::ranges::sort(scored_);
    }
    return ScoreBlocks(Survivors());
  }

 private:
  void CountRare() {
    const size_t padded = size_t{blocks_.column_words()} * kChunkBlocks;
    Resize(counters_.rare, terms_.levels.size());
    for (size_t l = 0; l < terms_.levels.size(); ++l) {
      const QueryTerms::AtLevel& level = terms_.levels[l];
      if (level.rare.empty()) {
        continue;
      }
      std::vector<T>& counts = counters_.rare[l];
      counts.assign(padded, 0);
      for (const std::span<const BlockPosting> list : level.rare) {
        uint32_t block = 0;
        for (const BlockPosting& posting : list) {
          block += posting.gap;
          counts[block] = static_cast<T>(counts[block] + (posting.mask != 0 ? 1 : 0));
        }
        stats_.postings_read += list.size();
      }
    }
  }

  absl::Status Bound() {
    const uint32_t words = blocks_.column_words();
    Resize(counters_.bounds, size_t{words} * kChunkBlocks);
    Resize(counters_.frequent, size_t{words} * kChunkBlocks);
    Resize(counters_.chunk_bounds, words);
    const BlockBounds<T> out{counters_.bounds.data(), counters_.chunk_bounds.data(),
                             counters_.frequent.data()};
    std::vector<LevelTerms<T>> levels;
    for (size_t l = 0; l < terms_.levels.size(); ++l) {
      const QueryTerms::AtLevel& level = terms_.levels[l];
      levels.push_back({level.columns, level.rare.empty() ? nullptr : counters_.rare[l].data(),
                        static_cast<T>(std::min<uint32_t>(level.always, std::numeric_limits<T>::max())),
                        level.weight});
      levels.back().always -= std::min<T>(levels.back().always, TooTight(Mutant::kUbiquitousBound));
    }
    const T* largest = nullptr;
    if constexpr (sizeof(T) == 1) {
      largest = blocks_.largest_bytes();
    } else {
      largest = blocks_.largest();
    }
    std::vector<T> too_small;
    if (TooTight(Mutant::kLevelBound) != 0) {
      for (size_t block = 0; block < size_t{words} * kChunkBlocks; ++block) {
        too_small.push_back(static_cast<T>(largest[block] - (largest[block] > 0 ? 1 : 0)));
      }
      largest = too_small.data();
    }
    bounded_.assign(words / kColumnWordsMultiple, false);
    const uint64_t groups = words / kColumnWordsMultiple;
    const auto begin = static_cast<uint32_t>(groups * part_.number / part_.count * kColumnWordsMultiple);
    const auto end = static_cast<uint32_t>(groups * (part_.number + 1) / part_.count * kColumnWordsMultiple);
    for (uint32_t first = begin; first < end; first += kColumnWordsMultiple) {
      if (!SizeAllows(first, std::min(first + kColumnWordsMultiple, blocks_.chunk_count()))) {
        continue;
      }
      bounded_[first / kColumnWordsMultiple] = true;
      const uint32_t last = first + kColumnWordsMultiple;
      BoundBlocks(levels, largest, first, last, out);
      stats_.blocks_bounded += std::min(last * kChunkBlocks, blocks_.block_count()) - first * kChunkBlocks;
    }
    return interrupt_.Check();
  }

  // [SizeBound] Whether any graph of the chunks can be similar enough by its size alone.
  bool SizeAllows(uint32_t first, uint32_t last) {
    for (uint32_t chunk = first; chunk < last; ++chunk) {
      if (units_.Most(blocks_.chunk_largest(chunk)) >= need_(blocks_.chunk_smallest(chunk))) {
        return true;
      }
    }
    return false;
  }

  // Calls visit(chunk) for every chunk that was bounded.
  template <typename Visit>
  void ForEachChunk(Visit visit) const {
    for (uint32_t chunk = 0; chunk < blocks_.chunk_count(); ++chunk) {
      if (bounded_[chunk / kColumnWordsMultiple]) {
        visit(chunk);
      }
    }
  }

  // The blocks that promise most, the best first.
  std::vector<uint32_t> Seeds(uint32_t wanted) const {
    NeedTable need(units_);
    need.SetSimilarity(Promising(query_));
    const auto promise = [&](uint32_t bound, uint32_t smallest) {
      return static_cast<int32_t>(bound) - static_cast<int32_t>(need(smallest));
    };
    // A chunk promises as much as its best block, or a little more. With chunks enough, `wanted` of them hold
    // that many good blocks, and the others need not be looked at.
    std::vector<std::pair<int32_t, uint32_t>> chunks;
    ForEachChunk([&](uint32_t chunk) {
      chunks.emplace_back(promise(counters_.chunk_bounds[chunk], blocks_.chunk_smallest(chunk)), chunk);
    });
    int32_t cut = INT32_MIN;
    if (chunks.size() > wanted) {
      std::nth_element(chunks.begin(), chunks.begin() + wanted, chunks.end(), std::greater<>());
      chunks.resize(wanted);
      cut = std::ranges::min_element(chunks)->first;
    }
    std::vector<std::pair<int32_t, uint32_t>> seeds;
    for (const auto& [best, chunk] : chunks) {
      const uint32_t end = std::min((chunk + 1) * kChunkBlocks, blocks_.block_count());
      for (uint32_t block = chunk * kChunkBlocks; block < end; ++block) {
        const int32_t own = promise(counters_.bounds[block], blocks_.smallest(block));
        if (own >= cut) {
          seeds.emplace_back(own, block);
        }
      }
    }
    const size_t most = size_t{wanted} * (cut == INT32_MIN ? 1 : kSeedBlocksSlack);
    if (seeds.size() > most) {
      std::nth_element(seeds.begin(), seeds.begin() + static_cast<ptrdiff_t>(most), seeds.end(),
                       std::greater<>());
      seeds.resize(most);
    }
    std::ranges::sort(seeds, std::greater<>());
    std::vector<uint32_t> blocks;
    blocks.reserve(seeds.size());
    for (const auto& [own, block] : seeds) {
      blocks.push_back(block);
    }
    return blocks;
  }

  // The blocks whose bound reaches what their smallest graph needs, but for those that were seeds; the best
  // bound first, roughly.
  std::vector<uint32_t> Survivors() {
    std::vector<uint32_t> survivors;
    ForEachChunk([&](uint32_t chunk) {
      if (counters_.chunk_bounds[chunk] <
          need_(blocks_.chunk_smallest(chunk)) + TooTight(Mutant::kChunkBound)) {
        return;
      }
      const uint32_t end = std::min((chunk + 1) * kChunkBlocks, blocks_.block_count());
      for (uint32_t block = chunk * kChunkBlocks; block < end; ++block) {
        if (counters_.bounds[block] >= need_(blocks_.smallest(block)) + TooTight(Mutant::kBlockBound) &&
            !std::ranges::binary_search(scored_, block)) {
          survivors.push_back(block);
        }
      }
    });
    constexpr int kShift = sizeof(T) == 1 ? 0 : 8;
    std::array<uint32_t, 257> ends{};
    for (const uint32_t block : survivors) {
      ++ends[256 - (counters_.bounds[block] >> kShift)];
    }
    for (size_t i = 1; i < ends.size(); ++i) {
      ends[i] += ends[i - 1];
    }
    std::vector<uint32_t> sorted(survivors.size());
    for (const uint32_t block : survivors) {
      sorted[ends[255 - (counters_.bounds[block] >> kShift)]++] = block;
    }
    return sorted;
  }

  // Scores the graphs of these blocks exactly and offers them.
  absl::Status ScoreBlocks(const std::vector<uint32_t>& list) {
    const bool summed = units_.exact_unit() != 0;
    const size_t stride = (summed ? 1 : terms_.levels.size()) * kBlockGraphs;
    Resize(scratch_.wanted, blocks_.chunk_count());
    Resize(scratch_.places, blocks_.block_count());
    scratch_.counts.assign(list.size() * stride, 0);
    for (size_t i = 0; i < list.size(); ++i) {
      scratch_.wanted[list[i] / 64] |= uint64_t{1} << (list[i] % 64);
      scratch_.places[list[i]] = static_cast<uint32_t>(i);
    }
    for (size_t l = 0; l < terms_.levels.size(); ++l) {
      for (const std::span<const BlockPosting> postings : terms_.levels[l].rare) {
        AddPostings(postings, scratch_.wanted.data(), scratch_.places.data(), stride,
                    scratch_.counts.data() + (summed ? 0 : l * kBlockGraphs));
        stats_.postings_read += postings.size();
      }
    }
    for (const uint32_t block : list) {
      scratch_.wanted[block / 64] = 0;
    }
    const std::vector<RowLevel> row_levels = RowLevels(summed);
    Resize(scratch_.largest, list.size());
    if (summed) {
      LargestCounts(scratch_.counts.data(), list.size(), scratch_.largest.data());
    }
    // At least the frequent features the block shares. Never too few: bytes do not saturate, and of 16 bits
    // what saturates is more than any need.
    const auto frequent = [&](size_t i) { return uint32_t{counters_.frequent[list[i]]}; };
    // [RowBound] What the rare features gave the best graph, and all frequent ones.
    const auto promises = [&](size_t i, uint32_t need) {
      return counters_.bounds[list[i]] >= need &&
             (!summed || scratch_.largest[i] + frequent(i) >= need + TooTight(Mutant::kRowBound));
    };
    std::vector<uint32_t> hopeful;  // Places in the list.
    for (uint32_t i = 0; i < list.size(); ++i) {
      if (promises(i, need_(blocks_.smallest(list[i])))) {
        hopeful.push_back(i);
      }
    }
    for (size_t at = 0; at < hopeful.size(); ++at) {
      if (at % kBlocksBetweenChecks == 0) {
        KINDRED_RETURN_IF_ERROR(interrupt_.Check());
      }
      if (at + kPrefetchBlocks < hopeful.size()) {
        Prefetch(list[hopeful[at + kPrefetchBlocks]]);
      }
      const uint32_t i = hopeful[at];
      const uint32_t need = need_(blocks_.smallest(list[i]));
      if (!promises(i, need)) {
        continue;  // The threshold has risen since.
      }
      ++stats_.blocks_scored;
      uint16_t* counts = scratch_.counts.data() + i * stride;
      if (AddRow(blocks_.row(list[i]), terms_.row.data(), blocks_.row_masks(list[i]), row_levels,
                 Rest(frequent(i)), summed ? need : 0, counts, stats_.postings_read)) {
        summed ? OfferSummed(list[i], counts) : OfferByLevel(list[i], counts);
      }
    }
    return absl::OkStatus();
  }

  // All levels, in the order of a row; those that do not count share no bit with the query.
  std::vector<RowLevel> RowLevels(bool summed) const {
    std::vector<RowLevel> row_levels;
    for (Level level = blocks_.features().level_count(); level-- > 0;) {
      const auto found = std::ranges::find(terms_.levels, level, &QueryTerms::AtLevel::level);
      const auto place = static_cast<uint32_t>(found - terms_.levels.begin());
      row_levels.push_back({blocks_.row_words_at(level).size(),
                            summed || found == terms_.levels.end() ? 0 : place * kBlockGraphs});
    }
    return row_levels;
  }

  void Prefetch(uint32_t block) const {
    const auto* row = reinterpret_cast<const char*>(blocks_.row(block));
    const auto* masks = reinterpret_cast<const char*>(blocks_.row_masks(block));
    for (size_t at = 0; at < kPrefetchBytes; at += 64) {
      __builtin_prefetch(row + at);
      __builtin_prefetch(masks + at);
    }
  }

  // K = exact_unit() times the count.
  void OfferSummed(uint32_t block, const uint16_t* counts) {
    for (uint32_t lane = 0; lane < kBlockGraphs; ++lane) {
      const uint32_t slot = block * kBlockGraphs + lane;
      if (counts[lane] >= need_(view_.segment->graphs().vertex_count(slot))) {
        Offer(slot, units_.exact_unit() * counts[lane]);
      }
    }
  }

  // By the roundings of Scoring::Kernel: whole overlaps first, then one product a level.
  void OfferByLevel(uint32_t block, const uint16_t* counts) {
    std::array<uint32_t, kLevelsMax> overlaps{};
    for (uint32_t lane = 0; lane < kBlockGraphs; ++lane) {
      for (size_t l = 0; l < terms_.levels.size(); ++l) {
        overlaps[terms_.levels[l].level] = counts[l * kBlockGraphs + lane];
      }
      Offer(block * kBlockGraphs + lane, query_.scoring.Kernel(overlaps));
    }
  }

  void Offer(uint32_t slot, double kernel) {
    if (!view_.is_live(slot)) {
      return;
    }
    ++stats_.candidates;
    const GraphTable& graphs = view_.segment->graphs();
    const Score score{kernel, graphs.vertex_count(slot)};
    if (top_.Admits(score)) {
      top_.Offer({score, graphs.external_id(slot)});
      need_.SetSimilarity(top_.least_similarity());
    }
  }

  const SegmentView& view_;
  const BlockIndex& blocks_;
  const BlockPart part_;
  const Query& query_;
  const BoundUnits& units_;
  const Interrupt& interrupt_;
  BlockScratch& scratch_;
  BlockScratch::Counters<T>& counters_;
  TopK& top_;
  SearchStats& stats_;
  const QueryTerms terms_;
  NeedTable need_;                // For what top_ asks for now.
  std::vector<bool> bounded_;     // Eight chunks each.
  std::vector<uint32_t> scored_;  // Seeds, sorted.
};

}  // namespace

absl::Status SearchBlocks(const SegmentView& view, BlockPart part, const Query& query,
                          const BoundUnits& units, const Interrupt& interrupt, BlockScratch& scratch,
                          TopK& top, SearchStats& stats) {
  if (view.segment->blocks().block_count() == 0) {
    return absl::OkStatus();
  }
  if (units.fit_byte()) {
    return BlockSearch<uint8_t>(view, part, query, units, interrupt, scratch, scratch.bytes, top, stats)
        .Run();
  }
  return BlockSearch<uint16_t>(view, part, query, units, interrupt, scratch, scratch.words, top, stats).Run();
}

}  // namespace kindred
