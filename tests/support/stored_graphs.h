// Graphs as a segment takes them: histograms with ids, random from a seed.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/base/ids.h"
#include "index/hierarchy/colour_hierarchy.h"
#include "index/histogram/histogram.h"
#include "index/lists/segment.h"
#include "tests/support/graphs.h"

namespace kindred::test {

struct StoredGraph {
  GraphId id{};
  std::string external_id;
  Histogram histogram;
};

// Adds graphs in the order of their ids, which have gaps; external ids differ in length, and are unique.
class StoredGraphs {
 public:
  StoredGraphs(uint64_t seed, Level depth) : rng_(seed), depth_(depth) {}

  void Add(const Graph& graph);
  // So small and so few labels that colours are shared and worn often.
  void AddTiny(size_t count);
  // Trees of 8 to 40 vertices, mostly of one label: a few colours that nearly all graphs wear, and many rare
  // ones.
  void AddMoleculeLike(size_t count);

  Rng& rng() { return rng_; }
  const std::vector<StoredGraph>& graphs() const { return graphs_; }

 private:
  Rng rng_;
  Level depth_;
  ColourHierarchy hierarchy_;
  std::vector<StoredGraph> graphs_;
};

// One level; as many vertices as the counts add up to.
Histogram OneLevelHistogram(const std::vector<Histogram::Entry>& entries);

std::shared_ptr<const Segment> BuildSegment(std::span<const StoredGraph> graphs, Ordering ordering);
// REQUIRES: the graph is live.
void HideGraph(SegmentView& view, GraphId id);

}  // namespace kindred::test
