// Sets made to break the search over blocks: what is stored, and what is asked, at the edge of what its
// numbers hold. Every answer, hit for hit and score for score, is the exhaustive search's.

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/generated_molecules.h"
#include "gtest/gtest.h"
#include "index/search/query_terms.h"
#include "tests/support/bounded_blocks.h"
#include "tests/support/corpus.h"
#include "tests/support/searched_histograms.h"
#include "tests/support/shared_data.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

constexpr Measure kEveryMeasure[] = {Measure::kKernel, Measure::kCosine, Measure::kTanimoto};

// Every vertex has a colour of its own: `count` of them, from `first` on, the same at each level.
Histogram DistinctColours(uint32_t first, uint32_t count, Level depth) {
  std::vector<std::vector<Histogram::Entry>> levels;
  for (Level level = 0; level <= depth; ++level) {
    std::vector<Histogram::Entry>& entries = levels.emplace_back();
    for (uint32_t i = 0; i < count; ++i) {
      entries.push_back({ColourId{level * 10'000'000u + first + i}, 1});
    }
  }
  return Must(Histogram::FromLevels(count, levels));
}

Query Asked(Histogram histogram, Measure measure, uint32_t k, const std::vector<double>& weights = {}) {
  const Level depth = histogram.depth();
  return {std::move(histogram), Must(Scoring::Create(measure, depth, {}, weights)), k, std::nullopt};
}

