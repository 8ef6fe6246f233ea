// Race: the worse half drops out after the first, second and fourth fold; the best stays.

#include "bench/race.h"

#include <algorithm>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace kindred::bench {
namespace {

size_t CountIn(const Race& race, size_t settings) {
  size_t count = 0;
  for (size_t setting = 0; setting < settings; ++setting) {
    count += race.is_in(setting) ? 1 : 0;
  }
  return count;
}

// As many right in each fold as `right` says, of those that are in.
void RunFolds(const std::vector<uint32_t>& right, size_t rounds, Race& race,
              std::vector<size_t>* counts = nullptr) {
  for (size_t round = 0; round < rounds; ++round) {
    for (size_t setting = 0; setting < right.size(); ++setting) {
      if (race.is_in(setting)) {
        race.Add(setting, right[setting]);
      }
    }
    race.EndRound();
    if (counts != nullptr) {
      counts->push_back(CountIn(race, right.size()));
    }
  }
}

std::vector<uint32_t> Shuffled(uint32_t count, uint64_t seed) {
  std::vector<uint32_t> right(count);
  for (uint32_t i = 0; i < count; ++i) {
    right[i] = 100 + i;
  }
  std::mt19937_64 random(seed);
  std::ranges::shuffle(right, random);
  return right;
}

TEST(Race, HalvesAfterTheFirstSecondAndFourthFold) {
  std::vector<size_t> counts;
  Race race(112, true);
  RunFolds(Shuffled(112, 1), 9, race, &counts);
  EXPECT_EQ(counts, (std::vector<size_t>{56, 28, 28, 14, 14, 14, 14, 14, 14}));
}

TEST(Race, KeepsAllWithoutDropping) {
  std::vector<size_t> counts;
  Race race(10, false);
  RunFolds(Shuffled(10, 1), 4, race, &counts);
  EXPECT_EQ(counts, (std::vector<size_t>{10, 10, 10, 10}));
}

TEST(Race, PicksTheBestWhetherItDropsOrNot) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<uint32_t> right = Shuffled(37, seed);
    const auto best = static_cast<size_t>(std::ranges::max_element(right) - right.begin());
    for (const bool drops : {false, true}) {
      Race race(right.size(), drops);
      RunFolds(right, 9, race);
      EXPECT_EQ(race.Best(), best) << "seed " << seed << " drops " << drops;
    }
  }
}

TEST(Race, KeepsThoseThatTieWithTheLastThatStays) {
  Race race(6, true);
  RunFolds({5, 7, 7, 7, 7, 9}, 1, race);
  EXPECT_EQ(CountIn(race, 6), 5u);
  EXPECT_FALSE(race.is_in(0));
}

TEST(Race, PrefersTheEarlierOfEqualsAndNeverOneThatWasDropped) {
  Race race(4, false);
  race.Add(0, 9);
  race.Drop(0);
  RunFolds({0, 5, 8, 8}, 1, race);
  EXPECT_EQ(race.Best(), 2u);
  race.Drop(2);
  EXPECT_EQ(race.Best(), 3u);
  race.Drop(3);
  EXPECT_EQ(race.Best(), 1u);
  race.Drop(1);
  EXPECT_EQ(race.Best(), 0u);  // None is left.
}

// It goes by all folds so far, not by the last.
TEST(Race, SumsOverFolds) {
  Race race(4, true);
  RunFolds({10, 9, 1, 0}, 1, race);  // 0 and 1 stay.
  race.Add(0, 10);
  race.Add(1, 12);
  race.EndRound();
  EXPECT_FALSE(race.is_in(0));
  EXPECT_EQ(race.Best(), 1u);
}

}  // namespace
}  // namespace kindred::bench
