// An immutable part of the index in memory: a run of stored graphs with their inverted colour lists.
//
// Inside a segment a graph is a number from 0, in the order of its GraphId. For each colour any of its
// graphs wears there is a list of postings, sorted by graph.
//
// Threads: immutable, so any number of readers. A graph that was deleted or replaced stays in its segment
//          until the next merge; a LiveMask beside the segment hides it.
// Invariants: (1) GraphIds ascend; (2) a list is sorted by graph and names no graph twice;
//             (3) counts are positive.
// Cost: a list is found in O(log colours); 8 bytes a posting, 16 bytes and the external id a graph.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/base/ids.h"
#include "index/histogram/histogram.h"
#include "index/lists/live_mask.h"

namespace kindred {

struct Posting {
  uint32_t graph = 0;
  uint32_t count = 0;
};

class Segment {
 public:
  uint32_t size() const { return static_cast<uint32_t>(graph_ids_.size()); }
  uint64_t posting_count() const { return postings_.size(); }
  size_t memory_bytes() const;

  GraphId graph_id(uint32_t graph) const { return graph_ids_[graph]; }
  uint32_t vertex_count(uint32_t graph) const { return vertex_counts_[graph]; }
  std::string_view external_id(uint32_t graph) const {
    const uint32_t begin = graph == 0 ? 0 : id_ends_[graph - 1];
    return std::string_view(id_bytes_).substr(begin, id_ends_[graph] - begin);
  }
  // The number of a stored graph in this segment.
  std::optional<uint32_t> Find(GraphId id) const;

  // Empty for a colour no graph of the segment wears.
  std::span<const Posting> list(ColourId colour) const;

 private:
  friend class SegmentBuilder;
  friend class SegmentMerger;
  Segment() = default;

  void AddGraph(GraphId id, uint32_t vertex_count, std::string_view external_id);

  std::vector<GraphId> graph_ids_;
  std::vector<uint32_t> vertex_counts_;
  std::vector<uint32_t> id_ends_;
  std::string id_bytes_;

  std::vector<ColourId> colours_;  // Sorted.
  std::vector<uint64_t> list_ends_;
  std::vector<Posting> postings_;
};

// A segment with what a snapshot hides of it.
struct SegmentView {
  std::shared_ptr<const Segment> segment;
  std::shared_ptr<const LiveMask> live;  // Null: all graphs are live.

  bool is_live(uint32_t graph) const { return live == nullptr || live->Test(graph); }
  uint32_t live_count() const { return live == nullptr ? segment->size() : live->count(); }
};

class SegmentBuilder {
 public:
  // REQUIRES: `id` is above all added before.
  void Add(GraphId id, std::string_view external_id, const Histogram& histogram);
  uint32_t size() const { return segment_->size(); }
  std::shared_ptr<const Segment> Build() &&;

 private:
  std::shared_ptr<Segment> segment_{new Segment};
  std::vector<std::pair<ColourId, Posting>> postings_;
};

// One segment with the live graphs of several. REQUIRES: the GraphIds of each part lie above those of the
// part before it.
std::shared_ptr<const Segment> MergeSegments(std::span<const SegmentView> parts);

}  // namespace kindred
