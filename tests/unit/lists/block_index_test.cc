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
  EXPECT_EQ(blocks.chunk_count(), 0u);
  EXPECT_EQ(blocks.column_words(), 0u);
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
    // Rows: the deepest level first, a level's bits in the order of its features.
    uint32_t words = 0;
    for (Level level = 4; level-- > 0;) {
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

TEST_P(BlockNumbers, KnowTheSizesOfTheirGraphs) {
  SCOPED_TRACE("seed 9");
  const RandomBlocks random(9, GetParam());
  const BlockIndex index =
      BuildBlocks(OnceWorn(random.level_sizes), GetParam(), [&](uint32_t b) { return random.all[b]; });
  ASSERT_EQ(index.block_count(), GetParam());
  ASSERT_EQ(index.chunk_count(), (GetParam() + 63) / 64);
  std::vector<uint32_t> chunk_smallest(index.chunk_count(), UINT32_MAX);
  std::vector<uint32_t> chunk_largest(index.chunk_count(), 0);
  for (uint32_t b = 0; b < index.block_count(); ++b) {
    const auto [smallest, largest] = std::ranges::minmax(random.all[b], {}, &BlockGraph::vertex_count);
    EXPECT_EQ(index.smallest(b), smallest.vertex_count);
    EXPECT_EQ(index.largest()[b], largest.vertex_count);
    EXPECT_EQ(index.largest_bytes()[b], std::min(largest.vertex_count, 255u));
    chunk_smallest[b / 64] = std::min(chunk_smallest[b / 64], smallest.vertex_count);
    chunk_largest[b / 64] = std::max(chunk_largest[b / 64], largest.vertex_count);
  }
  for (uint32_t b = index.block_count(); b < index.column_words() * 64; ++b) {
    EXPECT_EQ(index.largest()[b], 0);
    EXPECT_EQ(index.largest_bytes()[b], 0);
  }
  for (uint32_t chunk = 0; chunk < index.chunk_count(); ++chunk) {
    EXPECT_EQ(index.chunk_smallest(chunk), chunk_smallest[chunk]);
    EXPECT_EQ(index.chunk_largest(chunk), chunk_largest[chunk]);
  }
}

INSTANTIATE_TEST_SUITE_P(AroundChunks, BlockNumbers,
                         ::testing::Values(1, 23, 24, 63, 64, 65, 130, 511, 512, 513));

}  // namespace
}  // namespace kindred