// Nearly all blocks have 16 colours that are taken for granted everywhere. The last one has none of them, but
// 65,520 others, and the query has all: 65,536 in the sum that bounds it.
TEST(AdversarialSearch, FeaturesTakenForGrantedDoNotOverflowTheBoundOfAFullBlock) {
  constexpr uint32_t kUbiquitous = kBlockGraphs;
  for (const Level depth : {0, 2}) {
    SearchedHistograms stored;
    for (uint32_t i = 0; i < 24 * kBlockGraphs; ++i) {
      stored.Add("small" + std::to_string(i), DistinctColours(0, kUbiquitous, depth));
    }
    for (uint32_t i = 0; i < kBlockGraphs; ++i) {
      stored.Add("large" + std::to_string(i),
                 DistinctColours(kUbiquitous + i * kBlockVerticesMax, kBlockVerticesMax, depth));
    }
    stored.Seal(Ordering::kBySize);
    const BlockIndex& blocks = stored.segments().front().segment->blocks();
    ASSERT_EQ(blocks.block_count(), 25u);
    ASSERT_EQ(blocks.frequent_count(), kUbiquitous * (depth + 1u));
    ASSERT_TRUE(blocks.ubiquitous(0));
    const Histogram query = DistinctColours(0, kUbiquitous + kBlockGraphs * kBlockVerticesMax, depth);
    for (const Measure measure : kEveryMeasure) {
      for (const uint32_t k : {1u, 10u, 1'000u}) {
        stored.ExpectModesAgree(Asked(query, measure, k));
        stored.ExpectModesAgree(Asked(query, measure, k, std::vector<double>(depth + 1u, 0.3)));
      }
    }
  }
}

// 69,615 features in one group, 4,079 if they wrapped around: fewer than any of its graphs shares.
TEST(AdversarialSearch, AGroupOfMoreFeaturesThan16BitsCountLosesNoGraph) {
  constexpr uint32_t kLarge = 17;
  for (const Level depth : {0, 2}) {
    SearchedHistograms stored;
    for (uint32_t i = 0; i < kLarge; ++i) {
      stored.Add("large" + std::to_string(i),
                 DistinctColours(i * kBlockVerticesMax, kBlockVerticesMax, depth));
    }
    stored.Seal();
    ASSERT_EQ(stored.segments().front().segment->blocks().group_count(), 1u);
    const Histogram query = DistinctColours(0, kLarge * kBlockVerticesMax, depth);
    for (const Measure measure : kEveryMeasure) {
      Query asked = Asked(query, measure, kLarge);
      const double edge = stored.ExpectModesAgree(asked).hits.back().similarity;
      asked.min_similarity = edge;
      EXPECT_EQ(stored.ExpectModesAgree(asked).hits.size(), kLarge);
      asked = Asked(query, measure, 3, std::vector<double>(depth + 1u, 0.3));
      stored.ExpectModesAgree(asked);
    }
  }
}

// A question of any kind: measure, depth, weights, k up to 10,000; then again at thresholds that are
// somebody's similarity, to the last bit, or next to it.
void ExpectAgreeAsked(const SearchedHistograms& stored, const Histogram& histogram, Rng& rng) {
  constexpr uint32_t kNumbers[] = {1, 2, 10, 100, 1'000, 10'000};
  const auto measure = kEveryMeasure[Below(rng, 3)];
  const auto depth = static_cast<Level>(Below(rng, histogram.depth() + 1u));
  const auto weights = WeightsOfKind(static_cast<int>(Below(rng, kWeightKinds)), depth, rng);
  Query query{histogram, Must(Scoring::Create(measure, histogram.depth(), depth, weights)),
              kNumbers[Below(rng, std::size(kNumbers))], std::nullopt};
  const Answer answer = stored.ExpectModesAgree(query);
  const double edge = answer.hits.at(Below(rng, answer.hits.size())).similarity;
  query.k = kNumbers[Below(rng, std::size(kNumbers))];
  for (const double least : {edge, std::nextafter(edge, 0.0), std::nextafter(edge, 1e300), 0.0, 1.0}) {
    query.min_similarity = least;
    stored.ExpectModesAgree(query);
  }
}

TEST(AdversarialSearch, ModesAgreeOnRandomQuestionsOverSegmentsWithDeletions) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed);
    ColourHierarchy hierarchy;
    SearchedHistograms stored;
    const auto source = bench::GeneratedMolecules(seed);
    const auto depth = static_cast<Level>(1 + Below(rng, 4));
    for (int segment = 0; segment < 4; ++segment) {
      for (size_t count = 20 + Below(rng, 2'000 >> segment); count > 0; --count) {
        const auto record = source->Next();
        const Graph graph = Below(rng, 10) == 0 ? RandomGraph(rng) : record->graph;
        stored.Add(std::to_string(rng()), GrowHistogram(hierarchy, graph, depth));
      }
      stored.Seal(segment % 2 == 0 ? Ordering::kBySimilarity : Ordering::kBySize);
    }
    for (size_t i = 0; i < stored.size(); ++i) {
      if (Below(rng, 4) == 0) {
        stored.Hide(i);
      }
    }
    for (int i = 0; i < 40 && !::testing::Test::HasFailure(); ++i) {
      const Graph fresh = source->Next()->graph;
      ExpectAgreeAsked(stored,
                       i % 2 == 0 ? stored.histogram(Below(rng, stored.size()))
                                  : Histogram::Of(RefineKnown(hierarchy.view(), fresh, depth)),
                       rng);
    }
    const Histogram unknown = Histogram::Of(RefineKnown(hierarchy.view(), Path("???"), depth));
    ExpectAgreeAsked(stored, unknown, rng);
    stored.Merge();
    ExpectAgreeAsked(stored, stored.histogram(0), rng);
  }
}

