// FeatureTable: the features of a colour are the range that a plain count gives.

#include "index/lists/feature_table.h"

#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/graphs.h"

namespace kindred {
namespace {

using ColourLevels = std::vector<std::vector<FeatureTable::Colour>>;

void ExpectRangesAreContiguous(const FeatureTable& table, const ColourLevels& levels) {
  ASSERT_EQ(table.level_count(), levels.size());
  uint32_t colour = 0;
  uint32_t feature = 0;
  for (Level level = 0; level < levels.size(); ++level) {
    EXPECT_EQ(table.at_level(level).begin, feature);
    EXPECT_EQ(table.colours_at(level).begin, colour);
    for (const FeatureTable::Colour& expected : levels[level]) {
      EXPECT_EQ(table.colour(colour), expected.id);
      EXPECT_EQ(table.features(colour), (FeatureRange{feature, feature + expected.count_max}));
      ++colour;
      feature += expected.count_max;
    }
    EXPECT_EQ(table.at_level(level).end, feature);
    EXPECT_EQ(table.colours_at(level).end, colour);
  }
  EXPECT_EQ(table.colour_count(), colour);
  EXPECT_EQ(table.size(), feature);
}

// Finds every colour, and nothing beside one that is not there, nor at another level.
void ExpectFindsAsAMapDoes(const FeatureTable& table, const ColourLevels& levels) {
  std::vector<std::map<uint32_t, FeatureRange>> expected(levels.size() + 1);
  std::vector<uint32_t> asked{0, 1, UINT32_MAX / 2, UINT32_MAX - 1, UINT32_MAX};
  uint32_t feature = 0;
  for (size_t level = 0; level < levels.size(); ++level) {
    for (const FeatureTable::Colour& colour : levels[level]) {
      expected[level][Raw(colour.id)] = {feature, feature + colour.count_max};
      feature += colour.count_max;
      asked.insert(asked.end(), {Raw(colour.id) - 1, Raw(colour.id), Raw(colour.id) + 1});
    }
  }
  for (Level level = 0; level < expected.size(); ++level) {
    for (const uint32_t colour : asked) {
      const auto found = expected[level].find(colour);
      ASSERT_EQ(table.Find(level, ColourId{colour}),
                found == expected[level].end() ? FeatureRange{} : found->second)
          << "level " << int{level} << " colour " << colour;
    }
  }
}

// `count` colours at most, ascending by random steps of 1..step_max.
std::vector<FeatureTable::Colour> RandomColours(test::Rng& rng, uint64_t count, uint64_t step_max,
                                                uint64_t first) {
  std::vector<FeatureTable::Colour> colours;
  for (uint64_t id = first; colours.size() < count && id < UINT32_MAX; id += 1 + test::Below(rng, step_max)) {
    colours.push_back({ColourId{static_cast<uint32_t>(id)},
                       static_cast<uint32_t>(1 + test::Below(rng, 3) * test::Below(rng, 99))});
  }
  return colours;
}

TEST(FeatureTable, WithoutColoursItFindsNothing) {
  for (const FeatureTable& table :
       {FeatureTable(), FeatureTable(ColourLevels(0)), FeatureTable(ColourLevels(3))}) {
    EXPECT_EQ(table.size(), 0u);
    EXPECT_EQ(table.colour_count(), 0u);
    for (Level level = 0; level < 5; ++level) {
      EXPECT_EQ(table.Find(level, ColourId{0}), FeatureRange{});
      EXPECT_EQ(table.Find(level, kUnknownColour), FeatureRange{});
    }
  }
  ExpectRangesAreContiguous(FeatureTable(ColourLevels(3)), ColourLevels(3));
}

TEST(FeatureTable, NumbersLevelByLevelColourByColour) {
  const ColourLevels levels{{{ColourId{3}, 2}, {ColourId{5}, 1}}, {}, {{ColourId{4}, 255}}};
  const FeatureTable table(levels);
  EXPECT_EQ(table.Find(0, ColourId{3}), (FeatureRange{0, 2}));
  EXPECT_EQ(table.Find(0, ColourId{5}), (FeatureRange{2, 3}));
  EXPECT_EQ(table.Find(2, ColourId{4}), (FeatureRange{3, 258}));
  EXPECT_EQ(table.Find(2, ColourId{3}), FeatureRange{});
  EXPECT_EQ(table.Find(3, ColourId{3}), FeatureRange{});
  ExpectRangesAreContiguous(table, levels);
  ExpectFindsAsAMapDoes(table, levels);
}

// Ids of any size are possible: the limit of colours goes up to 4,000,000,000.
TEST(FeatureTable, FindsColoursOfTheHighestIds) {
  for (const uint32_t count : {1u, 2u, 7u, 8u, 9u, 100u}) {
    for (const uint64_t last : {uint64_t{1} << 31, (uint64_t{1} << 31) - 1, uint64_t{UINT32_MAX} - 1}) {
      ColourLevels levels(1);
      for (uint32_t i = 0; i < count; ++i) {
        levels[0].push_back({ColourId{static_cast<uint32_t>(last - (count - 1 - i) * 1000)}, i + 1});
      }
      const FeatureTable table(levels);
      ExpectRangesAreContiguous(table, levels);
      ExpectFindsAsAMapDoes(table, levels);
    }
  }
}

TEST(FeatureTable, FindsAsAMapDoesInRandomTables) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::Rng rng(seed);
    ColourLevels levels(test::Below(rng, 6));
    for (auto& level : levels) {
      const uint64_t count = test::Below(rng, 4) == 0 ? 0 : test::Below(rng, 400);
      constexpr uint64_t kSteps[] = {1, 2, 10, 10'000, 100'000'000};
      const uint64_t first = test::Below(rng, 2) == 0 ? test::Below(rng, 20) : rng() % UINT32_MAX;
      level = RandomColours(rng, count, kSteps[test::Below(rng, 5)], first);
    }
    const FeatureTable table(levels);
    ExpectRangesAreContiguous(table, levels);
    ExpectFindsAsAMapDoes(table, levels);
  }
}

// What the header promises of the directory: up to 2 bytes a colour.
TEST(FeatureTable, TheDirectoryStaysSmall) {
  for (const uint64_t step : {1, 3, 1000, 100'000}) {
    test::Rng rng(step);
    const FeatureTable table(ColourLevels{RandomColours(rng, 10'000, step, 0)});
    EXPECT_LE(table.memory_bytes(), table.colour_count() * 10 + 64) << "step " << step;
  }
}

}  // namespace
}  // namespace kindred
