// Histogram: counts by level, unknown colours left out, damaged levels refused; and overlaps.

#include "index/histogram/histogram.h"

#include <map>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"
#include "tests/support/reference_model.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::IsOk;
using test::kDataLoss;
using test::StatusIs;
using Entry = Histogram::Entry;
using Levels = std::vector<std::vector<Entry>>;

VertexColours Colours(const std::vector<std::vector<uint32_t>>& levels) {
  VertexColours colours(static_cast<uint32_t>(levels.front().size()), static_cast<Level>(levels.size() - 1));
  for (Level level = 0; level < levels.size(); ++level) {
    for (size_t v = 0; v < levels[level].size(); ++v) {
      colours.at_level(level)[v] = ColourId{levels[level][v]};
    }
  }
  return colours;
}

std::vector<Entry> At(const Histogram& histogram, Level level) {
  const auto entries = histogram.at_level(level);
  return {entries.begin(), entries.end()};
}

constexpr uint32_t kNoColourCounted = Raw(kUnknownColour);

TEST(Histogram, CountsColoursSortedLevelByLevel) {
  const Histogram histogram = Histogram::Of(Colours({{5, 0, 5, 5}, {7, 6, 9, 7}}));
  EXPECT_EQ(histogram.vertex_count(), 4u);
  EXPECT_EQ(histogram.depth(), 1);
  EXPECT_EQ(At(histogram, 0), (std::vector<Entry>{{ColourId{0}, 1}, {ColourId{5}, 3}}));
  EXPECT_EQ(At(histogram, 1), (std::vector<Entry>{{ColourId{6}, 1}, {ColourId{7}, 2}, {ColourId{9}, 1}}));
  EXPECT_EQ(histogram.entries().size(), 5u);
}

TEST(Histogram, LeavesUnknownColoursOutButCountsTheirVertices) {
  const Histogram histogram = Histogram::Of(Colours({{3, kNoColourCounted, 3},
                                                     {kNoColourCounted, kNoColourCounted, kNoColourCounted},
                                                     {4, kNoColourCounted, kNoColourCounted}}));
  EXPECT_EQ(histogram.vertex_count(), 3u);
  EXPECT_EQ(At(histogram, 0), (std::vector<Entry>{{ColourId{3}, 2}}));
  EXPECT_TRUE(histogram.at_level(1).empty());
  EXPECT_EQ(At(histogram, 2), (std::vector<Entry>{{ColourId{4}, 1}}));
}

