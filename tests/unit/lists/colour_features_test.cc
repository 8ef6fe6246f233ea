// Colours noted in any order get the features that a FeatureTable of them has.

#include "index/lists/colour_features.h"

#include <cstdint>
#include <map>
#include <random>
#include <utility>

#include "gtest/gtest.h"

namespace kindred {
namespace {

TEST(ColourFeatures, OfNothingAreNone) {
  const FeatureTable table = ColourFeatures().Number();
  EXPECT_EQ(table.size(), 0u);
  EXPECT_EQ(table.level_count(), 0u);
}

TEST(ColourFeatures, AColourHasAsManyAsItIsWornAtMost) {
  ColourFeatures features;
  features.Note(0, 7, 2);
  features.Note(1, 3, 255);
  features.Note(0, 7, 5);
  features.Note(0, 7, 4);
  features.Note(0, 0, 1);
  const FeatureTable table = features.Number();
  EXPECT_EQ(table.Find(0, ColourId{0}), (FeatureRange{0, 1}));
  EXPECT_EQ(table.Find(0, ColourId{7}), (FeatureRange{1, 6}));
  EXPECT_EQ(table.Find(1, ColourId{3}), (FeatureRange{6, 261}));
  EXPECT_EQ(features.First(0), 0u);
  EXPECT_EQ(features.First(7), 1u);
  EXPECT_EQ(features.First(3), 6u);
}

// Ids next to each other, far apart, and at the ends of their range; many times what it starts with.
TEST(ColourFeatures, FirstIsWhereTheTableHasIt) {
  constexpr uint64_t kSeed = 11;
  std::mt19937_64 random(kSeed);
  std::map<uint32_t, std::pair<Level, uint32_t>> model{{0, {0, 1}}, {UINT32_MAX - 1, {3, 9}}};
  for (uint32_t i = 0; i < 20'000; ++i) {
    const auto colour = static_cast<uint32_t>(i % 2 == 0 ? i : random() % (UINT32_MAX - 1));
    const auto level = static_cast<Level>(colour % 4);
    model.try_emplace(colour, level, static_cast<uint32_t>(1 + random() % 255));
  }
  ColourFeatures features;
  for (const auto& [colour, worn] : model) {
    features.Note(worn.first, colour, 1);
    features.Note(worn.first, colour, worn.second);
  }
  const FeatureTable table = features.Number();
  EXPECT_EQ(table.colour_count(), model.size());
  for (const auto& [colour, worn] : model) {
    const FeatureRange range = table.Find(worn.first, ColourId{colour});
    ASSERT_EQ(range.size(), worn.second) << "seed " << kSeed << " colour " << colour;
    ASSERT_EQ(features.First(colour), range.begin) << "seed " << kSeed << " colour " << colour;
  }
}

}  // namespace
}  // namespace kindred
