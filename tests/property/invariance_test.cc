// What must not matter does not: the numbering of vertices, the order of edges and of insertion, the company
// a graph keeps in the hierarchy.

#include <vector>

#include "gtest/gtest.h"
#include "index/histogram/histogram.h"
#include "tests/property/generators.h"
#include "tests/property/rapidcheck_gtest.h"
#include "tests/support/corpus.h"

namespace kindred::test {
namespace {

constexpr Level kInvarianceDepth = 4;

std::vector<Histogram> HistogramsInOrder(const std::vector<Graph>& graphs,
                                         const std::vector<uint32_t>& order) {
  ColourHierarchy hierarchy;
  std::vector<Histogram> histograms(graphs.size());
  for (const uint32_t i : order) {
    histograms[i] = GrowHistogram(hierarchy, graphs[i], kInvarianceDepth);
  }
  return histograms;
}

RC_GTEST_PROP(Invariance, RenumberingVerticesDoesNotChangeTheHistogram, (uint64_t seed)) {
  const Graph graph = ToGraph(*GenGraph({.vertices_max = 12, .density = 2}));
  Rng rng(seed);
  const Graph renumbered = Renumber(graph, RandomPermutation(rng, graph.vertex_count()));
  ColourHierarchy hierarchy;
  const Histogram histogram = GrowHistogram(hierarchy, graph, kInvarianceDepth);
  const uint32_t colours = hierarchy.colour_count();
  RC_ASSERT(GrowHistogram(hierarchy, renumbered, kInvarianceDepth) == histogram);
  RC_ASSERT(hierarchy.colour_count() == colours);
  RC_ASSERT(Histogram::Of(RefineKnown(hierarchy.view(), renumbered, kInvarianceDepth)) == histogram);
}

RC_GTEST_PROP(Invariance, RenumberingVerticesDoesNotChangeTheKernel, (uint64_t seed)) {
  const Graph a = ToGraph(*GenGraph());
  const Graph b = ToGraph(*GenGraph());
  Rng rng(seed);
  const Graph renumbered = Renumber(a, RandomPermutation(rng, a.vertex_count()));
  // A hierarchy of its own each, so that the colour ids differ.
  const auto plain = HistogramsInOrder({a, b}, {0, 1});
  const auto other = HistogramsInOrder({renumbered, b}, {1, 0});
  RC_ASSERT(LevelOverlaps(plain[0], plain[1]) == LevelOverlaps(other[0], other[1]));
}

RC_GTEST_PROP(Invariance, TheOrderOfInsertionDoesNotChangeTheKernel, (uint64_t seed)) {
  const std::vector<Graph> graphs = ToGraphs(*GenGraphs(7));
  Rng rng(seed);
  std::vector<uint32_t> in_order(graphs.size());
  std::iota(in_order.begin(), in_order.end(), 0u);
  const auto plain = HistogramsInOrder(graphs, in_order);
  const auto shuffled =
      HistogramsInOrder(graphs, RandomPermutation(rng, static_cast<uint32_t>(graphs.size())));
  for (size_t i = 0; i < graphs.size(); ++i) {
    for (size_t j = 0; j < graphs.size(); ++j) {
      RC_ASSERT(LevelOverlaps(plain[i], plain[j]) == LevelOverlaps(shuffled[i], shuffled[j]));
    }
  }
}

// A query whose colours are only looked up has the kernel it would have were it stored.
RC_GTEST_PROP(Invariance, LookingUpAndGrowingGiveOneKernel, ()) {
  const std::vector<Graph> stored = ToGraphs(*GenGraphs(6));
  const Graph query = ToGraph(*GenGraph({.vertex_labels = 3, .edge_labels = 3}));
  ColourHierarchy hierarchy;
  std::vector<Histogram> histograms;
  for (const Graph& graph : stored) {
    histograms.push_back(GrowHistogram(hierarchy, graph, kInvarianceDepth));
  }
  const Histogram known = Histogram::Of(RefineKnown(hierarchy.view(), query, kInvarianceDepth));
  const Histogram grown = GrowHistogram(hierarchy, query, kInvarianceDepth);
  RC_ASSERT(known.vertex_count() == grown.vertex_count());
  for (const Histogram& histogram : histograms) {
    RC_ASSERT(LevelOverlaps(known, histogram) == LevelOverlaps(grown, histogram));
  }
}

// The levels up to d of an index of depth h > d are those of an index of depth d: nothing is re-indexed.
RC_GTEST_PROP(Invariance, ADeeperIndexHasTheSameShallowLevels, ()) {
  const Graph a = ToGraph(*GenGraph());
  const Graph b = ToGraph(*GenGraph());
  ColourHierarchy deep;
  const auto deep_overlaps =
      LevelOverlaps(GrowHistogram(deep, a, kInvarianceDepth), GrowHistogram(deep, b, kInvarianceDepth));
  for (Level depth = 0; depth < kInvarianceDepth; ++depth) {
    ColourHierarchy shallow;
    const auto overlaps = LevelOverlaps(GrowHistogram(shallow, a, depth), GrowHistogram(shallow, b, depth));
    RC_ASSERT(std::equal(overlaps.begin(), overlaps.end(), deep_overlaps.begin()));
  }
}

}  // namespace
}  // namespace kindred::test
