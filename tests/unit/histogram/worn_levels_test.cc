// WornLevels: which colours are worn where they may not be; and that CheckPacked notes all of them.

#include "index/histogram/worn_levels.h"

#include <string>

#include "gtest/gtest.h"
#include "index/histogram/packed.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

TEST(WornLevels, AColourAtAnotherLevelStandsOut) {
  WornLevels worn(3);
  EXPECT_TRUE(worn.OnlyAt(0, 2)) << "what no one wears is worn nowhere else";
  worn.Note(0, 0);
  worn.Note(1, kDepthMax);
  worn.Note(1, kDepthMax);
  EXPECT_TRUE(worn.OnlyAt(0, 0));
  EXPECT_FALSE(worn.OnlyAt(1, 0));
  EXPECT_TRUE(worn.OnlyAt(kDepthMax, 1));
  worn.Note(1, 0);
  EXPECT_FALSE(worn.OnlyAt(kDepthMax, 1));
  EXPECT_FALSE(worn.OnlyAt(0, 1));
  EXPECT_FALSE(worn.beyond());
  worn.Note(3, 0);
  EXPECT_TRUE(worn.beyond());
}

TEST(WornLevels, CheckPackedNotesEveryEntry) {
  const auto histogram =
      Histogram::FromLevels(3, {{{ColourId{0}, 2}, {ColourId{4}, 1}}, {{ColourId{1}, 1}, {ColourId{5}, 2}}});
  std::string packed;
  AppendPacked(packed, *histogram);
  WornLevels worn(6);
  ASSERT_THAT(CheckPacked(packed, 3, 1, &worn), test::IsOk());
  for (const uint32_t colour : {0u, 4u}) {
    EXPECT_TRUE(worn.OnlyAt(0, colour));
    EXPECT_FALSE(worn.OnlyAt(1, colour));
  }
  for (const uint32_t colour : {1u, 5u}) {
    EXPECT_TRUE(worn.OnlyAt(1, colour));
    EXPECT_FALSE(worn.OnlyAt(0, colour));
  }
  EXPECT_FALSE(worn.beyond());
  WornLevels fewer(5);
  ASSERT_THAT(CheckPacked(packed, 3, 1, &fewer), test::IsOk());
  EXPECT_TRUE(fewer.beyond());
}

}  // namespace
}  // namespace kindred
