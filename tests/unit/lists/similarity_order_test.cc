// OrderBySimilarity: a permutation that brings similar graphs together, whatever the input.

#include "index/lists/similarity_order.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/lists/block_index.h"
#include "tests/support/graphs.h"

namespace kindred {
namespace {

struct OrderInput {
  ForwardLists lists;
  std::vector<uint32_t> vertex_counts;
};

// Random runs; features by threes, so that a run of up to 3 stays within its colour.
OrderInput RandomInput(test::Rng& rng, uint32_t graphs, uint32_t colours, uint32_t vertices_max) {
  OrderInput input;
  for (uint32_t graph = 0; graph < graphs; ++graph) {
    input.vertex_counts.push_back(static_cast<uint32_t>(1 + test::Below(rng, vertices_max)));
    for (uint32_t colour = 0; colour < colours; ++colour) {
      if (test::Below(rng, 4) == 0) {
        input.lists.Add({3 * colour, static_cast<uint32_t>(1 + test::Below(rng, 3))});
      }
    }
    input.lists.EndGraph();
  }
  std::ranges::sort(input.vertex_counts);
  return input;
}

std::vector<uint32_t> OrderOf(const OrderInput& input, const std::stop_token& stop = {},
                              uint32_t first_lane = 0) {
  uint32_t feature_count = 0;
  std::vector<GraphSize> sizes;
  for (uint32_t graph = 0; graph < input.lists.graph_count(); ++graph) {
    const auto runs = input.lists.graph(graph);
    sizes.push_back({input.vertex_counts[graph], static_cast<uint32_t>(runs.size())});
    for (const FeatureRun& run : runs) {
      feature_count = std::max(feature_count, run.first + run.count);
    }
  }
  const auto read = [&](uint32_t graph, ForwardLists& lists) {
    for (const FeatureRun& run : input.lists.graph(graph)) {
      lists.Add(run);
    }
    lists.EndGraph();
  };
  return OrderBySimilarity({sizes, feature_count, read}, first_lane, stop);
}

bool IsPermutation(std::vector<uint32_t> order, size_t size) {
  std::vector<uint32_t> all(size);
  std::iota(all.begin(), all.end(), 0);
  std::ranges::sort(order);
  return order == all;
}

TEST(SimilarityOrder, OfNothingIsNothing) { EXPECT_TRUE(OrderOf({}).empty()); }

class SimilarityOrderSizes : public ::testing::TestWithParam<uint32_t> {};

TEST_P(SimilarityOrderSizes, IsTheSamePermutationTwice) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::Rng rng(seed);
    const auto colours = static_cast<uint32_t>(test::Below(rng, 60));
    const OrderInput input = RandomInput(rng, GetParam(), colours, 1 + seed % 4 * 5);
    const std::vector<uint32_t> order = OrderOf(input);
    EXPECT_TRUE(IsPermutation(order, GetParam()));
    EXPECT_EQ(OrderOf(input), order);
  }
}

TEST_P(SimilarityOrderSizes, KeepsSizesTogether) {
  SCOPED_TRACE("seed 3");
  test::Rng rng(3);
  const OrderInput input = RandomInput(rng, GetParam(), 20, 30);
  uint32_t largest = 0;
  for (const uint32_t graph : OrderOf(input)) {
    EXPECT_LE(largest, input.vertex_counts[graph] + 1);
    largest = std::max(largest, input.vertex_counts[graph]);
  }
}

TEST_P(SimilarityOrderSizes, StoppedIsAPermutationStill) {
  SCOPED_TRACE("seed 4");
  test::Rng rng(4);
  const OrderInput input = RandomInput(rng, GetParam(), 20, 6);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(IsPermutation(OrderOf(input, stop.get_token()), GetParam()));
}

TEST_P(SimilarityOrderSizes, MayBeginWithinABlock) {
  for (const uint32_t first_lane : {1u, 7u, 15u}) {
    SCOPED_TRACE("seed 5, lane " + std::to_string(first_lane));
    test::Rng rng(5);
    const OrderInput input = RandomInput(rng, GetParam(), 20, 6);
    EXPECT_TRUE(IsPermutation(OrderOf(input, {}, first_lane), GetParam()));
  }
}

INSTANTIATE_TEST_SUITE_P(AroundBlocks, SimilarityOrderSizes,
                         ::testing::Values(1, 2, 15, 16, 17, 31, 32, 33, 47, 48, 49, 100, 255, 256, 257,
                                           1000));

TEST(SimilarityOrder, TakesGraphsWithoutAnyFeatureInCommon) {
  OrderInput input;
  for (uint32_t graph = 0; graph < 100; ++graph) {
    input.vertex_counts.push_back(1);
    input.lists.Add({1000 * graph, 1});
    input.lists.EndGraph();
  }
  EXPECT_TRUE(IsPermutation(OrderOf(input), 100));
}

// How many scaffolds the blocks of 16 have, all together.
size_t ScaffoldsInBlocks(const std::vector<uint32_t>& order, const std::vector<uint32_t>& scaffolds) {
  size_t sum = 0;
  for (size_t begin = 0; begin < order.size(); begin += kBlockGraphs) {
    std::set<uint32_t> in_block;
    for (size_t i = begin; i < std::min(begin + kBlockGraphs, order.size()); ++i) {
      in_block.insert(scaffolds[order[i]]);
    }
    sum += in_block.size();
  }
  return sum;
}

// 16 scaffolds of 20 colours; a graph wears those of its scaffold but for two, and two of its own choice.
TEST(SimilarityOrder, BringsNearCopiesOfAScaffoldTogether) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::Rng rng(seed);
    constexpr uint32_t kScaffolds = 16;
    constexpr uint32_t kColours = 400;
    std::vector<std::vector<uint32_t>> scaffold_colours(kScaffolds);
    for (auto& colours : scaffold_colours) {
      colours = test::RandomPermutation(rng, kColours);
      colours.resize(20);
    }
    OrderInput input;
    std::vector<uint32_t> scaffolds;
    for (const uint32_t i : test::RandomPermutation(rng, kScaffolds * 60)) {
      scaffolds.push_back(i % kScaffolds);
      std::vector<uint32_t> colours = scaffold_colours[i % kScaffolds];
      colours[test::Below(rng, 20)] = static_cast<uint32_t>(test::Below(rng, kColours));
      colours[test::Below(rng, 20)] = static_cast<uint32_t>(test::Below(rng, kColours));
      const std::set<uint32_t> distinct(colours.begin(), colours.end());
      for (const uint32_t colour : distinct) {
        input.lists.Add({colour, 1});
      }
      input.lists.EndGraph();
      input.vertex_counts.push_back(20);
    }
    std::vector<uint32_t> shuffled(scaffolds.size());
    std::iota(shuffled.begin(), shuffled.end(), 0);
    const std::vector<uint32_t> order = OrderOf(input);
    EXPECT_TRUE(IsPermutation(order, scaffolds.size()));
    // About 10 a block before, fewer than 2.5 after.
    EXPECT_LT(4 * ScaffoldsInBlocks(order, scaffolds), ScaffoldsInBlocks(shuffled, scaffolds));
  }
}

}  // namespace
}  // namespace kindred