// Neighbouring graphs are equal by every measure; a block too many or too few would show in the ids.
TEST(AdversarialSearch, ModesAgreeOnAHundredThousandCopiesWithDeletions) {
  ColourHierarchy hierarchy;
  SearchedHistograms stored;
  const Histogram ring = GrowHistogram(hierarchy, Cycle("CCCCCN"), 3);
  const Histogram other = GrowHistogram(hierarchy, Cycle("CCCCCO"), 3);
  for (uint32_t i = 0; i < 100'000; ++i) {
    stored.Add("copy" + std::to_string(i * 7'919 % 100'000), ring);
    if (i == 70'000 || i == 99'999) {
      stored.Seal();
    }
  }
  for (size_t i = 0; i < 1'000; ++i) {
    stored.Hide(i * 61);
  }
  for (const Measure measure : kEveryMeasure) {
    for (const uint32_t k : {1u, 100u, 10'000u}) {
      stored.ExpectModesAgree(Asked(ring, measure, k));
    }
    stored.ExpectModesAgree(Asked(other, measure, 100, {0.1, 0.7, 0, 1e-9}));
  }
}

TEST(AdversarialSearch, ModesAgreeOnGraphsOfThousandsOfVertices) {
  constexpr uint64_t kSeed = 23;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  Rng rng(kSeed);
  ColourHierarchy hierarchy;
  SearchedHistograms stored;
  for (uint32_t i = 0; i < 120; ++i) {
    // A third each: too many vertices for a block, a colour too often, and in blocks.
    const uint32_t vertices = i % 3 == 0 ? 5'000 : static_cast<uint32_t>(4'095 - Below(rng, 60));
    const uint32_t labels = i % 3 == 1 ? 3 : 400;
    std::vector<std::string> names;
    std::vector<EdgeSpec> edges;
    for (uint32_t v = 0; v < vertices; ++v) {
      names.push_back("L" + std::to_string(Below(rng, labels)));
      if (v > 0 && Below(rng, 3) != 0) {
        edges.push_back({static_cast<uint32_t>(Below(rng, v)), v});
      }
    }
    stored.Add("g" + std::to_string(i), GrowHistogram(hierarchy, MakeGraph(names, edges), 3));
    if (i == 70) {
      stored.Seal();
    }
  }
  stored.Seal();
  stored.Hide(5);
  ASSERT_GT(stored.segments().front().segment->blocks().block_count(), 0u);
  ASSERT_GT(stored.segments().front().segment->outsize().graph_count(), 0u);
  for (size_t i = 0; i < 12; ++i) {
    ExpectAgreeAsked(stored, stored.histogram(i), rng);
  }
  // 600,000 vertices, colours worn more than 65,535 times.
  std::vector<Histogram> some;
  for (size_t i = 0; i < 12; ++i) {
    some.push_back(stored.histogram(i));
  }
  for (const uint32_t times : {1u, 12u}) {
    ExpectAgreeAsked(stored, SumOf(some, times), rng);
    ExpectAgreeAsked(stored, SumOf(some, times), rng);
  }
}

class AdversarialSets : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Real, AdversarialSets, ::testing::Values("NCI1", "IMDB-BINARY"),
                         [](const auto& param) { return std::string(param.param).substr(0, 4); });

TEST_P(AdversarialSets, ModesAgreeOnRealGraphs) {
  KINDRED_SKIP_WITHOUT_SHARED_DATA();
  constexpr uint64_t kSeed = 29;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  Rng rng(kSeed);
  const TuDataset data = LoadTu(GetParam(), false);
  ASSERT_GE(data.graphs.size(), 1'000u);
  ColourHierarchy hierarchy;
  SearchedHistograms stored;
  for (size_t i = 0; i < data.graphs.size(); ++i) {
    if (i % 50 == 49) {  // Not stored; refined when all others are.
      continue;
    }
    stored.Add(std::to_string(i), GrowHistogram(hierarchy, data.graphs[i], 3));
    if (i == data.graphs.size() / 2) {
      stored.Seal();
    }
  }
  stored.Seal(Ordering::kBySize);
  for (size_t i = 0; i < stored.size(); i += 7) {
    stored.Hide(i);
  }
  for (size_t i = 49; i < data.graphs.size(); i += 100) {
    ExpectAgreeAsked(stored, Histogram::Of(RefineKnown(hierarchy.view(), data.graphs[i], 3)), rng);
    ExpectAgreeAsked(stored, stored.histogram(i / 2), rng);
  }
}

}  // namespace
}  // namespace kindred::test
