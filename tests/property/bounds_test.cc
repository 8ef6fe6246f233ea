// The bounds of this kernel that a pruned search may rely on (design, section 1), and what follows from the
// definitions of the measures.

#include <algorithm>
#include <map>
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

constexpr Level kBoundsDepth = 4;
constexpr Measure kMeasures[] = {Measure::kKernel, Measure::kCosine, Measure::kTanimoto};

struct Pair {
  ColourHierarchy hierarchy;
  Histogram a;
  Histogram b;
};

void DrawPair(Pair& pair) {
  const GraphShape shape{.vertices_max = 10, .density = 3};
  pair.a = GrowHistogram(pair.hierarchy, ToGraph(*GenGraph(shape)), kBoundsDepth);
  pair.b = GrowHistogram(pair.hierarchy, ToGraph(*GenGraph(shape)), kBoundsDepth);
}

std::map<ColourId, uint32_t> Counts(const Histogram& histogram) {
  std::map<ColourId, uint32_t> counts;
  for (const Histogram::Entry& entry : histogram.entries()) {
    counts[entry.colour] = entry.count;
  }
  return counts;
}

// Integral weights, one a level 0..depth, not all 0.
std::vector<double> DrawWeights(uint32_t depth) {
  std::vector<double> weights;
  for (uint32_t level = 0; level <= depth; ++level) {
    weights.push_back(*rc::gen::inRange(0, 5));
  }
  weights[*rc::gen::inRange<size_t>(0, weights.size())] += 1;
  return weights;
}

RC_GTEST_PROP(Bounds, OverlapsFallFromLevelToLevelAndNeverExceedTheSmallerGraph, ()) {
  Pair pair;
  DrawPair(pair);
  const std::vector<uint32_t> overlaps = LevelOverlaps(pair.a, pair.b);
  RC_ASSERT(overlaps.size() == kBoundsDepth + 1u);
  RC_ASSERT(overlaps[0] <= std::min(pair.a.vertex_count(), pair.b.vertex_count()));
  RC_ASSERT(std::is_sorted(overlaps.rbegin(), overlaps.rend()));
}

RC_GTEST_PROP(Bounds, TheMinimaOfAColoursChildrenAddUpToNoMoreThanItsOwn, ()) {
  Pair pair;
  DrawPair(pair);
  const auto counts_a = Counts(pair.a);
  const auto counts_b = Counts(pair.b);
  std::map<ColourId, uint32_t> minimum;
  std::map<ColourId, uint32_t> of_children;
  std::map<ColourId, uint32_t> counts_of_children;
  for (const auto& [colour, count] : counts_a) {
    const auto in_b = counts_b.find(colour);
    minimum[colour] = in_b == counts_b.end() ? 0 : std::min(count, in_b->second);
    if (const auto parent = pair.hierarchy.parent(colour)) {
      of_children[*parent] += minimum[colour];
      counts_of_children[*parent] += count;
    }
  }
  for (const auto& [parent, sum] : of_children) {
    RC_ASSERT(sum <= minimum.at(parent));
    // The children of a colour share out its vertices.
    RC_ASSERT(counts_of_children.at(parent) == counts_a.at(parent));
  }
}

// Bound 3: knowing n_H alone, K <= W min(n_G, n_H), so tanimoto <= min/max and cosine <= sqrt(min/max).
RC_GTEST_PROP(Bounds, NoGraphIsBetterThanTheBestPossibleForItsVertexCount, ()) {
  Pair pair;
  DrawPair(pair);
  const auto depth = *rc::gen::inRange<uint32_t>(0, kBoundsDepth + 1u);
  const std::vector<double> weights = DrawWeights(depth);
  const uint32_t n_a = pair.a.vertex_count();
  const uint32_t n_b = pair.b.vertex_count();
  for (const Measure measure : kMeasures) {
    const Scoring scoring = Must(Scoring::Create(measure, kBoundsDepth, depth, weights));
    const Score score{scoring.Kernel(LevelOverlaps(pair.a, pair.b)), n_b};
    const Score best{scoring.Kernel(std::vector<uint32_t>(kBoundsDepth + 1u, std::min(n_a, n_b))), n_b};
    const bool no_better = scoring.Compare(score, best, n_a) <= 0;
    RC_ASSERT(no_better);
    RC_ASSERT(scoring.Similarity(score, n_a) <= scoring.Similarity(best, n_a));
  }
  const double ratio = static_cast<double>(std::min(n_a, n_b)) / std::max(n_a, n_b);
  const Scoring tanimoto = Must(Scoring::Create(Measure::kTanimoto, kBoundsDepth, depth, weights));
  RC_ASSERT(tanimoto.Similarity({tanimoto.Kernel(LevelOverlaps(pair.a, pair.b)), n_b}, n_a) <= ratio);
}

