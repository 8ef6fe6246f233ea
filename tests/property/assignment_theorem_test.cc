// The theorem the kernel rests on (Kriege, Giscard, Wilson 2016): the histogram intersection equals the
// value of an optimal assignment of the vertices of one graph to those of the other, where a pair (u, v) is
// worth the sum of the weights of the levels at which u and v wear the same colour.
//
// The assignment is solved twice, by the Hungarian algorithm and by trying all, on colours that are
// strings; the kernel comes from the product.

#include <vector>

#include "gtest/gtest.h"
#include "index/histogram/histogram.h"
#include "index/histogram/measure.h"
#include "tests/property/generators.h"
#include "tests/property/rapidcheck_gtest.h"
#include "tests/support/assignment.h"
#include "tests/support/corpus.h"
#include "tests/support/reference_model.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

constexpr Level kTheoremDepth = 4;

// The base kernel of every pair of vertices, with these weights for levels 0, 1, ...
SimilarityMatrix BaseKernel(const Graph& a, const Graph& b, const std::vector<int64_t>& weights) {
  const auto depth = static_cast<Level>(weights.size() - 1);
  const NaiveColours colours_a = NaiveColoursOf(a, depth);
  const NaiveColours colours_b = NaiveColoursOf(b, depth);
  SimilarityMatrix matrix(a.vertex_count(), std::vector<int64_t>(b.vertex_count(), 0));
  for (size_t level = 0; level < weights.size(); ++level) {
    for (uint32_t u = 0; u < a.vertex_count(); ++u) {
      for (uint32_t v = 0; v < b.vertex_count(); ++v) {
        matrix[u][v] += colours_a[level][u] == colours_b[level][v] ? weights[level] : 0;
      }
    }
  }
  return matrix;
}

// K(a, b) as the product computes it.
int64_t Kernel(const Graph& a, const Graph& b, const std::vector<int64_t>& weights) {
  ColourHierarchy hierarchy;
  const Histogram histogram_a = GrowHistogram(hierarchy, a, kTheoremDepth);
  const Histogram histogram_b = GrowHistogram(hierarchy, b, kTheoremDepth);
  const Scoring scoring =
      Must(Scoring::Create(Measure::kKernel, kTheoremDepth, static_cast<uint32_t>(weights.size() - 1),
                           std::vector<double>(weights.begin(), weights.end())));
  return static_cast<int64_t>(scoring.Kernel(LevelOverlaps(histogram_a, histogram_b)));
}

RC_GTEST_PROP(AssignmentTheorem, KernelEqualsTheBestOfAllAssignments, ()) {
  const GraphShape shape{.vertices_max = 6};
  const Graph a = ToGraph(*GenGraph(shape));
  const Graph b = ToGraph(*GenGraph(shape));
  for (size_t depth = 0; depth <= kTheoremDepth; ++depth) {
    const std::vector<int64_t> weights(depth + 1, 1);
    RC_ASSERT(Kernel(a, b, weights) == BruteForceAssignment(BaseKernel(a, b, weights)));
  }
}

RC_GTEST_PROP(AssignmentTheorem, KernelEqualsTheHungarianAssignment, ()) {
  const GraphShape shape{.vertices_max = 14, .vertex_labels = 3, .density = 2};
  const Graph a = ToGraph(*GenGraph(shape));
  const Graph b = ToGraph(*GenGraph(shape));
  for (size_t depth = 0; depth <= 3; ++depth) {
    const std::vector<int64_t> weights(depth + 1, 1);
    RC_ASSERT(Kernel(a, b, weights) == HungarianAssignment(BaseKernel(a, b, weights)));
  }
}

RC_GTEST_PROP(AssignmentTheorem, HoldsForEveryWeighting, ()) {
  const GraphShape shape{.vertices_max = 6};
  const Graph a = ToGraph(*GenGraph(shape));
  const Graph b = ToGraph(*GenGraph(shape));
  auto weights = *rc::gen::container<std::vector<int64_t>>(3, rc::gen::inRange<int64_t>(0, 6));
  weights[*rc::gen::inRange<size_t>(0, weights.size())] += 1;  // Not all 0.
  const SimilarityMatrix base = BaseKernel(a, b, weights);
  RC_ASSERT(Kernel(a, b, weights) == BruteForceAssignment(base));
  RC_ASSERT(Kernel(a, b, weights) == HungarianAssignment(base));
}

// The two solvers agree where no hierarchy makes it easy.
RC_GTEST_PROP(AssignmentSolvers, AgreeOnAnyMatrix, ()) {
  const auto rows = *rc::gen::inRange<size_t>(1, 7);
  const auto columns = *rc::gen::inRange<size_t>(1, 7);
  const auto matrix = *rc::gen::container<SimilarityMatrix>(
      rows, rc::gen::container<std::vector<int64_t>>(columns, rc::gen::inRange<int64_t>(0, 10)));
  RC_ASSERT(HungarianAssignment(matrix) == BruteForceAssignment(matrix));
}

TEST(AssignmentSolvers, FindTheKnownBest) {
  // Greedy takes 9 + 1; the best is 8 + 7.
  const SimilarityMatrix matrix{{9, 8}, {7, 1}};
  EXPECT_EQ(HungarianAssignment(matrix), 15);
  EXPECT_EQ(BruteForceAssignment(matrix), 15);
  EXPECT_EQ(HungarianAssignment({{1, 5, 2}}), 5);
  EXPECT_EQ(BruteForceAssignment({{1}, {5}, {2}}), 5);
}

}  // namespace
}  // namespace kindred::test
