// Sets made to break the search over blocks: what is stored, and what is asked, at the edge of what its
// numbers hold. Every answer, hit for hit and score for score, is the exhaustive search's.

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/search/query_terms.h"
#include "tests/support/searched_histograms.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

// Every vertex has a colour of its own: `count` of them, from `first` on, the same at each level.
Histogram DistinctColours(uint32_t first, uint32_t count, Level depth) {
  std::vector<std::vector<Histogram::Entry>> levels;
  for (Level level = 0; level <= depth; ++level) {
    std::vector<Histogram::Entry>& entries = levels.emplace_back();
    for (uint32_t i = 0; i < count; ++i) {
      entries.push_back({ColourId{level * 10'000'000u + first + i}, 1});
    }
  }
  return Must(Histogram::FromLevels(count, levels));
}

Query Ask(Histogram histogram, Measure measure, uint32_t k, const std::vector<double>& weights = {}) {
  const Level depth = histogram.depth();
  return {std::move(histogram), Must(Scoring::Create(measure, depth, {}, weights)), k, std::nullopt};
}

// Nearly all blocks have 16 colours that are taken for granted everywhere. The last one has none of them, but
// 65,520 others, and the query has all: 65,536 in the sum that bounds it.
TEST(AdversarialSearch, FeaturesTakenForGrantedDoNotOverflowTheBoundOfAFullBlock) {
  constexpr uint32_t kUbiquitous = kBlockGraphs;
  for (const Level depth : {0, 2}) {
    SearchedHistograms stored;
    for (uint32_t i = 0; i < 24 * kBlockGraphs; ++i) {
      stored.Add("small" + std::to_string(i), DistinctColours(0, kUbiquitous, depth));
    }
    for (uint32_t i = 0; i < kBlockGraphs; ++i) {
      stored.Add("large" + std::to_string(i),
                 DistinctColours(kUbiquitous + i * kBlockVerticesMax, kBlockVerticesMax, depth));
    }
    stored.Seal(Ordering::kBySize);
    const BlockIndex& blocks = stored.segments().front().segment->blocks();
    ASSERT_EQ(blocks.block_count(), 25u);
    ASSERT_EQ(blocks.frequent_count(), kUbiquitous * (depth + 1u));
    ASSERT_TRUE(blocks.ubiquitous(0));
    const Histogram query = DistinctColours(0, kUbiquitous + kBlockGraphs * kBlockVerticesMax, depth);
    for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
      for (const uint32_t k : {1u, 10u, 1'000u}) {
        stored.ExpectModesAgree(Ask(query, measure, k));
        stored.ExpectModesAgree(Ask(query, measure, k, std::vector<double>(depth + 1u, 0.3)));
      }
    }
  }
}

}  // namespace
}  // namespace kindred::test
