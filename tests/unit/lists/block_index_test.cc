// BlockIndex: each feature with the graphs of each block that have it, as rare lists, columns and rows.

#include "index/lists/block_index.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/graphs.h"
#include "tests/support/segment_contents.h"

namespace kindred {
namespace {

using test::BlockMasks;

// One feature a colour: feature f is colour f. Levels of that many features.
FeatureTable OnceWorn(const std::vector<uint32_t>& level_sizes) {
  std::vector<std::vector<FeatureTable::Colour>> levels;
  uint32_t colour = 0;
  for (const uint32_t size : level_sizes) {
    levels.emplace_back();
    for (uint32_t i = 0; i < size; ++i) {
      levels.back().push_back({ColourId{colour++}, 1});
    }
  }
  return FeatureTable(levels);
}

struct BlockGraph {
  uint32_t vertex_count = 1;
  std::vector<FeatureRun> runs;
};
using GraphBlock = std::vector<BlockGraph>;

// `block_at(b)` gives the graphs of block b.
template <typename BlockAt>
BlockIndex BuildBlocks(FeatureTable features, uint32_t blocks, BlockAt block_at) {
  BlockIndexBuilder builder(std::move(features));
  for (const bool counting : {true, false}) {
    for (uint32_t b = 0; b < blocks; ++b) {
      const GraphBlock& graphs = block_at(b);
      std::vector<BlockIndexBuilder::Graph> block;
      for (const BlockGraph& graph : graphs) {
        block.push_back({graph.vertex_count, graph.runs});
      }
      counting ? builder.Count(block) : builder.Add(block);
    }
  }
  return std::move(builder).Build();
}

// Blocks of one tiny graph, which has feature 0 where it is asked for.
BlockIndex WithFeatureIn(const std::vector<uint32_t>& feature_blocks, uint32_t blocks) {
  return BuildBlocks(OnceWorn({1}), blocks, [&](uint32_t b) {
    return std::ranges::binary_search(feature_blocks, b) ? GraphBlock{{1, {{0, 1}}}} : GraphBlock{{1, {}}};
  });
}

BlockMasks FirstLaneOf(const std::vector<uint32_t>& blocks) {
  BlockMasks masks;
  for (const uint32_t block : blocks) {
    masks[block] = 1;
  }
  return masks;
}

TEST(BlockIndex, WithoutBlocksItIsEmpty) {
  const BlockIndex blocks = BuildBlocks(OnceWorn({2, 1}), 0, [](uint32_t) { return GraphBlock{}; });
  EXPECT_EQ(blocks.block_count(), 0u);
  EXPECT_EQ(blocks.group_count(), 0u);
  EXPECT_EQ(blocks.shelf_count(), 0u);
  EXPECT_EQ(blocks.posting_count(), 0u);
  EXPECT_EQ(test::MasksOf(blocks), std::vector<BlockMasks>(3));
}

class GapLengths : public ::testing::TestWithParam<uint32_t> {};

// The gap stands first, then between two postings, then twice in a row.
TEST_P(GapLengths, AreSkippedByAsFewPostingsAsPossible) {
  const uint32_t gap = GetParam();
  const uint32_t skips = gap == 0 ? 0 : (gap - 1) / UINT16_MAX;
  const std::vector<uint32_t> first{gap};
  const BlockIndex one = WithFeatureIn(first, gap + 10);
  ASSERT_EQ(one.frequent_count(), 0u);
  EXPECT_EQ(one.rare_list(0).size(), skips + 1);
  EXPECT_EQ(test::MasksOf(one)[0], FirstLaneOf(first));
  if (gap > 0) {
    const std::vector<uint32_t> twice{5, 5 + gap, 5 + 2 * gap};
    const BlockIndex three = WithFeatureIn(twice, 6 + 2 * gap);
    ASSERT_EQ(three.frequent_count(), 0u);
    EXPECT_EQ(three.rare_list(0).size(), 3 + 2 * skips);
    EXPECT_EQ(three.posting_count(), 3 + 2 * skips);
    EXPECT_EQ(test::MasksOf(three)[0], FirstLaneOf(twice));
  }
}

INSTANTIATE_TEST_SUITE_P(AroundSkips, GapLengths,
                         ::testing::Values(0, 1, 2, 65534, 65535, 65536, 131069, 131070, 131071, 196606));

// In `feature_blocks` of `blocks` blocks, spread evenly.
bool IsFrequentIn(uint32_t feature_blocks, uint32_t blocks) {
  std::vector<uint32_t> chosen;
  for (uint32_t i = 0; i < feature_blocks; ++i) {
    chosen.push_back(static_cast<uint32_t>(uint64_t{i} * blocks / feature_blocks));
  }
  const BlockIndex index = WithFeatureIn(chosen, blocks);
  EXPECT_EQ(test::MasksOf(index)[0], FirstLaneOf(chosen));
  EXPECT_EQ(index.frequent_count(), index.FindFrequent(0).has_value() ? 1u : 0u);
  EXPECT_EQ(index.rare_list(0).empty(), index.FindFrequent(0).has_value());
  return index.FindFrequent(0).has_value();
}

TEST(BlockIndex, AFeatureIsFrequentInAtLeast24BlocksAndMoreThanOneOf48) {
  EXPECT_FALSE(IsFrequentIn(23, 23));
  EXPECT_TRUE(IsFrequentIn(24, 24));
  EXPECT_FALSE(IsFrequentIn(23, 1000));
  EXPECT_TRUE(IsFrequentIn(24, 24 * 48 - 1));
  EXPECT_FALSE(IsFrequentIn(24, 24 * 48));
  EXPECT_TRUE(IsFrequentIn(25, 24 * 48));
  EXPECT_TRUE(IsFrequentIn(1000, 48 * 1000 - 1));
  EXPECT_FALSE(IsFrequentIn(1000, 48 * 1000));
}

// Random blocks of 1..16 graphs, with features from nearly everywhere to nearly nowhere.
struct RandomBlocks {
  static constexpr uint64_t kOneIn[] = {1, 3, 20, 200, 1000, 5000};

