// Scoring: what it accepts, and the values of the three measures.

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "index/base/limits.h"
#include "index/histogram/measure.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::IsOk;
using test::kInvalid;
using test::Must;
using test::StatusIs;

constexpr Measure kMeasures[] = {Measure::kKernel, Measure::kCosine, Measure::kTanimoto};

absl::StatusOr<Scoring> Create(std::optional<uint32_t> depth, const std::vector<double>& weights) {
  return Scoring::Create(Measure::kTanimoto, 3, depth, weights);
}

TEST(Scoring, DefaultsToTheIndexDepthAndEqualWeights) {
  const Scoring scoring = Must(Create(std::nullopt, {}));
  EXPECT_EQ(scoring.depth(), 3);
  EXPECT_TRUE(scoring.integral());
  for (Level level = 0; level <= 3; ++level) {
    EXPECT_EQ(scoring.weight(level), 1.0);
  }
}

TEST(Scoring, TakesEveryDepthUpToTheIndexAndNoneBeyond) {
  for (uint32_t depth = 0; depth <= 3; ++depth) {
    EXPECT_EQ(Must(Create(depth, {})).depth(), depth);
  }
  for (const uint32_t depth : {4u, 256u, UINT32_MAX}) {
    EXPECT_THAT(Create(depth, {}), StatusIs(absl::StatusCode::kFailedPrecondition, "beyond the index"));
  }
}

TEST(Scoring, WantsOneWeightALevel) {
  EXPECT_THAT(Create(std::nullopt, {1, 2, 3, 4}), IsOk());
  EXPECT_THAT(Create(1, {1, 2}), IsOk());
  EXPECT_THAT(Create(std::nullopt, {1, 2, 3}),
              StatusIs(kInvalid, "weights: there are 3, but levels 0..3 need 4"));
  EXPECT_THAT(Create(1, {1, 2, 3}), StatusIs(kInvalid, "weights: there are 3, but levels 0..1 need 2"));
}

TEST(Scoring, RefusesAWeightOutOfRangeByItsPlace) {
  const double kNan = std::numeric_limits<double>::quiet_NaN();
  const double kInf = std::numeric_limits<double>::infinity();
  for (const double bad : {-1.0, -1e-300, std::nextafter(kWeightMax, kInf), kInf, -kInf, kNan}) {
    EXPECT_THAT(Create(2, {1, bad, 1}), StatusIs(kInvalid, "weights[1]:")) << bad;
  }
  EXPECT_THAT(Create(2, {1, kWeightMax, 1}), IsOk());
  EXPECT_THAT(Create(2, {1, 0, 1}), IsOk());
}

TEST(Scoring, RefusesWeightsThatAreAllZero) {
  EXPECT_THAT(Create(1, {0, 0}), StatusIs(kInvalid, "weights: all are 0"));
  EXPECT_THAT(Create(1, {-0.0, 0}), StatusIs(kInvalid, "weights: all are 0"));
  EXPECT_THAT(Create(1, {0, 1e-3}), IsOk());
}

TEST(Scoring, KnowsIntegralWeights) {
  EXPECT_TRUE(Must(Create(1, {0, kWeightMax})).integral());
  EXPECT_FALSE(Must(Create(1, {1, 0.5})).integral());
  EXPECT_FALSE(Must(Create(1, {1 + 1e-15, 1})).integral());
}

TEST(Scoring, KernelReadsNoLevelBeyondItsDepth) {
  const std::vector<uint32_t> overlaps{7, 5, 3, 2};
  EXPECT_EQ(Must(Create(0, {})).Kernel(overlaps), 7.0);
  EXPECT_EQ(Must(Create(2, {})).Kernel(overlaps), 15.0);
  EXPECT_EQ(Must(Create(2, {2, 0, 0.5})).Kernel(overlaps), 15.5);
  EXPECT_EQ(Must(Create(0, {})).Kernel(std::vector<uint32_t>{7}), 7.0);
}

TEST(Scoring, MeasuresAtKnownValues) {
  const Score score{12, 9};  // K = 12 to a graph of 9 vertices; the query has 4; W = 3.
  const std::vector<double> weights{1, 2};
  const auto similarity = [&](Measure measure) {
    return Must(Scoring::Create(measure, 3, 1, weights)).Similarity(score, 4);
  };
  EXPECT_EQ(similarity(Measure::kKernel), 12.0);
  EXPECT_EQ(similarity(Measure::kCosine), 12.0 / 18.0);
  EXPECT_EQ(similarity(Measure::kTanimoto), 12.0 / 27.0);
}

TEST(Scoring, NothingInCommonIsZero) {
  for (const Measure measure : kMeasures) {
    EXPECT_EQ(Must(Scoring::Create(measure, 3, {}, {})).Similarity({0, 5}, 7), 0.0);
  }
}

// The similarity of a graph to itself, for graphs of 1..300 vertices.
void ExpectSelfSimilarityOne(const std::vector<double>& weights) {
  for (const Measure measure : {Measure::kCosine, Measure::kTanimoto}) {
    const Scoring scoring = Must(Scoring::Create(measure, 3, {}, weights));
    for (uint32_t n = 1; n <= 300; ++n) {
      const double kernel = scoring.Kernel(std::vector<uint32_t>(4, n));
      ASSERT_EQ(scoring.Similarity({kernel, n}, n) - 1.0, 0.0)
          << "measure " << static_cast<int>(measure) << ", " << n << " vertices";
    }
  }
}

TEST(Scoring, AGraphIsSimilarToItselfByExactlyOneWithIntegralWeights) {
  ExpectSelfSimilarityOne({});
  ExpectSelfSimilarityOne({3, 0, 7, kWeightMax});
}

TEST(Scoring, AGraphIsSimilarToItselfByExactlyOneWithBinaryFractions) {
  ExpectSelfSimilarityOne({0.5, 0.25, 1.75, 0.125});
}

// Else a search with min_similarity = 1 misses the equal graph.
TEST(Scoring, AGraphIsSimilarToItselfByExactlyOneWithDecimalFractions) {
  ExpectSelfSimilarityOne({0.1, 0.2, 0.3, 0.7});
}

// Products of tiny weights must not vanish: 0/0 is NaN, and a NaN breaks the order of the answers.
TEST(Scoring, TinyWeightsAreRefusedOrDoNotVanish) {
  for (const double tiny : {1e-100, 1e-160, 1e-200, 1e-300, 5e-324}) {
    const std::vector<double> weights{tiny, 0, tiny, tiny};
    if (Scoring::Create(Measure::kCosine, 3, {}, weights).ok()) {
      SCOPED_TRACE(tiny);
      ExpectSelfSimilarityOne(weights);
    }
  }
}

}  // namespace
}  // namespace kindred
