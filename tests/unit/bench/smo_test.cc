// Smo: what it finds is optimal, which is shown from the kernel and the coefficients alone; a cost that goes
// on from a lower one finds what it finds from nothing.

#include "bench/smo.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace kindred::bench {
namespace {

constexpr double kTolerance = 1e-3;
constexpr uint64_t kStepsMax = 10'000'000;

struct Problem {
  std::vector<float> kernel;
  std::vector<int> signs;
};

// Histogram intersections of random histograms: positive semidefinite, of whole numbers, with equal rows
// among them.
Problem RandomProblem(size_t size, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<int>> histograms;
  Problem problem;
  for (size_t i = 0; i < size; ++i) {
    problem.signs.push_back(i == 0 ? 1 : i == 1 ? -1 : random() % 2 == 0 ? 1 : -1);
    std::vector<int> histogram(6);
    for (size_t bin = 0; bin < histogram.size(); ++bin) {
      histogram[bin] = static_cast<int>(random() % 8) + (bin == 0 ? 2 * problem.signs.back() + 2 : 0);
    }
    histograms.push_back(i > 2 && random() % 10 == 0 ? histograms[i / 2] : histogram);
  }
  for (const auto& one : histograms) {
    for (const auto& other : histograms) {
      int sum = 0;
      for (size_t bin = 0; bin < one.size(); ++bin) {
        sum += std::min(one[bin], other[bin]);
      }
      problem.kernel.push_back(static_cast<float>(sum));
    }
  }
  return problem;
}

// The conditions of Karush, Kuhn and Tucker, as LIBSVM's tolerance has them.
void ExpectOptimal(const Problem& problem, const Smo& smo, double cost) {
  const size_t size = problem.signs.size();
  const std::vector<float> coefficients = smo.Coefficients();
  double sum = 0;
  double highest = -1e300;
  double lowest = 1e300;
  for (size_t i = 0; i < size; ++i) {
    const double weight = static_cast<double>(coefficients[i]) * problem.signs[i];
    EXPECT_GE(weight, 0);
    EXPECT_LE(weight, cost * (1 + 1e-6));
    sum += static_cast<double>(coefficients[i]);
    double slope = problem.signs[i];
    for (size_t j = 0; j < size; ++j) {
      slope -= static_cast<double>(problem.kernel[i * size + j]) * static_cast<double>(coefficients[j]);
    }
    const bool can_grow = weight < cost * (1 - 1e-6);
    const bool can_shrink = weight > 0;
    if (problem.signs[i] > 0 ? can_grow : can_shrink) {
      highest = std::max(highest, slope);
    }
    if (problem.signs[i] > 0 ? can_shrink : can_grow) {
      lowest = std::min(lowest, slope);
    }
  }
  // Coefficients are floats: so much for their rounding, in sums of `size` of them times kernels up to 50.
  const double rounding = 1e-7 * cost * static_cast<double>(size) * 50;
  EXPECT_NEAR(sum, 0, rounding);
  EXPECT_LT(highest - lowest, kTolerance + rounding);
  EXPECT_LE(smo.Bias(), std::max(highest, lowest) + rounding);
  EXPECT_GE(smo.Bias(), std::min(highest, lowest) - kTolerance - rounding);
}

// Sizes about the blocks its loops go by.
TEST(Smo, FindsWhatIsOptimalForCostsThatAscend) {
  for (const size_t size : {2, 3, 17, 255, 256, 257, 300}) {
    SCOPED_TRACE(size);
    const Problem problem = RandomProblem(size, size);
    Smo smo(problem.kernel, problem.signs);
    for (const double cost : {0.001, 0.1, 1.0}) {
      SCOPED_TRACE(cost);
      ASSERT_TRUE(smo.Solve(cost, kStepsMax));
      ExpectOptimal(problem, smo, cost);
    }
  }
}

TEST(Smo, GoesOnFromALowerCostToTheSameObjective) {
  const Problem problem = RandomProblem(120, 5);
  Smo warm(problem.kernel, problem.signs);
  for (const double cost : {0.001, 0.01, 0.1, 1.0, 10.0}) {
    SCOPED_TRACE(cost);
    Smo cold(problem.kernel, problem.signs);
    ASSERT_TRUE(warm.Solve(cost, kStepsMax));
    ASSERT_TRUE(cold.Solve(cost, kStepsMax));
    // Neither is further from the optimum than the tolerance times all weight there can be.
    EXPECT_NEAR(warm.Objective(), cold.Objective(), kTolerance * cost * 120);
    EXPECT_GT(warm.Objective(), 0);
  }
}

TEST(Smo, SolvesTwoGraphsByHand) {
  // Weights are equal: the objective is 2a - a^2/2 * (4 + 4 - 2 * 2), whose maximum is at a = 1/2.
  Smo smo({4, 2, 2, 4}, std::vector<int>{1, -1});
  ASSERT_TRUE(smo.Solve(0.25, kStepsMax));
  EXPECT_TRUE(smo.any_bounded());
  EXPECT_EQ(smo.Coefficients(), (std::vector<float>{0.25F, -0.25F}));
  ASSERT_TRUE(smo.Solve(100, kStepsMax));
  EXPECT_FALSE(smo.any_bounded());
  EXPECT_EQ(smo.Coefficients(), (std::vector<float>{0.5F, -0.5F}));
  EXPECT_EQ(smo.Bias(), 0);
  EXPECT_EQ(smo.Objective(), 0.5);
}

TEST(Smo, GivesUpAfterSoManySteps) {
  const Problem problem = RandomProblem(120, 6);
  Smo smo(problem.kernel, problem.signs);
  EXPECT_FALSE(smo.Solve(1, 10));
  EXPECT_TRUE(smo.Solve(1, kStepsMax));
}

}  // namespace
}  // namespace kindred::bench
