// The numbers blocks are bounded in: units are never less than the kernel they stand for, and no graph that
// ties with a threshold, by the double or by the exact order, is asked for more units than it has.

#include "index/search/bound_units.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/lists/block_index.h"
#include "tests/support/bounded_blocks.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

// Every vertex wears a colour of its own at each level.
Histogram EachItsOwn(uint32_t vertices, Level depth) {
  std::vector<std::vector<Histogram::Entry>> levels(depth + 1u);
  for (Level level = 0; level <= depth; ++level) {
    for (uint32_t i = 0; i < vertices; ++i) {
      levels[level].push_back({ColourId{level * 10'000'000u + i}, 1});
    }
  }
  return Must(Histogram::FromLevels(vertices, levels));
}

Query QueryOf(Histogram histogram, Measure measure, const std::vector<double>& weights) {
  const Level depth = histogram.depth();
  return {std::move(histogram), Must(Scoring::Create(measure, depth, {}, weights)), 1, {}};
}

// A graph by what a score needs to know of it.
struct Shared {
  uint32_t vertices = 0;
  std::vector<uint32_t> overlaps;
};

// Every graph of up to `vertices_max` vertices that shares something with a query of so many, by its
// overlaps.
std::vector<Shared> EverythingShared(uint32_t query_vertices, uint32_t vertices_max, Level depth) {
  std::vector<Shared> all;
  for (uint32_t n = 1; n <= vertices_max; ++n) {
    for (uint32_t first = 0; first <= std::min(n, query_vertices); ++first) {
      for (uint32_t second = 0; second <= (depth == 0 ? 0 : first); ++second) {
        all.push_back({n, depth == 0 ? std::vector<uint32_t>{first} : std::vector<uint32_t>{first, second}});
      }
    }
  }
  return all;
}

uint32_t UnitsOf(const BoundUnits& units, const std::vector<uint32_t>& overlaps) {
  uint32_t sum = 0;
  for (Level level = 0; level < overlaps.size(); ++level) {
    sum += units.weight(level) * overlaps[level];
  }
  return sum;
}

// `a` is the k-th best, or the threshold: whoever is as good, by the double or exactly, has the units it asks
// for.
void ExpectNoTieIsLost(uint32_t query_vertices, uint32_t vertices_max, const std::vector<double>& weights) {
  const auto depth = static_cast<Level>(weights.size() - 1);
  const std::vector<Shared> graphs = EverythingShared(query_vertices, vertices_max, depth);
  for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
    const Query query = QueryOf(EachItsOwn(query_vertices, depth), measure, weights);
    const BoundUnits units(query);
    NeedTable need(units);
    for (const Shared& a : graphs) {
      const Score kth{query.scoring.Kernel(a.overlaps), a.vertices};
      const double least = query.scoring.Similarity(kth, query_vertices);
      need.SetSimilarity(least);
      for (const Shared& b : graphs) {
        const Score score{query.scoring.Kernel(b.overlaps), b.vertices};
        if (query.scoring.Similarity(score, query_vertices) >= least ||
            query.scoring.Compare(score, kth, query_vertices) >= 0) {
          ASSERT_LE(need(b.vertices), UnitsOf(units, b.overlaps))
              << "query of " << query_vertices << ", measure " << static_cast<int>(measure) << ", weight "
              << weights[0] << ", graphs of " << a.vertices << " and " << b.vertices;
        }
      }
    }
  }
}

TEST(BoundUnits, NeedBoundLosesNoTieOfAnyTwoSmallGraphsWithOneWeight) {
  for (const double weight : {1.0, 3.0, 1048576.0, 0.1, 1.0 / 3, 1e-9, 1048575.3}) {
    for (uint32_t query_vertices = 1; query_vertices <= 12; ++query_vertices) {
      ASSERT_NO_FATAL_FAILURE(ExpectNoTieIsLost(query_vertices, 24, {weight}));
    }
  }
}

TEST(BoundUnits, NeedBoundLosesNoTieOfAnyTwoSmallGraphsWithTwoWeights) {
  for (const std::vector<double>& weights : std::vector<std::vector<double>>{
           {1, 1}, {1, 2}, {0.1, 0.7}, {1e-9, 1 << 20}, {1 << 20, 1e-9}, {0, 0.3}, {0.3, 0}, {1e-9, 3e-9}}) {
    for (uint32_t query_vertices = 1; query_vertices <= 7; ++query_vertices) {
      ASSERT_NO_FATAL_FAILURE(ExpectNoTieIsLost(query_vertices, 9, weights));
    }
  }
}

