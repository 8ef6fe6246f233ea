// SearchBlocks at every number of blocks around a group and a shelf, in more parts than there are shelves,
// and with a scratch that other searches used, or left in the middle.

#include "index/search/block_search.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/bounded_blocks.h"
#include "tests/support/searched_histograms.h"
#include "tests/support/status_matchers.h"
#include "tests/support/stored_graphs.h"

namespace kindred {
namespace {

using test::IsOk;
using test::Must;

constexpr Level kTestDepth = 3;

Query Asked(const Histogram& histogram, Measure measure, uint32_t k,
            const std::vector<double>& weights = {}) {
  return {histogram, Must(Scoring::Create(measure, histogram.depth(), {}, weights)), k, std::nullopt};
}

test::SearchedHistograms Molecules(uint32_t count, uint64_t seed, Ordering ordering) {
  test::StoredGraphs random(seed, kTestDepth);
  random.AddMoleculeLike(count);
  test::SearchedHistograms stored;
  for (const test::StoredGraph& graph : random.graphs()) {
    stored.Add(graph.external_id, graph.histogram);
  }
  stored.Seal(ordering);
  return stored;
}

// The parts one after the other, all with this scratch.
Answer SearchInParts(const SegmentView& view, const Query& query, uint32_t parts, BlockScratch& scratch) {
  const BoundUnits units(query);
  TopK best(query);
  Answer answer;
  for (uint32_t part = 0; part < parts; ++part) {
    TopK top(query);
    EXPECT_THAT(SearchBlocks(view, {part, parts}, query, units, Interrupt(), scratch, top, answer.stats),
                IsOk());
    best.Absorb(top);
  }
  answer.hits = best.TakeHits();
  return answer;
}

bool IsClean(const BlockScratch& scratch) {
  return std::ranges::all_of(scratch.group_places, [](uint32_t place) { return place == kNowhere; });
}

class GraphNumbers : public ::testing::TestWithParam<uint32_t> {};

TEST_P(GraphNumbers, EqualTheOracleInAnyNumberOfParts) {
  const uint32_t count = GetParam();
  for (const Ordering ordering : {Ordering::kBySize, Ordering::kBySimilarity}) {
    const test::SearchedHistograms stored = Molecules(count, count, ordering);
    const SegmentView& view = stored.segments().front();
    ASSERT_EQ(view.segment->blocks().block_count(), (count + kBlockGraphs - 1) / kBlockGraphs);
    BlockScratch scratch;
    for (uint32_t i = 0; i < 3; ++i) {
      const Histogram& histogram = stored.histogram(i * (count / 3));
      for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
        stored.ExpectModesAgree(Asked(histogram, measure, 10));
        stored.ExpectModesAgree(Asked(histogram, measure, 10, {0.1, 0.7, 0, 1.3}));
        const Query all = Asked(histogram, measure, count + 1);
        const std::vector<Hit> expected = stored.Exhaustive(all);
        ASSERT_EQ(expected.size(), count);
        for (const uint32_t parts : {1u, 2u, 3u, 16u, 40u}) {
          const Answer answer = SearchInParts(view, all, parts, scratch);
          EXPECT_EQ(answer.hits, expected) << parts << " parts";
          EXPECT_EQ(answer.stats.candidates, count) << "each is offered once; " << parts << " parts";
          EXPECT_TRUE(IsClean(scratch));
        }
      }
    }
  }
}

// 1, 16, 17, 255, 256 and 257 blocks, full ones and one graph in the last; 4,097 graphs are a shelf and one.
INSTANTIATE_TEST_SUITE_P(AroundGroupsAndShelves, GraphNumbers,
                         ::testing::Values(1, 16, 17, 241, 256, 257, 272, 4'080, 4'081, 4'096, 4'097, 4'112));

// Bounds by level 0 alone rule out little: more blocks survive the seeds than one wave has.
TEST(BlockSearch, EqualsTheOracleWhenSurvivorsAreScoredInWaves) {
  const test::SearchedHistograms stored = Molecules(12'000, 8, Ordering::kBySimilarity);
  uint64_t scored = 0;
  for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
    for (uint32_t i = 0; i < 4; ++i) {
      const Query query = Asked(stored.histogram(i * 2'900), measure, 30, {1, 0, 0, 0});
      scored = std::max(scored, stored.ExpectModesAgree(query).stats.blocks_scored);
      stored.ExpectModesAgree(Asked(stored.histogram(i * 2'900), measure, 30, {1, 0.3, 0, 0}));
    }
  }
  EXPECT_GT(scored, 150u + 256u) << "seeds and a wave";
}

// So few a group that groups are not looked at, and yet more blocks than one wave has.
TEST(BlockSearch, EqualsTheOracleWhenLittleOfALargeSegmentIsShown) {
  constexpr uint32_t kGraphs = 24'000;
  test::SearchedHistograms stored = Molecules(kGraphs, 9, Ordering::kBySimilarity);
  uint32_t shown = 0;
  for (uint32_t i = 0; i < kGraphs; ++i) {
    if (i * uint64_t{2'654'435'761} % 66 == 0) {
      ++shown;
    } else {
      stored.Hide(i);
    }
  }
  ASSERT_GT(shown, 256u);
  ASSERT_LE(shown, stored.segments().front().segment->blocks().group_count() * 4);
  for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
    for (const uint32_t k : {1u, 10u, shown}) {
      for (uint32_t i = 0; i < 4; ++i) {
        const Histogram& histogram = stored.histogram(i * 5'900);
        const Answer answer = stored.ExpectModesAgree(Asked(histogram, measure, k));
        EXPECT_EQ(answer.hits.size(), k);
        EXPECT_LE(answer.stats.candidates, shown);
        stored.ExpectModesAgree(Asked(histogram, measure, k, {0.1, 0.7, 0, 1.3}));
      }
    }
  }
}

TEST(BlockSearch, MayUseTheScratchOfSegmentsOfOtherSizes) {
  std::vector<test::SearchedHistograms> sets;
  for (const uint32_t count : {700u, 16u, 4'200u, 1u, 300u}) {
    sets.push_back(Molecules(count, count, Ordering::kBySimilarity));
  }
  BlockScratch scratch;
  for (uint64_t turn = 0; turn < 40; ++turn) {
    SCOPED_TRACE("turn " + std::to_string(turn));
    const test::SearchedHistograms& stored = sets[turn * 7 % sets.size()];
    const test::SearchedHistograms& other = sets[turn % sets.size()];
    const Query query = Asked(other.histogram(0), Measure::kTanimoto, 1 + turn % 3 * 20,
                              turn % 2 == 0 ? std::vector<double>() : std::vector<double>{1, 2, 4, 8});
    const Answer answer =
        SearchInParts(stored.segments().front(), query, 1 + static_cast<uint32_t>(turn % 3), scratch);
    EXPECT_EQ(answer.hits, stored.Exhaustive(query));
    EXPECT_TRUE(IsClean(scratch));
  }
}

// Graphs that share some of 6,400 colours, so that hardly one is frequent; level 1 splits each in two.
test::SearchedHistograms ManyRareColours(uint32_t graphs) {
  constexpr uint32_t kColours = 6'400;
  test::Rng rng(graphs);
  test::SearchedHistograms stored;
  for (uint32_t graph = 0; graph < graphs; ++graph) {
    std::vector<uint32_t> worn = test::RandomPermutation(rng, kColours);
    worn.resize(10 + test::Below(rng, 20));
    std::ranges::sort(worn);
    std::vector<std::vector<Histogram::Entry>> levels(2);
    for (const uint32_t colour : worn) {
      levels[0].push_back({ColourId{colour}, 1});
      levels[1].push_back({ColourId{kColours + 2 * colour + graph % 2}, 1});
    }
    stored.Add(std::to_string(graph),
               Must(Histogram::FromLevels(static_cast<uint32_t>(worn.size()), levels)));
  }
  stored.Seal();
  return stored;
}

// The query for all colours there are: more hits than are kept, so that lists are read again.
Histogram AllOf(const test::SearchedHistograms& stored) {
  std::vector<Histogram> histograms;
  for (size_t i = 0; i < stored.size(); ++i) {
    histograms.push_back(stored.histogram(i));
  }
  return test::SumOf(histograms, 1);
}

TEST(BlockSearch, EqualsTheOracleWhenThereAreMoreHitsThanAreKept) {
  const test::SearchedHistograms stored = ManyRareColours(4'500);
  ASSERT_GT(stored.segments().front().segment->blocks().posting_count(), 2u << 16);
  const Histogram all = AllOf(stored);
  test::Rng rng(3);
  for (int kind = 0; kind < test::kWeightKinds; ++kind) {
    SCOPED_TRACE("weights " + std::to_string(kind));
    const auto weights = test::WeightsOfKind(kind, 1, rng);
    const auto measure = static_cast<Measure>(kind % 3);
    stored.ExpectModesAgree(Asked(all, measure, 10, weights));
    stored.ExpectModesAgree(Asked(all, measure, 5'000, weights));
    stored.ExpectModesAgree(Asked(stored.histogram(7), measure, 100, weights));
  }
}

// At whichever look at the interrupt: bounds of groups, of seeds, their scores, and the same of survivors.
TEST(BlockSearch, StoppedAnywhereItLeavesTheScratchForTheNextSearch) {
  const test::SearchedHistograms stored = ManyRareColours(4'500);
  const test::SearchedHistograms other = Molecules(300, 5, Ordering::kBySimilarity);
  const Query query = Asked(AllOf(stored), Measure::kTanimoto, 5'000);
  const Query next = Asked(other.histogram(9), Measure::kTanimoto, 10);
  const std::vector<Hit> expected = stored.Exhaustive(query);
  const std::vector<Hit> expected_next = other.Exhaustive(next);
  const BoundUnits units(query);
  BlockScratch scratch;
  int stopped = 0;
  for (int last = 1;; ++last) {
    SCOPED_TRACE("look " + std::to_string(last));
    int asked = 0;
    const Interrupt interrupt([&] { return ++asked == last; }, Interrupt::Clock::time_point::max());
    TopK top(query);
    SearchStats stats;
    const absl::Status status =
        SearchBlocks(stored.segments().front(), {}, query, units, interrupt, scratch, top, stats);
    ASSERT_TRUE(IsClean(scratch));
    if (status.ok()) {
      EXPECT_EQ(top.TakeHits(), expected);
      break;
    }
    ++stopped;
    EXPECT_EQ(asked, last) << "it went on asking after it was told to stop";
    ASSERT_EQ(SearchInParts(other.segments().front(), next, 1, scratch).hits, expected_next);
  }
  EXPECT_GT(stopped, 50);
}

}  // namespace
}  // namespace kindred
