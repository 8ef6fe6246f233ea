#include "index/search/block_search.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "index/base/mutant.h"
#include "index/base/status.h"
#include "index/search/block_scores.h"
#include "index/search/bounded_blocks.h"
#include "index/search/promise_order.h"
#include "index/search/query_terms.h"

namespace kindred {
namespace {

// Seeds: so many blocks, and so many times k; from half as many groups. More make the threshold better and
// take longer.
constexpr uint32_t kSeedBlocksMin = 24;
constexpr uint32_t kSeedBlocksPerHit = 5;
// A cut that many groups share does not make more of them than so many times what was wanted.
constexpr uint32_t kSeedGroupsSlack = 4;
// How many more when so many were not enough.
constexpr uint32_t kMoreSeeds = 4;
// So few graphs, or so few a group, are scored without a look at groups, which would hardly rule one out: the
// nearest of few lie far away.
constexpr uint32_t kDirectGraphsMax = 256;
constexpr uint32_t kDirectPerGroupMax = 4;
// Survivors are scored so many at first, then as many as before: these raise what the others need.
constexpr size_t kWaveBlocksMin = 256;
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

class BlockSearch {
 public:
  BlockSearch(const SegmentView& view, const Query& query, const BoundUnits& units,
              const Interrupt& interrupt, BlockScratch& scratch, TopK& top, SearchStats& stats)
      : query_(query),
        units_(units),
        interrupt_(interrupt),
        top_(top),
        stats_(stats),
        terms_(view.segment->blocks(), query, units),
        need_(units),
        promising_(units),
        live_(view),
        groups_(view.segment->blocks(), live_, terms_, scratch),
        blocks_(view.segment->blocks(), live_, terms_, scratch),
        scores_(view, query, units, terms_, blocks_, interrupt, scratch, need_, top, stats) {
    need_.SetSimilarity(top.least_similarity());
    promising_.SetSimilarity(Promising(query));
  }

  absl::Status Run(BlockPart part) {
    if (!live_.all() &&
        live_.graph_count() <= std::max(kDirectGraphsMax, blocks_.group_count() * kDirectPerGroupMax)) {
      return ScoreShown(part);
    }
    KINDRED_RETURN_IF_ERROR(groups_.Bound(part, units_, need_, interrupt_, stats_));
    uint32_t wanted = std::max(kSeedBlocksMin, query_.k * kSeedBlocksPerHit / part.count);
    // A threshold that came with the query may leave too few groups for seeds to pay.
    if (!top_.full() && (!query_.min_similarity || SurvivingGroups().size() > wanted)) {
      KINDRED_RETURN_IF_ERROR(ScoreSeeds(wanted));
    }
    // Seeds need not be hits: the query may exclude them, or come after them. Without a threshold all would
    // be scored.
    while (!top_.full() && !query_.min_similarity && seeds_.size() >= wanted) {
      wanted *= kMoreSeeds;
      KINDRED_RETURN_IF_ERROR(ScoreSeeds(wanted));
    }
    KINDRED_RETURN_IF_ERROR(blocks_.Bound(SurvivingGroups(), interrupt_, stats_));
    return ScoreSurvivors();
  }

 private:
  // Of a segment of which little is shown.
  absl::Status ScoreShown(BlockPart part) {
    const uint64_t count = blocks_.group_count();
    std::vector<uint32_t> groups;
    const auto end = static_cast<uint32_t>(count * (part.number + 1) / part.count);
    for (auto group = static_cast<uint32_t>(count * part.number / part.count); group < end; ++group) {
      if (live_.InGroup(group)) {
        groups.push_back(group);
      }
    }
    KINDRED_RETURN_IF_ERROR(blocks_.Bound(std::move(groups), interrupt_, stats_));
    return ScoreSurvivors();
  }

  absl::Status ScoreSurvivors() {
    const BoundedSixteens& bounds = blocks_.bounds();
    const std::vector<uint32_t> list = ByPromise(SurvivingBlocks());
    for (size_t begin = 0; begin < list.size();) {
      // Where rare lists have to be read again for each wave, there is one.
      const size_t size =
          blocks_.kept() ? std::min(std::max(kWaveBlocksMin, begin), list.size() - begin) : list.size();
      std::vector<uint32_t> wave(list.begin() + static_cast<ptrdiff_t>(begin),
                                 list.begin() + static_cast<ptrdiff_t>(begin + size));
      std::erase_if(wave,
                    [&](uint32_t place) { return bounds.bound(place) < BlockNeed(bounds.smallest(place)); });
      KINDRED_RETURN_IF_ERROR(scores_.Offer(wave));
      begin += size;
    }
    return absl::OkStatus();
  }

  int32_t Promise(uint32_t bound, uint32_t vertex_count) {
    return static_cast<int32_t>(bound) - static_cast<int32_t>(promising_(vertex_count));
  }