  RandomBlocks(uint64_t seed, uint32_t blocks) : rng(seed) {
    for (int level = 0; level < 4; ++level) {
      level_sizes.push_back(static_cast<uint32_t>(test::Below(rng, 2) * test::Below(rng, 150)));
      features += level_sizes.back();
    }
    masks.resize(features);
    for (uint32_t b = 0; b < blocks; ++b) {
      GraphBlock& block = all.emplace_back(1 + test::Below(rng, kBlockGraphs));
      for (uint32_t lane = 0; lane < block.size(); ++lane) {
        block[lane].vertex_count =
            static_cast<uint32_t>(1 + test::Below(rng, b % 3 == 0 ? kBlockVerticesMax : 300));
        for (uint32_t feature = 0; feature < features; ++feature) {
          if (test::Below(rng, kOneIn[feature % std::size(kOneIn)]) == 0) {
            block[lane].runs.push_back({feature, 1});
            masks[feature][b] = static_cast<uint16_t>(masks[feature][b] | 1u << lane);
          }
        }
      }
    }
  }

  test::Rng rng;
  std::vector<uint32_t> level_sizes;
  uint32_t features = 0;
  std::vector<GraphBlock> all;
  std::vector<BlockMasks> masks;
};

class BlockNumbers : public ::testing::TestWithParam<uint32_t> {};

TEST_P(BlockNumbers, HoldEveryFeatureOfEveryGraph) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomBlocks random(seed, GetParam());
    const BlockIndex index =
        BuildBlocks(OnceWorn(random.level_sizes), GetParam(), [&](uint32_t b) { return random.all[b]; });
    EXPECT_EQ(test::MasksOf(index), random.masks);
    // Rows: level 0 first, a level's bits in the order of its features.
    uint32_t words = 0;
    for (Level level = 0; level < 4; ++level) {
      uint32_t bit = words * 64;
      for (uint32_t frequent = 0; frequent < index.frequent_count(); ++frequent) {
        const FeatureRange range = index.features().at_level(level);
        const uint32_t feature = index.frequent_feature(frequent);
        if (range.begin <= feature && feature < range.end) {
          EXPECT_EQ(index.row_bit(frequent), bit++);
        }
      }
      const FeatureRange expected{words, (bit + 63) / 64};
      EXPECT_EQ(index.row_words_at(level), expected) << "level " << int{level};
      words = expected.end;
    }
    EXPECT_EQ(index.row_words(), words);
  }
}

// The vertex counts of each `blocks_each` blocks in a row.
void ExpectSizes(const RandomBlocks& random, uint32_t blocks_each, uint32_t count, const uint16_t* smallest,
                 const uint16_t* largest) {
  ASSERT_EQ(count, (random.all.size() + blocks_each - 1) / blocks_each);
  std::vector<uint32_t> least(count, UINT32_MAX);
  std::vector<uint32_t> most(count, 0);
  for (size_t b = 0; b < random.all.size(); ++b) {
    for (const BlockGraph& graph : random.all[b]) {
      least[b / blocks_each] = std::min(least[b / blocks_each], graph.vertex_count);
      most[b / blocks_each] = std::max(most[b / blocks_each], graph.vertex_count);
    }
  }
  EXPECT_TRUE(std::equal(least.begin(), least.end(), smallest)) << blocks_each << " blocks each";
  EXPECT_TRUE(std::equal(most.begin(), most.end(), largest)) << blocks_each << " blocks each";
}

TEST_P(BlockNumbers, KnowTheSizesOfTheirGraphs) {
  SCOPED_TRACE("seed 9");
  const RandomBlocks random(9, GetParam());
  const BlockIndex index =
      BuildBlocks(OnceWorn(random.level_sizes), GetParam(), [&](uint32_t b) { return random.all[b]; });
  ExpectSizes(random, 1, index.block_count(), index.smallest(), index.largest());
  ExpectSizes(random, kGroupBlocks, index.group_count(), index.group_smallest(), index.group_largest());
  ExpectSizes(random, kShelfBlocks, index.shelf_count(), index.shelf_smallest(), index.shelf_largest());
  for (uint32_t b = index.block_count(); b < index.shelf_count() * kShelfBlocks; ++b) {
    EXPECT_EQ(index.largest()[b], 0);
  }
  for (uint32_t g = index.group_count(); g < index.shelf_count() * kShelfGroups; ++g) {
    EXPECT_EQ(index.group_largest()[g], 0);
  }
}

INSTANTIATE_TEST_SUITE_P(AroundGroupsAndShelves, BlockNumbers,
                         ::testing::Values(1, 15, 16, 17, 23, 24, 130, 255, 256, 257, 511, 512, 513));

}  // namespace
}  // namespace kindred
