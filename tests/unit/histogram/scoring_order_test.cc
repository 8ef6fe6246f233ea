// Scoring::Compare: exact where doubles tie or misorder.

#include <array>
#include <cmath>
#include <compare>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "index/base/limits.h"
#include "index/histogram/measure.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::Must;

constexpr auto kGreater = std::weak_ordering::greater;
constexpr auto kLess = std::weak_ordering::less;
constexpr auto kEquivalent = std::weak_ordering::equivalent;

__extension__ using Int128 = __int128;

// All 16 levels at the largest weight: W = 2^24.
Scoring HeaviestScoring(Measure measure) {
  return Must(Scoring::Create(measure, kDepthMax, {}, std::vector<double>(kLevelsMax, kWeightMax)));
}

Scoring PlainScoring(Measure measure) { return Must(Scoring::Create(measure, 3, {}, {})); }

TEST(ScoringOrder, MoreKernelIsBetter) {
  for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
    const Scoring scoring = PlainScoring(measure);
    EXPECT_EQ(scoring.Compare({5, 10}, {4, 10}, 10), kGreater);
    EXPECT_EQ(scoring.Compare({4, 10}, {5, 10}, 10), kLess);
    EXPECT_EQ(scoring.Compare({5, 10}, {5, 10}, 10), kEquivalent);
  }
}

TEST(ScoringOrder, OfEqualKernelsTheSmallerGraphIsBetterUnlessKernelIsTheMeasure) {
  EXPECT_EQ(PlainScoring(Measure::kKernel).Compare({5, 8}, {5, 9}, 8), kEquivalent);
  EXPECT_EQ(PlainScoring(Measure::kCosine).Compare({5, 8}, {5, 9}, 8), kGreater);
  EXPECT_EQ(PlainScoring(Measure::kTanimoto).Compare({5, 8}, {5, 9}, 8), kGreater);
}

TEST(ScoringOrder, NothingInCommonTiesWhateverTheSizes) {
  for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
    EXPECT_EQ(PlainScoring(measure).Compare({0, 3}, {0, 700}, 5), kEquivalent);
  }
}

// Query 2^19 vertices, a: 2^19, b: 2^19 - 1. With A = 2^20, B = 2^20 - 1 and t = 2^22 the kernels
// A*t - 1 and A*t - t - 1 make the cross products differ by exactly 1: a is better by one part in 2^62.
TEST(ScoringOrder, TanimotoTellsApartWhatDoublesCannot) {
  const uint64_t t = 1 << 22;
  const uint64_t a_sum = 1 << 20;
  const Score a{static_cast<double>(a_sum * t - 1), 1 << 19};
  const Score b{static_cast<double>(a_sum * t - t - 1), (1 << 19) - 1};
  const Scoring scoring = HeaviestScoring(Measure::kTanimoto);
  ASSERT_EQ(scoring.Similarity(a, 1 << 19), scoring.Similarity(b, 1 << 19)) << "doubles no longer tie";
  EXPECT_EQ(scoring.Compare(a, b, 1 << 19), kGreater);
  EXPECT_EQ(scoring.Compare(b, a, 1 << 19), kLess);
}

// The largest kernels there can be: one more match at the largest weight must count.
TEST(ScoringOrder, TheLargestValuesDoNotOverflow) {
  const uint32_t n = 1 << 20;
  const double full = kWeightMax * kLevelsMax * n;  // 2^44.
  for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
    const Scoring scoring = HeaviestScoring(measure);
    EXPECT_EQ(scoring.Compare({full, n}, {full - 1, n}, n), kGreater);
    EXPECT_EQ(scoring.Compare({full - 1, n}, {full, n}, n), kLess);
    EXPECT_EQ(scoring.Compare({full, n}, {full, n}, n), kEquivalent);
    EXPECT_EQ(scoring.Compare({1, n}, {full, n}, n), kLess);
  }
}

