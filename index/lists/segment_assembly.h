// Puts a segment together from graphs that come from somewhere: how builds and merges share one way.
//
// Graphs are sorted by size, ordered a class of sizes at a time, and cut into blocks. All passes see them in
// slices: only the slice at hand is held forward, so that a merge takes little memory beside its result.
//
//   order, count   slices of whole classes; beside them there are a few numbers a feature
//   add            smaller slices, while the block index fills up
//   table          ids and sizes, when all that served the blocks is gone

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>

#include "index/base/memory.h"
#include "index/lists/forward_lists.h"
#include "index/lists/segment.h"

namespace kindred {

// Graphs on their way into a segment, as their source numbers them.
using GraphNumbers = LargeVector<uint32_t>;

class GraphSource {
 public:
  virtual ~GraphSource() = default;

  // Where the graphs come from.
  virtual std::span<const SegmentView> parts() const = 0;
  // Beyond every number.
  virtual uint32_t number_end() const = 0;
  virtual uint32_t vertex_count(uint32_t number) const = 0;
  virtual std::string_view external_id(uint32_t number) const = 0;
  // Adds the ids of the graphs that have a slot (slots[number] is not kNoSlot).
  virtual void AddIds(GraphTable& table, std::span<const uint32_t> slots) const = 0;

  // Makes ready to give out the features of these graphs, and of no others, numbered as in `features`.
  virtual void Load(std::span<const uint32_t> numbers, const FeatureTable& features) = 0;
  // Adds them as one more graph, which has so many runs.
  virtual void AddTo(ForwardLists& lists, uint32_t number) const = 0;
  virtual uint32_t run_count(uint32_t number) const = 0;
};

inline constexpr uint32_t kNoSlot = UINT32_MAX;

// `blocked` in ascending order; `outsize` in the order of `outsize_lists`. Null if it was stopped.
std::shared_ptr<const Segment> AssembleSegment(FeatureTable features, GraphNumbers blocked,
                                               std::span<const uint32_t> outsize, ColourLists outsize_lists,
                                               GraphSource& source, Ordering ordering,
                                               const std::stop_token& stop);

}  // namespace kindred