// Few colours are counted in another way than many; and colours use all 32 bits.
TEST(Histogram, CountsGraphsOfEverySize) {
  constexpr uint64_t kSeed = 43;
  test::Rng rng(kSeed);
  for (uint32_t size = 1; size <= 140; ++size) {
    for (const uint64_t kinds : {1, 3, 20, 1'000}) {
      std::vector<uint32_t> worn;
      std::map<uint32_t, uint32_t> counts;
      for (uint32_t v = 0; v < size; ++v) {
        const uint64_t kind = test::Below(rng, kinds);
        worn.push_back(kind == 2 ? kNoColourCounted : static_cast<uint32_t>(kind * 0x1234567));
        if (kind != 2) {
          ++counts[worn.back()];
        }
      }
      std::vector<Entry> expected;
      for (const auto& [colour, count] : counts) {
        expected.push_back({ColourId{colour}, count});
      }
      const Histogram histogram = Histogram::Of(Colours({worn}));
      ASSERT_EQ(At(histogram, 0), expected) << "seed " << kSeed << " size " << size << " kinds " << kinds;
    }
  }
}

TEST(Histogram, UnknownColoursMatchNothingNotEvenThemselves) {
  const Histogram histogram = Histogram::Of(Colours({{kNoColourCounted, kNoColourCounted, 1}}));
  EXPECT_EQ(LevelOverlaps(histogram, histogram), (std::vector<uint32_t>{1}));
}

TEST(Histogram, ComesBackFromItsLevels) {
  const Histogram histogram = Histogram::Of(Colours({{5, 0, 5, 5}, {7, 6, 9, 7}}));
  const auto restored = Histogram::FromLevels(4, {At(histogram, 0), At(histogram, 1)});
  ASSERT_THAT(restored, IsOk());
  EXPECT_EQ(*restored, histogram);
}

TEST(HistogramRefusals, ColoursOutOfOrderOrTwice) {
  const Levels descending{{{ColourId{2}, 1}, {ColourId{1}, 1}}};
  const Levels twice{{{ColourId{2}, 1}, {ColourId{2}, 1}}};
  EXPECT_THAT(Histogram::FromLevels(2, descending), StatusIs(kDataLoss, "histogram level 0 is not sorted"));
  EXPECT_THAT(Histogram::FromLevels(2, twice), StatusIs(kDataLoss, "histogram level 0 is not sorted"));
}

TEST(HistogramRefusals, AZeroCount) {
  const Levels levels{{{ColourId{1}, 2}}, {{ColourId{3}, 2}, {ColourId{4}, 0}}};
  EXPECT_THAT(Histogram::FromLevels(2, levels), StatusIs(kDataLoss, "level 1"));
}

TEST(HistogramRefusals, ALevelThatDoesNotAddUp) {
  const Levels levels{{{ColourId{1}, 3}}, {{ColourId{3}, 1}, {ColourId{4}, 2}}};
  EXPECT_THAT(Histogram::FromLevels(3, levels), IsOk());
  EXPECT_THAT(Histogram::FromLevels(2, levels), StatusIs(kDataLoss, "level 0 counts 3 vertices, not 2"));
  EXPECT_THAT(Histogram::FromLevels(4, levels), StatusIs(kDataLoss, "level 0 counts 3 vertices, not 4"));
  const Levels empty_level{{{ColourId{1}, 3}}, {}};
  EXPECT_THAT(Histogram::FromLevels(3, empty_level), StatusIs(kDataLoss, "level 1 counts 0 vertices, not 3"));
}

TEST(HistogramRefusals, CountsThatOnlyAddUpModulo32Bits) {
  const Levels levels{{{ColourId{1}, UINT32_MAX}, {ColourId{2}, 4}}};  // 3, were it not for the carry.
  EXPECT_THAT(Histogram::FromLevels(3, levels), StatusIs(kDataLoss, "level 0"));
}

// No graph is empty. A vertex count of 0 would make cosine 0/0 and break the order of the answers.
TEST(HistogramRefusals, AGraphWithoutVertices) {
  EXPECT_THAT(Histogram::FromLevels(0, {{}, {}}), StatusIs(kDataLoss, ""));
}

TEST(LevelOverlaps, AddUpTheSmallerCounts) {
  const auto a = Histogram::FromLevels(10, {{{ColourId{1}, 3}, {ColourId{4}, 2}, {ColourId{9}, 5}}});
  const auto b = Histogram::FromLevels(9, {{{ColourId{1}, 1}, {ColourId{3}, 4}, {ColourId{4}, 4}}});
  EXPECT_EQ(LevelOverlaps(*a, *b), (std::vector<uint32_t>{3}));
  EXPECT_EQ(LevelOverlaps(*b, *a), (std::vector<uint32_t>{3}));
  EXPECT_EQ(LevelOverlaps(*a, *a), (std::vector<uint32_t>{10}));
}

TEST(LevelOverlaps, AreZeroWithoutACommonColour) {
  ColourHierarchy hierarchy;
  const Histogram a = test::GrowHistogram(hierarchy, test::Path("CCC"), 2);
  const Histogram b = test::GrowHistogram(hierarchy, test::Path("NNN"), 2);
  EXPECT_EQ(LevelOverlaps(a, b), (std::vector<uint32_t>{0, 0, 0}));
}

TEST(LevelOverlaps, EqualTheDefinitionOnRandomGraphs) {
  constexpr uint64_t kSeed = 23;
  constexpr Level kDepth = 3;
  test::Rng rng(kSeed);
  ColourHierarchy hierarchy;
  for (int round = 0; round < 200; ++round) {
    const Graph a = test::RandomGraph(rng);
    const Graph b = test::RandomGraph(rng);
    const auto expected =
        test::NaiveOverlaps(test::NaiveHistogramOf(a, kDepth), test::NaiveHistogramOf(b, kDepth));
    const auto overlaps =
        LevelOverlaps(test::GrowHistogram(hierarchy, a, kDepth), test::GrowHistogram(hierarchy, b, kDepth));
    ASSERT_EQ(std::vector<uint64_t>(overlaps.begin(), overlaps.end()), expected)
        << "seed " << kSeed << " round " << round;
  }
}

}  // namespace
}  // namespace kindred
