// Bounds that leave graphs out, beside every graph there could be.

#include "index/search/similarity_floor.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/graphs.h"

namespace kindred::test {
namespace {

constexpr uint32_t kVerticesMost = 12;

// All overlaps of three levels with I_0 >= I_1 >= I_2, at most `most` of each, for a graph of n vertices.
template <typename Visit>
void ForEachOverlaps(std::vector<uint32_t> most, uint32_t vertices, Visit visit) {
  for (uint32_t a = 0; a <= std::min(most[0], vertices); ++a) {
    for (uint32_t b = 0; b <= std::min(most[1], a); ++b) {
      for (uint32_t c = 0; c <= std::min(most[2], b); ++c) {
        visit({a, b, c});
      }
    }
  }
}

class SimilarityFloorTest : public ::testing::TestWithParam<Measure> {
 protected:
  static std::vector<std::vector<double>> Weights() {
    return {{1, 1, 1}, {0, 3, 1}, {0.1, 0, 0.7}, {5, 1e-9, 2}};
  }

  static Scoring ScoringOf(const std::vector<double>& weights) {
    return *Scoring::Create(GetParam(), 2, std::nullopt, weights);
  }

  // Those that occur, and their neighbours.
  static std::vector<double> Floors(Rng& rng, const Scoring& scoring, uint32_t query) {
    std::vector<double> floors;
    while (floors.size() < 12) {
      const auto n = static_cast<uint32_t>(1 + Below(rng, kVerticesMost));
      const auto a = static_cast<uint32_t>(Below(rng, std::min(n, query) + 1));
      const auto b = static_cast<uint32_t>(Below(rng, a + 1));
      const std::vector<uint32_t> overlaps{a, b, static_cast<uint32_t>(Below(rng, b + 1))};
      const double similarity = scoring.Similarity({scoring.Kernel(overlaps), n}, query);
      for (const double floor :
           {similarity, std::nextafter(similarity, 0.0), std::nextafter(similarity, 1e9)}) {
        if (floor > 0) {
          floors.push_back(floor);
        }
      }
    }
    return floors;
  }
};

TEST_P(SimilarityFloorTest, NothingThatReachesItIsLeftOut) {
  Rng rng(3);
  size_t reached = 0;
  size_t ruled_out = 0;
  for (const auto& weights : Weights()) {
    const Scoring scoring = ScoringOf(weights);
    for (uint32_t query = 1; query <= 8; ++query) {
      for (const double least : Floors(rng, scoring, query)) {
        const SimilarityFloor floor(scoring, query, least);
        // Chosen colours that leave so much.
        const auto m0 = static_cast<uint32_t>(Below(rng, query + 1));
        const auto m1 = static_cast<uint32_t>(Below(rng, m0 + 1));
        const std::vector<uint32_t> most{m0, m1, static_cast<uint32_t>(Below(rng, m1 + 1))};
        const bool out = floor.RulesOut(scoring, most);
        ruled_out += out ? 1 : 0;
        for (uint32_t n = 1; n <= kVerticesMost; ++n) {
          ForEachOverlaps({query, query, query}, n, [&](const std::vector<uint32_t>& overlaps) {
            const Score score{scoring.Kernel(overlaps), n};
            if (!floor.Reaches(scoring, score)) {
              return;
            }
            ++reached;
            EXPECT_GE(n, floor.vertices_min());
            EXPECT_LE(n, floor.vertices_max());
            EXPECT_GE(score.kernel, floor.KernelNeeded(GraphSize(n)));
            EXPECT_LE(n, floor.VerticesMost(score.kernel));
            EXPECT_GE(score.kernel, KernelLeast(scoring, n, least));
            const bool within = overlaps[0] <= most[0] && overlaps[1] <= most[1] && overlaps[2] <= most[2];
            EXPECT_FALSE(out && within) << "least " << least << " query " << query << " graph " << n;
          });
        }
      }
    }
  }
  EXPECT_GT(reached, 1000u);
  EXPECT_GT(ruled_out, 20u);
}

TEST_P(SimilarityFloorTest, BoundsAreTight) {
  const Scoring scoring = ScoringOf({1, 1, 1});
  const SimilarityFloor whole(scoring, 10, GetParam() == Measure::kKernel ? 30 : 1);
  EXPECT_EQ(whole.vertices_min(), 10u);
  EXPECT_EQ(whole.vertices_max() > 10, GetParam() == Measure::kKernel);
  EXPECT_TRUE(whole.RulesOut(scoring, std::vector<uint32_t>{10, 10, 9}));
  EXPECT_FALSE(whole.RulesOut(scoring, std::vector<uint32_t>{10, 10, 10}));
  const SimilarityFloor half(scoring, 10, GetParam() == Measure::kKernel ? 15 : 0.5);
  EXPECT_EQ(half.vertices_min(), GetParam() == Measure::kCosine ? 3u : 5u);
  EXPECT_TRUE(half.RulesOut(scoring, std::vector<uint32_t>{2, 2, 2}));
}

TEST_P(SimilarityFloorTest, VerticesMostIsTheLastThatNeedsNoMore) {
  for (const auto& weights : Weights()) {
    const Scoring scoring = ScoringOf(weights);
    for (uint32_t query = 1; query <= 20; ++query) {
      for (const double least : {0.3, 0.5, 0.8, 1.0}) {
        const SimilarityFloor floor(scoring, query, least);
        for (uint32_t shared = 0; shared <= query; ++shared) {
          const double kernel = scoring.SelfKernel(shared);
          const uint32_t most = floor.VerticesMost(kernel);
          if (most > 0) {
            EXPECT_LE(floor.KernelNeeded(GraphSize(most)), kernel * (1 + 1e-8));
          }
          if (most < floor.vertices_max()) {
            EXPECT_GT(floor.KernelNeeded(GraphSize(most + 1)), kernel);
          }
        }
      }
    }
  }
}

TEST_P(SimilarityFloorTest, OutOfReachLeavesEverythingOut) {
  const Scoring scoring = ScoringOf({1, 1, 1});
  if (GetParam() == Measure::kKernel) {
    const SimilarityFloor floor(scoring, 10, 30.1);
    EXPECT_GT(floor.vertices_min(), floor.vertices_max());
    EXPECT_TRUE(floor.RulesOut(scoring, std::vector<uint32_t>{10, 10, 10}));
  }
}

INSTANTIATE_TEST_SUITE_P(Measures, SimilarityFloorTest,
                         ::testing::Values(Measure::kKernel, Measure::kCosine, Measure::kTanimoto));

}  // namespace
}  // namespace kindred::test