// K_a / sqrt(n_a) = K_b / sqrt(n_b), as 1/sqrt(2) = 3/sqrt(18): a tie, though the doubles often differ.
TEST(ScoringOrder, CosineFindsEveryTieOfSmallGraphs) {
  const Scoring scoring = PlainScoring(Measure::kCosine);
  constexpr uint32_t kQuery = 7;
  int ties = 0;
  int ties_doubles_miss = 0;
  for (uint32_t n_a = 1; n_a <= 40; ++n_a) {
    for (uint32_t n_b = 1; n_b <= 40; ++n_b) {
      for (uint32_t k_a = 1; k_a <= 28; ++k_a) {
        for (uint32_t k_b = 1; k_b <= 28; ++k_b) {
          const Score a{static_cast<double>(k_a), n_a};
          const Score b{static_cast<double>(k_b), n_b};
          const auto expected = uint64_t{k_a} * k_a * n_b <=> uint64_t{k_b} * k_b * n_a;
          ASSERT_EQ(scoring.Compare(a, b, kQuery), expected) << k_a << "/" << n_a << " " << k_b << "/" << n_b;
          if (expected == 0) {
            ++ties;
            ties_doubles_miss += scoring.Similarity(a, kQuery) != scoring.Similarity(b, kQuery) ? 1 : 0;
          }
        }
      }
    }
  }
  EXPECT_GT(ties, 1'500);
  EXPECT_GT(ties_doubles_miss, 0) << "this test no longer shows why doubles will not do";
}

// Random scores with large weights, close to each other, against the fractions of the definition.
class ScoringOrderRandom : public ::testing::TestWithParam<Measure> {};

TEST_P(ScoringOrderRandom, AgreesWithTheFractionsOfTheDefinition) {
  constexpr uint64_t kSeed = 41;
  test::Rng rng(kSeed);
  const Scoring scoring = HeaviestScoring(GetParam());
  const Int128 weight_sum = Int128{1} << 24;
  for (int round = 0; round < 100'000; ++round) {
    const auto query = static_cast<uint32_t>(1 + test::Below(rng, 1 << 20));
    std::array<Score, 2> scores;
    std::array<Int128, 2> k;
    std::array<Int128, 2> n;
    for (size_t i = 0; i < 2; ++i) {
      scores[i].vertex_count =
          static_cast<uint32_t>(i == 0 ? 1 + test::Below(rng, 1 << 20)
                                       : std::max<uint64_t>(1, scores[0].vertex_count - test::Below(rng, 3)));
      const uint64_t most = uint64_t{1 << 24} * std::min(query, scores[i].vertex_count);
      const uint64_t kernel =
          i == 0 ? test::Below(rng, most + 1)
                 : std::min(most, static_cast<uint64_t>(scores[0].kernel) + test::Below(rng, 3));
      scores[i].kernel = static_cast<double>(kernel);
      k[i] = kernel;
      n[i] = scores[i].vertex_count;
    }
    Int128 left = k[0];
    Int128 right = k[1];
    if (GetParam() == Measure::kCosine) {
      left = k[0] * k[0] * n[1];
      right = k[1] * k[1] * n[0];
    } else if (GetParam() == Measure::kTanimoto) {
      left = k[0] * (weight_sum * (query + n[1]) - k[1]);
      right = k[1] * (weight_sum * (query + n[0]) - k[0]);
    }
    const auto expected = left < right ? kLess : (left > right ? kGreater : kEquivalent);
    ASSERT_EQ(scoring.Compare(scores[0], scores[1], query), expected)
        << "seed " << kSeed << " round " << round;
  }
}

INSTANTIATE_TEST_SUITE_P(Measures, ScoringOrderRandom,
                         ::testing::Values(Measure::kKernel, Measure::kCosine, Measure::kTanimoto));

// With fractional weights the order is that of the doubles a client sees.
TEST(ScoringOrder, FractionalWeightsFollowTheSimilarityShown) {
  constexpr uint64_t kSeed = 43;
  test::Rng rng(kSeed);
  for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
    const Scoring scoring = Must(Scoring::Create(measure, 2, {}, std::vector<double>{0.1, 0.7, 1.3}));
    for (int round = 0; round < 5'000; ++round) {
      std::array<Score, 2> scores;
      for (Score& score : scores) {
        const auto overlap = static_cast<uint32_t>(test::Below(rng, 5));
        score = {scoring.Kernel(std::vector<uint32_t>{5, overlap, overlap / 2}),
                 static_cast<uint32_t>(5 + test::Below(rng, 4))};
      }
      const double left = scoring.Similarity(scores[0], 6);
      const double right = scoring.Similarity(scores[1], 6);
      const auto expected = left < right ? kLess : (left > right ? kGreater : kEquivalent);
      ASSERT_EQ(scoring.Compare(scores[0], scores[1], 6), expected) << "seed " << kSeed;
    }
  }
}