// Whatever the overlaps, also such as no two graphs of the other tests have.
TEST(BoundUnits, UnitsAreAtLeastTheKernelAndFit16Bits) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    Rng rng(seed);
    const auto depth = static_cast<Level>(Below(rng, kLevelsMax));
    const uint32_t sizes[] = {1, 2, 30, 255, 256, 4'095, 4'096, 6'000};
    const uint32_t query_vertices = sizes[Below(rng, std::size(sizes))];
    const auto weights = WeightsOfKind(static_cast<int>(seed % kWeightKinds), depth, rng);
    const Histogram histogram = EachItsOwn(query_vertices, depth);
    for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
      const Query query = QueryOf(histogram, measure, weights);
      const BoundUnits units(query);
      ASSERT_LE(units.Most(kBlockVerticesMax), uint32_t{UINT16_MAX}) << "seed " << seed;
      for (int i = 0; i < 50; ++i) {
        const auto n = static_cast<uint32_t>(1 + Below(rng, kBlockVerticesMax));
        std::vector<uint32_t> overlaps;
        uint32_t overlap = std::min(n, query_vertices);
        for (Level level = 0; level <= depth; ++level) {
          overlap = static_cast<uint32_t>(Below(rng, 3) == 0 ? Below(rng, overlap + 1) : overlap);
          overlaps.push_back(overlap);
        }
        const Score score{query.scoring.Kernel(overlaps), n};
        const double similarity = query.scoring.Similarity(score, query_vertices);
        const uint32_t has = UnitsOf(units, overlaps);
        ASSERT_LE(units.Need(similarity, n), has) << "seed " << seed;
        ASSERT_LE(units.Need(std::nextafter(similarity, 0.0), n), has) << "seed " << seed;
        ASSERT_LE(units.Need(similarity, n / 2), units.Need(similarity, n)) << "seed " << seed;
        ASSERT_LE(units.Need(similarity / 2, n), units.Need(similarity, n)) << "seed " << seed;
        ASSERT_LE(has, units.Most(n)) << "seed " << seed;
        if (std::ranges::count(weights, weights[0]) == depth + 1) {
          ASSERT_EQ(units.Need(similarity, n), has) << "equal weights lose nothing; seed " << seed;
        }
      }
    }
  }
}

TEST(BoundUnits, AThresholdOfZeroNeedsNothingAndOneBeyondAllMoreThanThereIs) {
  Rng rng(1);
  for (int kind = 0; kind < kWeightKinds; ++kind) {
    for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
      const Query query = QueryOf(EachItsOwn(40, 3), measure, WeightsOfKind(kind, 3, rng));
      const BoundUnits units(query);
      for (const uint32_t vertices : {1u, 40u, kBlockVerticesMax}) {
        EXPECT_EQ(units.Need(0, vertices), 0u);
        EXPECT_GT(units.Need(1e300, vertices), units.Most(vertices)) << "weights " << kind;
      }
      if (measure == Measure::kKernel) {  // The others end at 1.
        EXPECT_GT(units.Need(std::numeric_limits<double>::infinity(), 1), units.Most(kBlockVerticesMax));
      } else {
        EXPECT_LE(units.Need(1, 40), units.Most(40)) << "the graph itself; weights " << kind;
      }
    }
  }
}

TEST(BoundUnits, WithoutALevelThatCountsThereIsNoScoring) {
  EXPECT_THAT(Scoring::Create(Measure::kTanimoto, 3, {}, std::vector<double>{0, 0, 0, 0}),
              StatusIs(kInvalid, "all are 0"));
  EXPECT_THAT(Scoring::Create(Measure::kTanimoto, 3, 0, std::vector<double>{0}),
              StatusIs(kInvalid, "all are 0"));
}

TEST(BoundUnits, AColourCountsAsOftenAsAGraphOfABlockMayWearIt) {
  const auto most = [](uint32_t worn, uint32_t vertices) {
    const Histogram histogram = Must(Histogram::FromLevels(worn, {{{ColourId{7}, worn}}}));
    return BoundUnits(QueryOf(histogram, Measure::kTanimoto, {})).Most(vertices);
  };
  EXPECT_EQ(most(254, kBlockVerticesMax), 254u);
  EXPECT_EQ(most(255, kBlockVerticesMax), 255u);
  EXPECT_EQ(most(256, kBlockVerticesMax), 255u);
  EXPECT_EQ(most(70'000, kBlockVerticesMax), 255u);
  EXPECT_EQ(most(70'000, 9), 9u);
}

TEST(BoundUnits, ALevelThatDoesNotCountHasNoUnits) {
  const BoundUnits units(QueryOf(EachItsOwn(127, 2), Measure::kTanimoto, {0.5, 0, 0.5}));
  EXPECT_EQ(units.weight(1), 0);
  EXPECT_EQ(units.Most(kBlockVerticesMax), 2 * 127u);
}

}  // namespace
}  // namespace kindred::test