  // The blocks that promise most, of the groups that do; the best first.
  absl::Status ScoreSeeds(uint32_t wanted) {
    KINDRED_RETURN_IF_ERROR(blocks_.Bound(SeedGroups(wanted / 2), interrupt_, stats_));
    std::vector<std::pair<int32_t, uint32_t>> seeds;
    const BoundedSixteens& bounds = blocks_.bounds();
    for (size_t i = 0; i < bounds.words().size(); ++i) {
      bounds.ForEachIn(i, [&](uint32_t place) {
        const uint32_t block = bounds.number(place);
        if (live_.InBlock(block) && !std::ranges::binary_search(seeds_, block)) {
          seeds.emplace_back(Promise(bounds.bound(place), bounds.smallest(place)), place);
        }
      });
    }
    if (wanted < seeds.size()) {
      std::nth_element(seeds.begin(), seeds.begin() + wanted, seeds.end(), std::greater<>());
      seeds.resize(wanted);
    }
    std::ranges::sort(seeds, std::greater<>());
    std::vector<uint32_t> places;
    for (const auto& [promise, place] : seeds) {
      places.push_back(place);
      seeds_.push_back(bounds.number(place));
    }
    std::ranges::sort(seeds_);
    return scores_.Offer(places);
  }

  // The groups that promise most: about as many as wanted.
  std::vector<uint32_t> SeedGroups(uint32_t wanted) {
    const BoundedSixteens& bounds = groups_.bounds();
    std::vector<int32_t> promises;
    // A shelf promises as much as its best group, if that shows something.
    const bool by_shelf = live_.all() && bounds.words().size() / 2 >= wanted;
    for (size_t i = 0; i < bounds.words().size(); ++i) {
      if (by_shelf) {
        promises.push_back(Promise(bounds.most(i), bounds.smallest_of_word(i)));
      } else {
        bounds.ForEachIn(i, [&](uint32_t place) {
          if (live_.InGroup(bounds.number(place))) {
            promises.push_back(Promise(bounds.bound(place), bounds.smallest(place)));
          }
        });
      }
    }
    int64_t cut = INT32_MIN;
    if (wanted < promises.size()) {
      std::nth_element(promises.begin(), promises.begin() + wanted, promises.end(), std::greater<>());
      cut = promises[wanted];
    }
    const auto least = [&](uint32_t smallest) { return int64_t{promising_(smallest)} + cut; };
    std::vector<uint32_t> groups =
        NumbersOf(bounds.Select(least, least, [&](uint32_t shelf) { return live_.GroupsIn(shelf); }));
    groups.resize(std::min<size_t>(groups.size(), size_t{wanted} * kSeedGroupsSlack));
    return groups;
  }

  std::vector<uint32_t> NumbersOf(std::vector<uint32_t> places) const {
    for (uint32_t& place : places) {
      place = groups_.bounds().number(place);
    }
    return places;
  }

  // [GroupBound] Those whose bound reaches what their smallest graph needs.
  std::vector<uint32_t> SurvivingGroups() {
    return NumbersOf(groups_.bounds().Select(
        [&](uint32_t smallest) { return need_(smallest) + TooTight(Mutant::kGroupBound); },
        [&](uint32_t smallest) { return need_(smallest) + TooTight(Mutant::kShelfBound); },
        [&](uint32_t shelf) { return live_.GroupsIn(shelf); }));
  }

  uint32_t BlockNeed(uint32_t smallest) { return need_(smallest) + TooTight(Mutant::kBlockBound); }

  // [BlockBound] Of the bounded blocks, but for the seeds.
  std::vector<uint32_t> SurvivingBlocks() {
    const BoundedSixteens& bounds = blocks_.bounds();
    std::vector<uint32_t> places = bounds.Select([&](uint32_t smallest) { return BlockNeed(smallest); },
                                                 [&](uint32_t smallest) { return need_(smallest); },
                                                 [&](uint32_t group) { return live_.BlocksIn(group); });
    auto seed = seeds_.begin();
    std::erase_if(places, [&](uint32_t place) {
      while (seed != seeds_.end() && *seed < bounds.number(place)) {
        ++seed;
      }
      return seed != seeds_.end() && *seed == bounds.number(place);
    });
    return places;
  }

  std::vector<uint32_t> ByPromise(const std::vector<uint32_t>& places) {
    const BoundedSixteens& bounds = blocks_.bounds();
    std::vector<int32_t> promises;
    promises.reserve(places.size());
    for (const uint32_t place : places) {
      promises.push_back(Promise(bounds.bound(place), bounds.smallest(place)));
    }
    return MostPromisingFirst(places, promises);
  }

  const Query& query_;
  const BoundUnits& units_;
  const Interrupt& interrupt_;
  TopK& top_;
  SearchStats& stats_;
  const QueryTerms terms_;
  NeedTable need_;       // For what top_ asks for now.
  NeedTable promising_;  // For what a close neighbour may look like.
  const LiveBlocks live_;
  BoundedGroups groups_;
  BoundedBlocks blocks_;
  BlockScores scores_;
  std::vector<uint32_t> seeds_;  // Blocks, ascending.
};

}  // namespace

absl::Status SearchBlocks(const SegmentView& view, BlockPart part, const Query& query,
                          const BoundUnits& units, const Interrupt& interrupt, BlockScratch& scratch,
                          TopK& top, SearchStats& stats) {
  if (view.segment->blocks().block_count() == 0) {
    return absl::OkStatus();
  }
  return BlockSearch(view, query, units, interrupt, scratch, top, stats).Run(part);
}

}  // namespace kindred
