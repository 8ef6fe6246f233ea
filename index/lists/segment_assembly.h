// Puts a segment together from graphs that come from somewhere: how builds and merges share one way.
//
// Graphs are sorted by size, taken a slice of sizes at a time, ordered within the slice and cut into blocks.
// Only the slice at hand is held forward, so that a large merge takes little memory beside its result.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "index/lists/forward_lists.h"
#include "index/lists/segment.h"

namespace kindred {

// A graph on its way into a segment.
struct Incoming {
  uint32_t vertex_count = 0;
  uint32_t part = 0;  // Where it comes from: for the source to say,
  uint32_t slot = 0;  // and which it is there.
};

class GraphSource {
 public:
  virtual ~GraphSource() = default;
  // The features of the graphs, in their order, numbered as in the segment that is assembled.
  virtual ForwardLists Read(std::span<const Incoming> graphs) = 0;
  virtual void AddTo(GraphTable& table, const Incoming& graph) = 0;
};

// `blocked` in any order; `outsize` in the order of `outsize_lists`. Null if it was stopped.
std::shared_ptr<const Segment> AssembleSegment(FeatureTable features, std::vector<Incoming> blocked,
                                               std::span<const Incoming> outsize, ColourLists outsize_lists,
                                               GraphSource& source, Ordering ordering,
                                               const std::stop_token& stop);

}  // namespace kindred
