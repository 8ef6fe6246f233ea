// StratifiedFolds: every graph is tested once, and each fold is like the whole.

#include "bench/folds.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace kindred::bench {
namespace {

std::vector<uint32_t> Numbers(uint32_t count) {
  std::vector<uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

// Of so many graphs of each class.
std::vector<int> Classes(const std::vector<uint32_t>& sizes) {
  std::vector<int> classes;
  for (size_t c = 0; c < sizes.size(); ++c) {
    classes.insert(classes.end(), sizes[c], static_cast<int>(c) * 2 - 1);
  }
  return classes;
}

void ExpectStratified(const std::vector<uint32_t>& graphs, const std::vector<int>& classes, int folds) {
  std::mt19937_64 random(7);
  const std::vector<Split> splits = StratifiedFolds(graphs, classes, folds, random);
  ASSERT_EQ(splits.size(), static_cast<size_t>(folds));
  std::vector<uint32_t> tested;
  std::map<int, std::pair<size_t, size_t>> range;  // Of a class: the fewest and the most a fold has.
  std::pair<size_t, size_t> sizes{graphs.size(), 0};
  for (const Split& split : splits) {
    std::vector<uint32_t> all = split.train;
    all.insert(all.end(), split.test.begin(), split.test.end());
    std::ranges::sort(all);
    std::vector<uint32_t> expected = graphs;
    std::ranges::sort(expected);
    ASSERT_EQ(all, expected);  // So no graph is on both sides.
    tested.insert(tested.end(), split.test.begin(), split.test.end());
    sizes = {std::min(sizes.first, split.test.size()), std::max(sizes.second, split.test.size())};
    for (const uint32_t graph : graphs) {
      range.try_emplace(classes[graph], graphs.size(), 0);
    }
    for (auto& [of_class, fewest_most] : range) {
      const auto have = static_cast<size_t>(
          std::ranges::count_if(split.test, [&](uint32_t graph) { return classes[graph] == of_class; }));
      fewest_most = {std::min(fewest_most.first, have), std::max(fewest_most.second, have)};
    }
  }
  std::ranges::sort(tested);
  std::vector<uint32_t> expected = graphs;
  std::ranges::sort(expected);
  EXPECT_EQ(tested, expected);
  EXPECT_LE(sizes.second - sizes.first, 1u);
  for (const auto& [of_class, fewest_most] : range) {
    EXPECT_LE(fewest_most.second - fewest_most.first, 1u) << "class " << of_class;
  }
}

TEST(StratifiedFolds, TestEveryGraphOnceAndHaveEachClassInProportion) {
  for (const int folds : {2, 3, 10}) {
    for (const std::vector<uint32_t>& sizes :
         {std::vector<uint32_t>{50, 50}, {125, 63}, {100, 1, 17}, {3, 4}}) {
      const std::vector<int> classes = Classes(sizes);
      ExpectStratified(Numbers(static_cast<uint32_t>(classes.size())), classes, folds);
    }
  }
}

// As the inner folds do, which see the training part alone.
TEST(StratifiedFolds, UseNoOtherGraphsThanThoseTheyGet) {
  const std::vector<int> classes = Classes({60, 40});
  std::vector<uint32_t> every_third;
  for (uint32_t graph = 0; graph < classes.size(); graph += 3) {
    every_third.push_back(graph);
  }
  ExpectStratified(every_third, classes, 5);
}

TEST(StratifiedFolds, DependOnTheSeedAlone) {
  const std::vector<int> classes = Classes({30, 30});
  const auto tests = [&](uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::vector<uint32_t>> folds;
    for (const Split& split : StratifiedFolds(Numbers(60), classes, 4, random)) {
      folds.push_back(split.test);
    }
    return folds;
  };
  EXPECT_EQ(tests(1), tests(1));
  EXPECT_NE(tests(1), tests(2));
}

}  // namespace
}  // namespace kindred::bench