// Of graphs that two queries are compared with: the similarity itself decides, whichever query it belongs to.
TEST(ScoringOrder, AcrossQueriesOrdersAsFractionsDo) {
  for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
    const Scoring scoring = PlainScoring(measure);
    int ties = 0;
    for (uint64_t seed = 0; seed < 200'000; ++seed) {
      test::Rng rng(seed);
      const auto draw = [&](uint32_t most) { return static_cast<uint32_t>(1 + test::Below(rng, most)); };
      const uint32_t a_query = draw(12);
      const uint32_t b_query = draw(12);
      const Score a{static_cast<double>(test::Below(rng, 13)), draw(12)};
      const Score b{static_cast<double>(test::Below(rng, 13)), draw(12)};
      const auto ka = static_cast<Int128>(a.kernel);
      const auto kb = static_cast<Int128>(b.kernel);
      // The definitions, multiplied out; W = 4.
      Int128 left = ka;
      Int128 right = kb;
      if (measure == Measure::kCosine) {
        left = ka * ka * 16 * b_query * b.vertex_count;
        right = kb * kb * 16 * a_query * a.vertex_count;
      } else if (measure == Measure::kTanimoto) {
        left = ka * (4 * (Int128{b_query} + b.vertex_count) - kb);
        right = kb * (4 * (Int128{a_query} + a.vertex_count) - ka);
      }
      const auto expected = left < right ? kLess : (left > right ? kGreater : kEquivalent);
      ties += expected == kEquivalent ? 1 : 0;
      ASSERT_EQ(scoring.CompareAcross(a, a_query, b, b_query), expected) << "seed " << seed;
      if (a_query == b_query) {
        ASSERT_EQ(scoring.Compare(a, b, a_query), expected) << "seed " << seed;
      }
    }
    EXPECT_GT(ties, 1'000);
  }
}

// K^2 n n of the largest kernels has 129 bits.
TEST(ScoringOrder, AcrossQueriesTheLargestValuesDoNotOverflow) {
  const uint32_t n = 1 << 20;
  const double full = kWeightMax * kLevelsMax * n;  // 2^44.
  for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
    const Scoring scoring = HeaviestScoring(measure);
    EXPECT_EQ(scoring.CompareAcross({full, n}, n, {full - 1, n}, n), kGreater);
    EXPECT_EQ(scoring.CompareAcross({full - 1, n}, n, {full, n}, n), kLess);
    EXPECT_EQ(scoring.CompareAcross({full, n}, n, {full, n}, n), kEquivalent);
    EXPECT_EQ(scoring.CompareAcross({1, n}, n, {full, n}, n), kLess);
    EXPECT_EQ(scoring.CompareAcross({full, n}, n, {1, 1}, 1), kGreater);
  }
  const Scoring cosine = HeaviestScoring(Measure::kCosine);
  EXPECT_EQ(cosine.CompareAcross({full, n}, n, {full / n, 1}, 1), kEquivalent) << "both are 1";
  EXPECT_EQ(cosine.CompareAcross({full, n}, n, {full / n - 1, 1}, 1), kGreater);
}

}  // namespace
}  // namespace kindred
