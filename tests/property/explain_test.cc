// The assignment that Explain shows: one to one, as deep as it says, and worth the kernel.
//
// Whether two vertices agree is decided by colours that are strings (tests/support/reference_model.h), what
// the best sum is by solvers that know no hierarchy (tests/support/assignment.h).

#include <algorithm>
#include <set>
#include <vector>

#include "gtest/gtest.h"
#include "index/histogram/assignment.h"
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

Assignment Assign(const Graph& a, const Graph& b, Level depth) {
  return AssignVertices(a, b, RefinePair(a, b, depth));
}

// At how many levels two vertices agree, by definition.
class Agreement {
 public:
  Agreement(const Graph& a, const Graph& b, Level depth)
      : a_(NaiveColoursOf(a, depth)), b_(NaiveColoursOf(b, depth)) {}

  uint32_t Levels(uint32_t u, uint32_t v) const {
    uint32_t levels = 0;
    while (levels < a_.size() && a_[levels][u] == b_[levels][v]) {
      ++levels;
    }
    return levels;
  }

 private:
  NaiveColours a_;
  NaiveColours b_;
};

int64_t WeightOf(uint32_t levels, const std::vector<int64_t>& weights) {
  int64_t sum = 0;
  for (uint32_t level = 0; level < levels; ++level) {
    sum += weights[level];
  }
  return sum;
}

int64_t ValueOf(const Assignment& assignment, const std::vector<int64_t>& weights) {
  int64_t sum = 0;
  for (const Assignment::Pair& pair : assignment.pairs) {
    sum += WeightOf(pair.levels, weights);
  }
  return sum;
}

GraphShape ShapeOfLittleVariety() { return {.vertices_max = 14, .vertex_labels = 3, .density = 2}; }

RC_GTEST_PROP(Explain, IsOneToOneOnTheSmallerGraph, ()) {
  const Graph a = ToGraph(*GenGraph(ShapeOfLittleVariety()));
  const Graph b = ToGraph(*GenGraph(ShapeOfLittleVariety()));
  const Assignment assignment = Assign(a, b, 3);
  RC_ASSERT(assignment.pairs.size() == std::min(a.vertex_count(), b.vertex_count()));
  std::set<uint32_t> of_a;
  std::set<uint32_t> of_b;
  for (const Assignment::Pair& pair : assignment.pairs) {
    RC_ASSERT(pair.a < a.vertex_count());
    RC_ASSERT(pair.b < b.vertex_count());
    const bool ascending = of_a.empty() || *of_a.rbegin() < pair.a;
    RC_ASSERT(ascending);
    of_a.insert(pair.a);
    RC_ASSERT(of_b.insert(pair.b).second);
  }
}

RC_GTEST_PROP(Explain, EveryPairAgreesToTheStatedDepthAndNotDeeper, ()) {
  const Graph a = ToGraph(*GenGraph(ShapeOfLittleVariety()));
  const Graph b = ToGraph(*GenGraph(ShapeOfLittleVariety()));
  for (Level depth = 0; depth <= 4; ++depth) {
    const Agreement agreement(a, b, depth);
    for (const Assignment::Pair& pair : Assign(a, b, depth).pairs) {
      RC_ASSERT(pair.levels == agreement.Levels(pair.a, pair.b));
    }
  }
}

RC_GTEST_PROP(Explain, IsWorthTheBestAssignmentForEveryWeighting, ()) {
  const Graph a = ToGraph(*GenGraph(ShapeOfLittleVariety()));
  const Graph b = ToGraph(*GenGraph(ShapeOfLittleVariety()));
  const auto weights = *rc::gen::container<std::vector<int64_t>>(4, rc::gen::inRange<int64_t>(0, 6));
  const Agreement agreement(a, b, 3);
  SimilarityMatrix matrix(a.vertex_count(), std::vector<int64_t>(b.vertex_count()));
  for (uint32_t u = 0; u < a.vertex_count(); ++u) {
    for (uint32_t v = 0; v < b.vertex_count(); ++v) {
      matrix[u][v] = WeightOf(agreement.Levels(u, v), weights);
    }
  }
  RC_ASSERT(ValueOf(Assign(a, b, 3), weights) == HungarianAssignment(matrix));
}

RC_GTEST_PROP(Explain, ItsOverlapsAreThoseOfTheHistograms, ()) {
  const Graph a = ToGraph(*GenGraph(ShapeOfLittleVariety()));
  const Graph b = ToGraph(*GenGraph(ShapeOfLittleVariety()));
  ColourHierarchy hierarchy;
  const Histogram histogram_a = GrowHistogram(hierarchy, a, 3);
  const Histogram histogram_b = GrowHistogram(hierarchy, b, 3);
  const Assignment assignment = Assign(a, b, 3);
  RC_ASSERT(assignment.overlaps == LevelOverlaps(histogram_a, histogram_b));
  RC_ASSERT(assignment.overlaps == Assign(b, a, 3).overlaps);
  const Scoring scoring = Must(Scoring::Create(Measure::kKernel, 3, std::nullopt, {}));
  RC_ASSERT(static_cast<double>(ValueOf(assignment, {1, 1, 1, 1})) == scoring.Kernel(assignment.overlaps));
}

RC_GTEST_PROP(Explain, FindsARenumberedGraphWhole, ()) {
  const Graph a = ToGraph(*GenGraph(ShapeOfLittleVariety()));
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const Graph b = Renumber(a, RandomPermutation(rng, a.vertex_count()));
  for (const Assignment::Pair& pair : Assign(a, b, 3).pairs) {
    RC_ASSERT(pair.levels == 4u);
  }
}

}  // namespace
}  // namespace kindred::test
