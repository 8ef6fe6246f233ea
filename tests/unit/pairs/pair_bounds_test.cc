// No bound rules out what is similar enough, and each is as tight as it can be where all is integral.

#include "index/pairs/pair_bounds.h"

#include <algorithm>
#include <vector>

#include "gtest/gtest.h"
#include "index/base/limits.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

constexpr Level kBoundsDepth = 3;

Scoring ScoringOf(Measure measure, const std::vector<double>& weights) {
  return test::Must(Scoring::Create(measure, kBoundsDepth, {}, weights));
}

// Two graphs by their sizes and overlaps alone, which is all that a similarity depends on.
struct TwoGraphs {
  uint32_t a = 0;
  uint32_t b = 0;
  std::vector<uint32_t> overlaps;  // Do not rise.
};

TwoGraphs RandomTwo(test::Rng& rng) {
  const auto most = static_cast<uint32_t>(1 + test::Below(rng, test::Below(rng, 4) == 0 ? 4'095 : 40));
  TwoGraphs two;
  two.a = 1 + static_cast<uint32_t>(test::Below(rng, most));
  two.b = 1 + static_cast<uint32_t>(test::Below(rng, most));
  uint32_t overlap = std::min(two.a, two.b);
  for (Level level = 0; level <= kBoundsDepth; ++level) {
    overlap -= static_cast<uint32_t>(test::Below(rng, 3) == 0 ? test::Below(rng, overlap / 4 + 1) : 0);
    two.overlaps.push_back(overlap);
  }
  return two;
}

// Asks for exactly the similarity the two have: they have to survive every bound.
void ExpectKept(const TwoGraphs& two, const Scoring& scoring) {
  const double similarity = scoring.Similarity({scoring.Kernel(two.overlaps), two.b}, two.a);
  if (!(similarity > 0)) {
    return;
  }
  const PairBounds bounds(scoring, similarity);
  uint32_t lost_a = 0;
  uint32_t lost_b = 0;
  uint32_t apart = 0;
  for (Level level = 0; level <= kBoundsDepth; ++level) {
    if (bounds.counts(level)) {
      lost_a += bounds.weight(level) * (two.a - two.overlaps[level]);
      lost_b += bounds.weight(level) * (two.b - two.overlaps[level]);
    }
  }
  apart = lost_a + lost_b;
  EXPECT_GE(bounds.Reach(two.a, lost_a), two.b);
  EXPECT_GE(bounds.Reach(two.b, lost_b), two.a);
  EXPECT_LE(bounds.PartnerMin(two.a), two.b);
  EXPECT_LE(bounds.PartnerMin(two.b), two.a);
  EXPECT_LE(apart, bounds.apart_sum(two.a) + bounds.apart_sum(two.b) -
                       bounds.apart_product(two.a) * bounds.apart_product(two.b));
  EXPECT_GE(bounds.Reach(two.a, 0), bounds.Reach(two.a, lost_a));
}

TEST(PairBounds, KeepWhatIsExactlySimilarEnough) {
  constexpr uint64_t kSeed = 6;
  SCOPED_TRACE(kSeed);
  test::Rng rng(kSeed);
  const std::vector<std::vector<double>> weights{
      {}, {1, 2, 4, 8}, {0, 0, 0, 3}, {0.1, 0.7, 0, 1.3}, {1e-9, 1, 1'048'576, 0.3}, {5e5, 0, 0, 1e-9}};
  for (int round = 0; round < 20'000; ++round) {
    const TwoGraphs two = RandomTwo(rng);
    for (const Measure measure : {Measure::kTanimoto, Measure::kCosine, Measure::kKernel}) {
      ExpectKept(two, ScoringOf(measure, weights[test::Below(rng, weights.size())]));
    }
    if (HasFailure()) {
      FAIL() << two.a << " and " << two.b << " vertices, overlaps " << ::testing::PrintToString(two.overlaps);
    }
  }
}

// At tanimoto 0.8 a graph of 20 vertices, 80 units, needs 64 of a graph of 16, 71 of its own size.
TEST(PairBounds, AreTightWhereWeightsAreEqual) {
  const PairBounds bounds(ScoringOf(Measure::kTanimoto, {2, 2, 2, 2}), 0.8);
  EXPECT_TRUE(bounds.uniform());
  EXPECT_EQ(bounds.weight(3), 1u);
  EXPECT_EQ(bounds.PartnerMin(20), 16u);
  EXPECT_EQ(bounds.Reach(20, 0), 25u);
  EXPECT_EQ(bounds.Reach(20, 8), 20u);
  EXPECT_EQ(bounds.Reach(20, 9), 19u);
  EXPECT_EQ(bounds.Reach(20, 16), 16u);
  EXPECT_EQ(bounds.Reach(20, 80), 0u);
  EXPECT_NEAR(bounds.apart_sum(20) + bounds.apart_sum(20), 160.0 / 9, 1e-6);
}

TEST(PairBounds, AsksForAllOfAGraphWhenNothingLessWillDo) {
  for (const Measure measure : {Measure::kTanimoto, Measure::kCosine}) {
    const PairBounds bounds(ScoringOf(measure, {}), 1);
    EXPECT_EQ(bounds.Reach(30, 0), 30u);
    EXPECT_LT(bounds.Reach(30, 1), 30u);
    EXPECT_EQ(bounds.PartnerMin(30), 30u);
  }
  const PairBounds kernel(ScoringOf(Measure::kKernel, {}), 100);
  EXPECT_EQ(kernel.PartnerMin(5), 25u) << "whatever the size of the other";
  EXPECT_EQ(kernel.Reach(25, 0), PairBounds::kReachMax);
  EXPECT_EQ(kernel.Reach(25, 1), 0u);
}

}  // namespace
}  // namespace kindred
