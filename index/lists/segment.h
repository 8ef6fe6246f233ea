// An immutable part of the index in memory: some stored graphs.
//
// Graphs have slots. The newest lie there as they came (lists/plain_graphs.h): such a segment has nothing
// else. In others graphs are inverted. Most lie in blocks (lists/block_index.h), similar ones together; the
// few that are too large for a block (more than kBlockVerticesMax vertices, or a colour worn more than
// kBlockCountMax times) have plain lists with full counts, and the slots after the blocks. Tags are inverted
// (lists/tag_index.h), whatever the graphs are.
//
// Threads: immutable, so any number of readers. A graph that was deleted or replaced stays in its segment
//          until the next merge; a LiveMask beside the segment hides it.
// Invariant: an inverted segment does not keep histograms, but has all they say: GraphExtractor gets them
// back.

#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/base/ids.h"
#include "index/histogram/histogram.h"
#include "index/lists/block_index.h"
#include "index/lists/colour_lists.h"
#include "index/lists/graph_table.h"
#include "index/lists/live_mask.h"
#include "index/lists/plain_graphs.h"
#include "index/lists/tag_index.h"

namespace kindred {

class Segment {
 public:
  // `graphs`: the slots of the blocks, then those of the outsize graphs.
  Segment(GraphTable graphs, BlockIndex blocks, ColourLists outsize, TagIndex tags = {})
      : graphs_(std::move(graphs)),
        blocks_(std::move(blocks)),
        outsize_(std::move(outsize)),
        tags_(std::move(tags)) {}

  // Slot i is plain graph i.
  Segment(GraphTable graphs, PlainGraphs plain, TagIndex tags = {})
      : graphs_(std::move(graphs)), plain_(std::move(plain)), tags_(std::move(tags)) {}

  uint32_t size() const { return graphs_.graph_count(); }
  size_t memory_bytes() const {
    return graphs_.memory_bytes() + blocks_.memory_bytes() + outsize_.memory_bytes() + plain_.memory_bytes() +
           tags_.memory_bytes();
  }
  uint64_t posting_count() const {
    return blocks_.posting_count() + outsize_.posting_count() + plain_.posting_count();
  }
  bool is_plain() const { return plain_.graph_count() > 0; }

  const GraphTable& graphs() const { return graphs_; }
  const BlockIndex& blocks() const { return blocks_; }
  const ColourLists& outsize() const { return outsize_; }
  const PlainGraphs& plain() const { return plain_; }
  const TagIndex& tags() const { return tags_; }
  // Graph i of outsize() has the slot first_outsize_slot() + i.
  uint32_t first_outsize_slot() const { return blocks_.block_count() * kBlockGraphs; }

 private:
  GraphTable graphs_;
  BlockIndex blocks_;
  ColourLists outsize_;
  PlainGraphs plain_;
  TagIndex tags_;
};

// A segment with what a snapshot hides of it.
struct SegmentView {
  std::shared_ptr<const Segment> segment;
  std::shared_ptr<const LiveMask> live;  // Null: all graphs are live.

  // False for an empty slot.
  bool is_live(uint32_t slot) const {
    return segment->graphs().vertex_count(slot) != 0 && (live == nullptr || live->Test(slot));
  }
  // The first slot from `slot` on that is not hidden; slot_count() if there is none.
  uint32_t NextShown(uint32_t slot) const {
    const uint32_t slots = segment->graphs().slot_count();
    return live == nullptr || slot >= slots ? slot : std::min(live->NextShown(slot), slots);
  }
  uint32_t live_count() const { return segment->size() - (live == nullptr ? 0 : live->hidden_count()); }
};

// Whether similar graphs are put together: takes time, and makes searches fast.
enum class Ordering { kBySize, kBySimilarity };

// Whether a graph has to stay out of the blocks.
bool Outsize(uint32_t vertex_count, std::string_view packed);

class PlainSegmentBuilder {
 public:
  // What is reserved may be left out.
  void Reserve(size_t graphs, size_t id_bytes, size_t packed_bytes);
  // REQUIRES: ascending GraphIds.
  void Add(GraphId id, std::string_view external_id, uint32_t vertex_count, std::string_view packed);
  // Of the graph added last.
  void AddTags(const Tags& tags) { tags_.Add(plain_.graph_count() - 1, tags); }
  std::shared_ptr<const Segment> Build() &&;

 private:
  GraphTable graphs_;
  PlainGraphs plain_;
  TagCollector tags_;
};

// One plain segment with the live graphs of several. REQUIRES: as for MergeSegments, and all are plain.
std::shared_ptr<const Segment> ConcatenatePlain(std::span<const SegmentView> parts);
// The same, inverted; null if it was stopped.
std::shared_ptr<const Segment> InvertPlain(std::span<const SegmentView> parts, Ordering ordering,
                                           const std::stop_token& stop = {});

// One segment with the live graphs of several; null if it was stopped. Takes, with the result, about as much
// memory as the parts have: what it holds forward is a slice (lists/segment_assembly.h). REQUIRES: ascending
// GraphIds, part after part; none is plain.
std::shared_ptr<const Segment> MergeSegments(std::span<const SegmentView> parts, Ordering ordering,
                                             const std::stop_token& stop = {});

}  // namespace kindred
