// Kernel matrices are positive semidefinite: what a support vector machine needs of them.

#include <algorithm>
#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "index/histogram/histogram.h"
#include "index/histogram/measure.h"
#include "tests/property/generators.h"
#include "tests/property/rapidcheck_gtest.h"
#include "tests/support/corpus.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

constexpr Level kGramDepth = 3;
using Matrix = std::vector<std::vector<double>>;

// The smallest eigenvalue of a symmetric matrix, by cyclic Jacobi rotations.
double SmallestEigenvalue(Matrix m) {
  const size_t n = m.size();
  for (int sweep = 0; sweep < 50; ++sweep) {
    double off_diagonal = 0;
    for (size_t p = 0; p < n; ++p) {
      for (size_t q = p + 1; q < n; ++q) {
        off_diagonal += m[p][q] * m[p][q];
        if (m[p][q] == 0) {
          continue;
        }
        const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1);
        const double s = t * c;
        for (size_t k = 0; k < n; ++k) {
          const double left = m[k][p];
          const double right = m[k][q];
          m[k][p] = c * left - s * right;
          m[k][q] = s * left + c * right;
        }
        for (size_t k = 0; k < n; ++k) {
          const double left = m[p][k];
          const double right = m[q][k];
          m[p][k] = c * left - s * right;
          m[q][k] = s * left + c * right;
        }
      }
    }
    if (off_diagonal < 1e-24) {
      break;
    }
  }
  double smallest = n == 0 ? 0 : m[0][0];
  for (size_t i = 0; i < n; ++i) {
    smallest = std::min(smallest, m[i][i]);
  }
  return smallest;
}

Matrix MatrixOf(Measure measure, const std::vector<Graph>& graphs, const std::vector<double>& weights) {
  ColourHierarchy hierarchy;
  std::vector<Histogram> histograms;
  for (const Graph& graph : graphs) {
    histograms.push_back(GrowHistogram(hierarchy, graph, kGramDepth));
  }
  const Scoring scoring = Must(Scoring::Create(measure, kGramDepth, {}, weights));
  Matrix matrix(graphs.size(), std::vector<double>(graphs.size()));
  for (size_t i = 0; i < graphs.size(); ++i) {
    for (size_t j = 0; j < graphs.size(); ++j) {
      const double kernel = scoring.Kernel(LevelOverlaps(histograms[i], histograms[j]));
      matrix[i][j] = scoring.Similarity({kernel, histograms[j].vertex_count()}, histograms[i].vertex_count());
    }
  }
  return matrix;
}

// Rounding may push an eigenvalue of 0 below it by this much of the trace.
double Tolerance(const Matrix& matrix) {
  double trace = 0;
  for (size_t i = 0; i < matrix.size(); ++i) {
    trace += matrix[i][i];
  }
  return 1e-12 * trace;
}

RC_GTEST_PROP(PositiveSemidefinite, MatricesOfEveryMeasure, ()) {
  const std::vector<Graph> graphs = ToGraphs(*GenGraphs(14, {.vertices_max = 9, .density = 3}));
  const auto weights = *rc::gen::elementOf(
      std::vector<std::vector<double>>{{1, 1, 1, 1}, {0, 0, 0, 1}, {8, 4, 2, 1}, {0.1, 0.2, 0.3, 0.4}});
  for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
    const Matrix matrix = MatrixOf(measure, graphs, weights);
    for (size_t i = 0; i < matrix.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        RC_ASSERT(matrix[i][j] == matrix[j][i]);
      }
    }
    RC_ASSERT(SmallestEigenvalue(matrix) >= -Tolerance(matrix));
  }
}

TEST(SmallestEigenvalue, IsRightForKnownMatrices) {
  EXPECT_NEAR(SmallestEigenvalue({{2, 1}, {1, 2}}), 1, 1e-12);
  EXPECT_NEAR(SmallestEigenvalue({{1, 2}, {2, 1}}), -1, 1e-12);
  EXPECT_NEAR(SmallestEigenvalue({{4, 0, 0}, {0, -3, 0}, {0, 0, 5}}), -3, 1e-12);
  // The path of three vertices: -sqrt(2).
  EXPECT_NEAR(SmallestEigenvalue({{0, 1, 0}, {1, 0, 1}, {0, 1, 0}}), -std::sqrt(2.0), 1e-12);
}

}  // namespace
}  // namespace kindred::test
