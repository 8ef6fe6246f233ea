// Sketches of random graphs, beside the features that only one of two has.

#include "index/search/feature_sketch.h"

#include <cstdlib>
#include <map>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"

namespace kindred::test {
namespace {

constexpr Level kSketchDepth = 3;

uint32_t OnlyOfOne(const Histogram& a, const Histogram& b, const Scoring& scoring) {
  std::map<ColourId, int64_t> counts;
  for (Level level = 0; level <= kSketchDepth; ++level) {
    if (scoring.weight(level) > 0) {
      for (const Histogram::Entry& entry : a.at_level(level)) {
        counts[entry.colour] += entry.count;
      }
      for (const Histogram::Entry& entry : b.at_level(level)) {
        counts[entry.colour] -= entry.count;
      }
    }
  }
  int64_t sum = 0;
  for (const auto& [colour, difference] : counts) {
    sum += std::abs(difference);
  }
  return static_cast<uint32_t>(sum);
}

TEST(FeatureSketch, NeverDifferMoreThanFeaturesDo) {
  size_t exact = 0;
  for (const std::vector<double>& weights : {std::vector<double>{}, {0, 1, 0, 3}, {2, 0, 0, 0}}) {
    const Scoring scoring = *Scoring::Create(Measure::kTanimoto, kSketchDepth, std::nullopt, weights);
    Rng rng(5);
    ColourHierarchy hierarchy;
    std::vector<Histogram> histograms;
    for (const Graph& graph : RandomGraphs(rng, 60, {.vertices_max = 12})) {
      histograms.push_back(GrowHistogram(hierarchy, graph, kSketchDepth));
    }
    // Worn more often than a sketch looks at.
    histograms.push_back(GrowHistogram(hierarchy, Isolated(std::string(40, 'A')), kSketchDepth));
    histograms.push_back(GrowHistogram(hierarchy, Isolated(std::string(90, 'A')), kSketchDepth));
    for (const Histogram& a : histograms) {
      const FeatureSketch of_a(ToMatched(a), scoring);
      EXPECT_EQ(of_a.Differing(of_a), 0u);
      for (const Histogram& b : histograms) {
        const uint32_t differing = of_a.Differing(FeatureSketch(ToMatched(b), scoring));
        ASSERT_LE(differing, OnlyOfOne(a, b, scoring));
        exact += differing > 0 && differing == OnlyOfOne(a, b, scoring) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(exact, 1000u) << "too few to mean anything";
}

}  // namespace
}  // namespace kindred::test
