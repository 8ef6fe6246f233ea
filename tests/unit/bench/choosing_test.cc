// Choose: picks the best setting for each test fold, and never by that fold.

#include "bench/choosing.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "gtest/gtest.h"

namespace kindred::bench {
namespace {

constexpr size_t kFolds = 10;
constexpr uint32_t kFoldSize = 40;
constexpr size_t kMatrices = 16;
constexpr size_t kCosts = 7;

std::vector<std::vector<uint32_t>> Folds() {
  std::vector<std::vector<uint32_t>> folds(kFolds);
  for (uint32_t graph = 0; graph < kFolds * kFoldSize; ++graph) {
    folds[graph % kFolds].push_back(graph);
  }
  return folds;
}

size_t FoldOf(std::span<const uint32_t> graphs) { return graphs.front() % kFolds; }

// By setting and by validated fold: right graphs. The other fold left out makes a difference, too.
using Table = std::function<uint32_t(size_t matrix, size_t cost, size_t validated, size_t other)>;

Judge FromTable(const Table& table) {
  return [table](size_t matrix, std::span<const uint32_t> /*train*/, std::span<const uint32_t> first,
                 std::span<const uint32_t> second, std::span<const size_t> costs) {
    std::vector<Verdict> verdicts;
    for (const size_t cost : costs) {
      verdicts.push_back({true,
                          cost,
                          {table(matrix, cost, FoldOf(first), FoldOf(second)),
                           table(matrix, cost, FoldOf(second), FoldOf(first))}});
    }
    return verdicts;
  };
}

// The same for the same arguments, and else anything.
uint32_t Random(uint64_t seed, size_t a, size_t b, size_t c, size_t d) {
  uint64_t state = seed;
  for (const uint64_t each : {a, b, c, d}) {
    state = (state ^ each) * 0x9E3779B97F4A7C15;
    state ^= state >> 29;
  }
  return static_cast<uint32_t>((state * 0xBF58476D1CE4E5B9) >> 33);
}

Choices Choose(const Judge& judge, bool race, size_t rounds = SIZE_MAX) {
  return Choose(Folds(), {kMatrices, kCosts, race, rounds}, judge, ForEachOnThreads(2));
}

TEST(Choosing, PicksTheSettingThatIsBestOnTheOtherFolds) {
  for (const bool race : {false, true}) {
    const Choices choices =
        Choose(FromTable([](size_t matrix, size_t cost, size_t /*validated*/, size_t /*other*/) {
                 return matrix == 11 && cost == 4 ? 39U : static_cast<uint32_t>(matrix + cost);
               }),
               race);
    ASSERT_EQ(choices.of_folds.size(), kFolds);
    for (const Choice& choice : choices.of_folds) {
      EXPECT_EQ(choice.matrix, 11u);
      EXPECT_EQ(choice.cost, 4u);
    }
  }
}

// The sums of a model: all settings on all folds but the one, each trained without both.
TEST(Choosing, WithoutARaceSumsOverAllOtherFolds) {
  const Table table = [](size_t matrix, size_t cost, size_t validated, size_t other) {
    return Random(3, matrix, cost, validated, other) % (kFoldSize + 1);
  };
  const Choices choices = Choose(FromTable(table), false);
  for (size_t test = 0; test < kFolds; ++test) {
    std::tuple<uint32_t, int, int> best{0, 0, 0};
    for (size_t matrix = 0; matrix < kMatrices; ++matrix) {
      for (size_t cost = 0; cost < kCosts; ++cost) {
        uint32_t sum = 0;
        for (size_t validated = 0; validated < kFolds; ++validated) {
          sum += validated == test ? 0 : table(matrix, cost, validated, test);
        }
        best = std::max(best, {sum, -static_cast<int>(matrix), -static_cast<int>(cost)});
      }
    }
    EXPECT_EQ(static_cast<int>(choices.of_folds[test].matrix), -std::get<1>(best)) << "fold " << test;
    EXPECT_EQ(static_cast<int>(choices.of_folds[test].cost), -std::get<2>(best)) << "fold " << test;
  }
}

// Whatever is found on a test fold, the choice for it is the same.
TEST(Choosing, DoesNotDependOnResultsOnTheTestFold) {
  for (const bool race : {false, true}) {
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      const auto noise = [seed](size_t matrix, size_t cost, size_t validated, size_t other) {
        return Random(seed, matrix, cost, validated, other) % 20;
      };
      const Choices honest = Choose(FromTable(noise), race);
      std::set<std::pair<size_t, size_t>> different;
      for (size_t test = 0; test < kFolds; ++test) {
        different.emplace(honest.of_folds[test].matrix, honest.of_folds[test].cost);
        // Where the test fold is the one that is classified, what was right is all upside down.
        const Choices scrambled =
            Choose(FromTable([&](size_t matrix, size_t cost, size_t validated, size_t other) {
                     const uint32_t right = noise(matrix, cost, validated, other);
                     return validated == test ? 10 * (20 - right) : right;
                   }),
                   race);
        EXPECT_EQ(scrambled.of_folds[test].matrix, honest.of_folds[test].matrix)
            << "seed " << seed << " fold " << test;
        EXPECT_EQ(scrambled.of_folds[test].cost, honest.of_folds[test].cost)
            << "seed " << seed << " fold " << test;
      }
      EXPECT_GT(different.size(), 3u);  // Else it would be easy.
    }
  }
}

// Neither of the two folds is trained on, every other graph is, and each pair of folds is left out once.
TEST(Choosing, TrainsOnAllGraphsButThoseOfTheTwoFolds) {
  for (const bool race : {false, true}) {
    std::mutex mutex;
    std::map<std::tuple<size_t, size_t, size_t, size_t>, int> times;  // Matrix, cost, folds.
    const Judge judge = [&](size_t matrix, std::span<const uint32_t> train, std::span<const uint32_t> first,
                            std::span<const uint32_t> second, std::span<const size_t> costs) {
      const std::scoped_lock lock(mutex);
      std::multiset<uint32_t> all(train.begin(), train.end());
      all.insert(first.begin(), first.end());
      all.insert(second.begin(), second.end());
      EXPECT_EQ(all.size(), kFolds * kFoldSize);
      EXPECT_EQ(std::set<uint32_t>(all.begin(), all.end()).size(), all.size());  // So none is on two sides.
      EXPECT_EQ(first.size(), kFoldSize);
      EXPECT_EQ(second.size(), kFoldSize);
      EXPECT_TRUE(std::ranges::is_sorted(costs));
      std::vector<Verdict> verdicts;
      for (const size_t cost : costs) {
        ++times[{matrix, cost, FoldOf(first), FoldOf(second)}];
        const auto right = static_cast<uint32_t>(matrix * kCosts + cost);
        verdicts.push_back({true, cost, {right, right}});
      }
      return verdicts;
    };
    const Choices choices = Choose(judge, race);
    EXPECT_TRUE(std::ranges::all_of(times, [](const auto& entry) { return entry.second == 1; }));
    EXPECT_EQ(times.size(), choices.trained);
    // All races see the same here: 112 settings in the first round, then 56, 28, 28 and 14 to the end.
    EXPECT_EQ(times.size(), race ? (112u + 56 + 28 + 28 + 5 * 14) * 5 : 112u * 45);
  }
}

TEST(Choosing, StopsAfterSoManyRounds) {
  const Judge judge = FromTable([](size_t, size_t, size_t, size_t) { return 1U; });
  EXPECT_EQ(Choose(judge, false, 1).trained, kMatrices * kCosts * 5);
  EXPECT_EQ(Choose(judge, false, 2).trained, kMatrices * kCosts * 10);
}

TEST(Choosing, DoesNotChooseWhatWasGivenUp) {
  for (const bool race : {false, true}) {
    const Judge judge = [](size_t matrix, std::span<const uint32_t> /*train*/,
                           std::span<const uint32_t> /*first*/, std::span<const uint32_t> /*second*/,
                           std::span<const size_t> costs) {
      std::vector<Verdict> verdicts;
      for (const size_t cost : costs) {
        verdicts.push_back({!(matrix == 3 && cost >= 5), cost, {30, 30}});
        verdicts.back().right.fill(matrix == 3 ? 20 + static_cast<uint32_t>(cost) : 10);
      }
      return verdicts;
    };
    const Choices choices = Choose(judge, race);
    for (const Choice& choice : choices.of_folds) {
      EXPECT_EQ(choice.matrix, 3u);
      EXPECT_EQ(choice.cost, 4u);
    }
    EXPECT_EQ(choices.given_up, 2u * 5);  // Once, for each pair of the first round.
  }
}

// In a race the lowest cost stands for all with its solution.
TEST(Choosing, InARaceDropsHigherCostsWithTheSameSolution) {
  const Judge judge = [](size_t /*matrix*/, std::span<const uint32_t> /*train*/,
                         std::span<const uint32_t> /*first*/, std::span<const uint32_t> /*second*/,
                         std::span<const size_t> costs) {
    std::vector<Verdict> verdicts;
    for (const size_t cost : costs) {
      verdicts.push_back({true, std::min<size_t>(cost, 2), {}});
      verdicts.back().right.fill(static_cast<uint32_t>(std::min<size_t>(cost, 2)));
    }
    return verdicts;
  };
  const Choices choices = Choose(judge, true);
  for (const Choice& choice : choices.of_folds) {
    EXPECT_EQ(choice.matrix, 0u);
    EXPECT_EQ(choice.cost, 2u);
  }
  // All in the first round; then of the costs 0, 1 and 2 the half that is better: 1 and 2, then 2 alone.
  EXPECT_EQ(choices.trained, 5u * kMatrices * (7 + 2 + 7));
}

}  // namespace
}  // namespace kindred::bench
