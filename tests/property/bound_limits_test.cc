// The bounds at the largest that blocks hold: nothing wraps around, and what saturates stays a bound.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/bounded_blocks.h"
#include "tests/support/status_matchers.h"
#include "tests/support/vector_targets.h"

namespace kindred::test {
namespace {

constexpr Level kDeepest = kDepthMax;

// The same at each of the 16 levels: so many colours, each worn so often while 4,095 vertices last.
Histogram Large(uint32_t first, uint32_t colours, uint32_t each) {
  std::vector<std::vector<Histogram::Entry>> levels(kDeepest + 1u);
  uint32_t vertices = 0;
  for (Level level = 0; level <= kDeepest; ++level) {
    vertices = 0;
    for (uint32_t i = 0; i < colours; ++i) {
      const uint32_t count = std::min(each, kBlockVerticesMax - vertices);
      levels[level].push_back({ColourId{level * 1'000'000u + first + i}, count});
      vertices += count;
    }
  }
  return Must(Histogram::FromLevels(vertices, levels));
}

Histogram LargeOfDistinctColours(uint32_t number) {
  return Large(100 + number * kBlockVerticesMax, kBlockVerticesMax, 1);
}

// Asks in every kind of weights, and calls check(bounded) on every target.
template <typename Check>
void ForEveryWeights(const BlockSet& set, const Histogram& histogram, Check check) {
  constexpr uint64_t kSeed = 5;
  Rng rng(kSeed);
  for (int kind = 0; kind < kWeightKinds; ++kind) {
    SCOPED_TRACE("weights " + std::to_string(kind) + ", seed " + std::to_string(kSeed));
    const auto weights = WeightsOfKind(kind, kDeepest, rng);
    const Query query{
        histogram, Must(Scoring::Create(static_cast<Measure>(kind % 3), kDeepest, {}, weights)), 1, {}};
    const BoundedBlocks bounded(set, query);
    ASSERT_LE(bounded.units().Most(kBlockVerticesMax), uint32_t{UINT16_MAX});
    OnEveryTarget([&](const char*) { check(bounded); });
    if (::testing::Test::HasFatalFailure()) {
      return;
    }
  }
}

void ExpectBoundsHold(const BoundedBlocks& bounded) {
  const std::vector<uint32_t> most = bounded.MostUnits();
  const auto of_blocks = bounded.BoundAgain(BoundedBlocks::Of::kBlocks);
  const auto of_groups = bounded.BoundAgain(BoundedBlocks::Of::kGroups);
  for (uint32_t block = 0; block < most.size(); ++block) {
    const uint32_t group = block / kGroupBlocks;
    ASSERT_GE(of_blocks.bounds[block], most[block]) << "block " << block;
    ASSERT_GE(of_groups.bounds[group], of_blocks.bounds[block]) << "block " << block;
    ASSERT_LE(of_groups.bounds[group], bounded.units().Most(kBlockVerticesMax)) << "block " << block;
  }
}

// 4,095 vertices, 16 levels, colours worn 255 times or each once; asked by one of them, by all together, and
// by more than 65,535 vertices.
TEST(BoundLimits, NothingOverflowsAtTheLargestThatBlocksHold) {
  std::vector<Histogram> histograms;
  for (uint32_t i = 0; i < 20; ++i) {
    histograms.push_back(Large(i % 3, 17, kBlockCountMax));  // 16 colours 255 times and one 15 times.
    histograms.push_back(LargeOfDistinctColours(i));
  }
  const BlockSet set(histograms, Ordering::kBySimilarity);
  ASSERT_EQ(set.by_slot().size(), 48u);
  for (const Histogram& asked : {histograms[0], histograms[1], SumOf(histograms, 1), SumOf(histograms, 20)}) {
    ASSERT_NO_FATAL_FAILURE(ForEveryWeights(set, asked, ExpectBoundsHold));
  }
}

// 69,615 features at a level of one group: 4,079 if they wrapped around, fewer than each of its graphs has.
TEST(BoundLimits, AGroupOfMoreFeaturesThan16BitsCountStaysABound) {
  constexpr uint32_t kGraphs = 17;
  static_assert(kGraphs * kBlockVerticesMax % (UINT16_MAX + 1) < kBlockVerticesMax);
  std::vector<Histogram> histograms;
  for (uint32_t i = 0; i < kGraphs; ++i) {
    histograms.push_back(LargeOfDistinctColours(i));
  }
  const BlockSet set(histograms, Ordering::kBySimilarity);
  ASSERT_EQ(set.blocks().group_count(), 1u);
  ASSERT_NO_FATAL_FAILURE(ForEveryWeights(set, SumOf(histograms, 1), [](const BoundedBlocks& bounded) {
    ASSERT_NO_FATAL_FAILURE(ExpectBoundsHold(bounded));
    const auto level = bounded.BoundLevel(BoundedBlocks::Of::kGroups, 0);
    ASSERT_EQ(level.bounds[0], UINT16_MAX);
  }));
}

}  // namespace
}  // namespace kindred::test