RC_GTEST_PROP(Bounds, TheBestPossibleFallsWithTheDistanceInSize, ()) {
  const auto n_query = *rc::gen::inRange<uint32_t>(1, 200);
  const auto smaller = *rc::gen::inRange<uint32_t>(1, 200);
  const auto larger = smaller + *rc::gen::inRange<uint32_t>(0, 200);
  const auto best = [&](const Scoring& scoring, uint32_t n) {
    return Score{scoring.Kernel(std::vector<uint32_t>(kBoundsDepth + 1u, std::min(n, n_query))), n};
  };
  for (const Measure measure : {Measure::kCosine, Measure::kTanimoto}) {
    const Scoring scoring = Must(Scoring::Create(measure, kBoundsDepth, {}, {}));
    const auto order = scoring.Compare(best(scoring, smaller), best(scoring, larger), n_query);
    const bool falls_above = smaller < n_query || order >= 0;
    const bool rises_below = larger > n_query || order <= 0;
    RC_ASSERT(falls_above);
    RC_ASSERT(rises_below);
  }
}

RC_GTEST_PROP(Measures, CosineAndTanimotoAreSymmetricAndOneForEqualGraphs, ()) {
  Pair pair;
  DrawPair(pair);
  const auto depth = *rc::gen::inRange<uint32_t>(0, kBoundsDepth + 1u);
  const std::vector<double> weights = DrawWeights(depth);
  for (const Measure measure : {Measure::kCosine, Measure::kTanimoto}) {
    const Scoring scoring = Must(Scoring::Create(measure, kBoundsDepth, depth, weights));
    const auto similarity = [&](const Histogram& x, const Histogram& y) {
      return scoring.Similarity({scoring.Kernel(LevelOverlaps(x, y)), y.vertex_count()}, x.vertex_count());
    };
    RC_ASSERT(similarity(pair.a, pair.b) == similarity(pair.b, pair.a));
    RC_ASSERT(similarity(pair.a, pair.a) == 1.0);
    RC_ASSERT(similarity(pair.a, pair.b) >= 0.0);
    RC_ASSERT(similarity(pair.a, pair.b) <= 1.0);
  }
}

// Also: W (n_G + n_H) - 2K is the weighted L1 distance of the histograms.
RC_GTEST_PROP(Measures, TanimotoIsTheMinSumOverTheMaxSum, ()) {
  Pair pair;
  DrawPair(pair);
  const auto depth = *rc::gen::inRange<uint32_t>(0, kBoundsDepth + 1u);
  const std::vector<double> weights = DrawWeights(depth);
  double min_sum = 0;
  double max_sum = 0;
  double distance = 0;
  std::map<ColourId, std::pair<double, double>> counts;
  for (const auto& [colour, count] : Counts(pair.a)) {
    counts[colour].first = count;
  }
  for (const auto& [colour, count] : Counts(pair.b)) {
    counts[colour].second = count;
  }
  for (const auto& [colour, both] : counts) {
    const Level level = pair.hierarchy.level(colour);
    const double weight = level <= depth ? weights[level] : 0;
    min_sum += weight * std::min(both.first, both.second);
    max_sum += weight * std::max(both.first, both.second);
    distance += weight * std::abs(both.first - both.second);
  }
  const Scoring scoring = Must(Scoring::Create(Measure::kTanimoto, kBoundsDepth, depth, weights));
  const double kernel = scoring.Kernel(LevelOverlaps(pair.a, pair.b));
  RC_ASSERT(kernel == min_sum);
  RC_ASSERT(scoring.Similarity({kernel, pair.b.vertex_count()}, pair.a.vertex_count()) == min_sum / max_sum);
  const auto self_kernel = [&](const Histogram& x) { return scoring.Kernel(LevelOverlaps(x, x)); };
  RC_ASSERT(self_kernel(pair.a) + self_kernel(pair.b) - 2 * kernel == distance);
}

}  // namespace
}  // namespace kindred::test
