#include "index/search/block_search.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "index/base/mutant.h"
#include "index/base/status.h"
#include "index/search/block_scores.h"
#include "index/search/query_terms.h"

namespace kindred {
namespace {

// Seeds: so many blocks, and so many times k. More make the threshold better and take longer.
constexpr uint32_t kSeedBlocksMin = 24;
constexpr double kSeedBlocksPerHit = 2.5;
// A cut that many blocks share does not make more seeds than so many times what was wanted.
constexpr uint32_t kSeedBlocksSlack = 4;
// The cut for many seeds is found among so many blocks.
constexpr uint32_t kSeedSample = 4096;
// What a close neighbour may look like, to tell which blocks promise most: seeds are chosen by how far their
// bound lies above what this similarity needs. Not a threshold: nothing is pruned by it.
constexpr double kPromisingTanimoto = 0.5;
constexpr double kPromisingCosine = 0.65;

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

// T: what bounds fit in.
template <typename T>
class BlockSearch {
 public:
  BlockSearch(const SegmentView& view, const Query& query, const BoundUnits& units,
              const Interrupt& interrupt, BlockScratch& scratch, TopK& top, SearchStats& stats)
      : blocks_(view.segment->blocks()),
        query_(query),
        units_(units),
        interrupt_(interrupt),
        top_(top),
        stats_(stats),
        terms_(blocks_, query, units),
        need_(units),
        promising_(units),
        bounded_(blocks_, terms_, scratch),
        scores_(view, query, units, terms_, bounded_, interrupt, scratch, need_, top, stats) {
    need_.SetSimilarity(top.least_similarity());
    promising_.SetSimilarity(Promising(query));
  }

  absl::Status Run(BlockPart part) {
    KINDRED_RETURN_IF_ERROR(bounded_.Bound(part, units_, need_, interrupt_, stats_));
    const auto wanted =
        std::max(kSeedBlocksMin, static_cast<uint32_t>(static_cast<double>(query_.k) * kSeedBlocksPerHit));
    std::vector<uint32_t> seeds;
    // A threshold that came with the query may leave too few blocks for seeds to pay.
    if (!top_.full() && (!query_.min_similarity || Survivors(seeds).size() > wanted)) {
      seeds = Seeds(wanted);
      KINDRED_RETURN_IF_ERROR(scores_.Offer(seeds));
      std::ranges::sort(seeds);
    }
    return scores_.Offer(bounded_.ByBound(Survivors(seeds)));
  }

 private:
  int32_t Promise(uint32_t bound, uint32_t vertex_count) {
    return static_cast<int32_t>(bound) - static_cast<int32_t>(promising_(vertex_count));
  }

  // The blocks that promise most, the best first; roughly as many as wanted.
  std::vector<uint32_t> Seeds(uint32_t wanted) {
    const int32_t cut = SeedCut(wanted);
    std::vector<std::pair<int32_t, uint32_t>> seeds;
    for (const uint32_t block : bounded_.Select([&](uint32_t chunk) {
           const int64_t least = int64_t{promising_(blocks_.chunk_smallest(chunk))} + cut;
           return static_cast<uint32_t>(std::max<int64_t>(least, 0));
         })) {
      seeds.emplace_back(Promise(bounded_.bound(block), blocks_.smallest(block)), block);
    }
    const size_t most = size_t{wanted} * kSeedBlocksSlack;
    if (seeds.size() > most) {
      std::nth_element(seeds.begin(), seeds.begin() + static_cast<ptrdiff_t>(most), seeds.end(),
                       std::greater<>());
      seeds.resize(most);
    }
    std::ranges::sort(seeds, std::greater<>());
    std::vector<uint32_t> blocks;
    blocks.reserve(seeds.size());
    for (const auto& [promise, block] : seeds) {
      blocks.push_back(block);
    }
    return blocks;
  }

  // What a block has to promise to be a seed.
  int32_t SeedCut(uint32_t wanted) {
    std::vector<int32_t> promises;
    size_t above = wanted;
    if (bounded_.chunk_count() / 2 >= wanted) {
      // A chunk promises as much as its best block, or a little more.
      bounded_.ForEachChunk([&](uint32_t chunk) {
        promises.push_back(Promise(bounded_.chunk_bound(chunk), blocks_.chunk_smallest(chunk)));
      });
    } else {
      const uint32_t stride = std::max(1u, bounded_.chunk_count() * kChunkBlocks / kSeedSample);
      above = wanted / stride;
      bounded_.ForEachChunk([&](uint32_t chunk) {
        const uint32_t end = std::min((chunk + 1) * kChunkBlocks, blocks_.block_count());
        for (uint32_t block = chunk * kChunkBlocks + chunk % stride; block < end; block += stride) {
          promises.push_back(Promise(bounded_.bound(block), blocks_.chunk_smallest(chunk)));
        }
      });
    }
    if (above >= promises.size()) {
      return INT32_MIN;
    }
    std::nth_element(promises.begin(), promises.begin() + static_cast<ptrdiff_t>(above), promises.end(),
                     std::greater<>());
    return promises[above];
  }

  // The blocks whose bound reaches what their smallest graph needs, but for `scored` (ascending); ascending.
  std::vector<uint32_t> Survivors(const std::vector<uint32_t>& scored) {
    std::vector<uint32_t> survivors = bounded_.Select(
        [&](uint32_t chunk) { return need_(blocks_.chunk_smallest(chunk)) + TooTight(Mutant::kChunkBound); });
    std::erase_if(survivors, [&](uint32_t block) {
      return bounded_.bound(block) < need_(blocks_.smallest(block)) + TooTight(Mutant::kBlockBound);
    });
    if (scored.empty()) {
      return survivors;
    }
    std::vector<uint32_t> rest;
    rest.reserve(survivors.size());
    std::ranges::set_difference(survivors, scored, std::back_inserter(rest));
    return rest;
  }

  const BlockIndex& blocks_;
  const Query& query_;
  const BoundUnits& units_;
  const Interrupt& interrupt_;
  TopK& top_;
  SearchStats& stats_;
  const QueryTerms terms_;
  NeedTable need_;       // For what top_ asks for now.
  NeedTable promising_;  // For what a close neighbour may look like.
  BoundedBlocks<T> bounded_;
  BlockScores<T> scores_;
};

}  // namespace

absl::Status SearchBlocks(const SegmentView& view, BlockPart part, const Query& query,
                          const BoundUnits& units, const Interrupt& interrupt, BlockScratch& scratch,
                          TopK& top, SearchStats& stats) {
  if (view.segment->blocks().block_count() == 0) {
    return absl::OkStatus();
  }
  if (units.fit_byte()) {
    return BlockSearch<uint8_t>(view, query, units, interrupt, scratch, top, stats).Run(part);
  }
  return BlockSearch<uint16_t>(view, query, units, interrupt, scratch, top, stats).Run(part);
}

}  // namespace kindred
