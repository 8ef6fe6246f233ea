#include "index/lists/segment_assembly.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "index/lists/similarity_order.h"
#include "index/lists/tag_merge.h"

namespace kindred {
namespace {

// A slice has such a share of all vertices, or so many. While graphs are ordered there is no result yet, and
// slices may be larger. A merge reads its parts' lists once a slice, and has to be worth it.
struct SliceLimit {
  uint64_t share = 0;
  uint64_t vertices = 0;
};
constexpr SliceLimit kOrderedSlice{16, 1 << 17};
constexpr SliceLimit kAddedSlice{32, 1 << 16};

// Up to 16 graphs on their way into a block.
class OpenBlock {
 public:
  // Hands the block on when it is full.
  template <typename Visit>
  void Add(const GraphSource& source, uint32_t number, Visit visit) {
    vertex_counts_[lists_.graph_count()] = source.vertex_count(number);
    source.AddTo(lists_, number);
    if (lists_.graph_count() == kBlockGraphs) {
      Close(visit);
    }
  }

  // Hands on what there is.
  template <typename Visit>
  void Close(Visit visit) {
    if (lists_.graph_count() == 0) {
      return;
    }
    std::array<BlockIndexBuilder::Graph, kBlockGraphs> block;
    for (uint32_t lane = 0; lane < lists_.graph_count(); ++lane) {
      block[lane] = {vertex_counts_[lane], lists_.graph(lane)};
    }
    visit(std::span<const BlockIndexBuilder::Graph>(block).first(lists_.graph_count()));
    lists_.Clear();
  }

 private:
  ForwardLists lists_;
  std::array<uint32_t, kBlockGraphs> vertex_counts_{};
};

class BlockAssembly {
 public:
  // Brings `graphs` into the order of the slots.
  BlockAssembly(FeatureTable features, std::span<uint32_t> graphs, GraphSource& source, Ordering ordering,
                const std::stop_token& stop)
      : builder_(std::move(features)), graphs_(graphs), source_(source), ordering_(ordering), stop_(stop) {
    for (const uint32_t graph : graphs) {
      vertices_ += source.vertex_count(graph);
    }
  }

  // Nothing if it was stopped.
  std::optional<BlockIndex> Build() && {
    bool loaded = OrderAndCount() == 1;
    const auto add = [&](auto block) { builder_.Add(block); };
    OpenBlock block;
    for (size_t begin = 0; begin < graphs_.size();) {
      if (stop_.stop_requested()) {
        return std::nullopt;
      }
      const auto slice = SliceFrom(begin, kAddedSlice, [&](size_t place) { return place + 1; });
      begin += slice.size();
      loaded = loaded && slice.size() == graphs_.size();
      if (!loaded) {
        source_.Load(slice, builder_.features());
      }
      for (const uint32_t graph : slice) {
        block.Add(source_, graph, add);
      }
    }
    block.Close(add);
    return stop_.stop_requested() ? std::nullopt : std::optional(std::move(builder_).Build());
  }

 private:
  // Returns the number of slices.
  size_t OrderAndCount() {
    const auto count = [&](auto counted) { builder_.Count(counted); };
    OpenBlock block;
    size_t slices = 0;
    for (size_t begin = 0; begin < graphs_.size() && !stop_.stop_requested(); ++slices) {
      const auto slice = SliceFrom(begin, kOrderedSlice, [&](size_t place) { return ClassEnd(place); });
      source_.Load(slice, builder_.features());
      Order(slice, begin);
      for (const uint32_t graph : slice) {
        block.Add(source_, graph, count);
      }
      begin += slice.size();
    }
    block.Close(count);
    return slices;
  }

  // The slice begins at this place of the segment.
  void Order(std::span<uint32_t> slice, size_t place) {
    if (ordering_ == Ordering::kBySize || graphs_.size() <= kBlockGraphs) {
      return;
    }
    std::vector<GraphSize> sizes;
    sizes.reserve(slice.size());
    for (const uint32_t graph : slice) {
      sizes.push_back({source_.vertex_count(graph), source_.run_count(graph)});
    }
    const auto read = [&](uint32_t i, ForwardLists& lists) { source_.AddTo(lists, slice[i]); };
    std::vector<uint32_t> order = OrderBySimilarity({sizes, builder_.features().size(), read},
                                                    static_cast<uint32_t>(place % kBlockGraphs), stop_);
    for (uint32_t& graph : order) {
      graph = slice[graph];
    }
    std::ranges::copy(order, slice.begin());
  }

  // As many as the limit allows, but one at least of the pieces that `piece_end` cuts.
  template <typename PieceEnd>
  std::span<uint32_t> SliceFrom(size_t begin, SliceLimit limit, PieceEnd piece_end) const {
    const uint64_t most = std::max(limit.vertices, vertices_ / limit.share);
    uint64_t vertices = 0;
    size_t end = begin;
    while (end < graphs_.size()) {
      const size_t next = piece_end(end);
      for (size_t place = end; place < next; ++place) {
        vertices += vertex_count(place);
      }
      if (end > begin && vertices > most) {
        break;
      }
      end = next;
    }
    return graphs_.subspan(begin, end - begin);
  }

  // Of the graphs that are ordered together with that of this place.
  size_t ClassEnd(size_t place) const {
    size_t end = place + 1;
    while (end < graphs_.size() && SameSizeClass(vertex_count(place), vertex_count(end))) {
      ++end;
    }
    return end;
  }

  uint32_t vertex_count(size_t place) const { return source_.vertex_count(graphs_[place]); }

  BlockIndexBuilder builder_;
  const std::span<uint32_t> graphs_;
  uint64_t vertices_ = 0;
  GraphSource& source_;
  const Ordering ordering_;
  const std::stop_token& stop_;
};

// By vertex count; those of the same keep their order.
GraphNumbers SortedBySize(const GraphNumbers& graphs, const GraphSource& source) {
  std::vector<size_t> begins(kBlockVerticesMax + 2);
  for (const uint32_t graph : graphs) {
    ++begins[source.vertex_count(graph) + 1];
  }
  for (size_t size = 1; size < begins.size(); ++size) {
    begins[size] += begins[size - 1];
  }
  GraphNumbers sorted(graphs.size());
  for (const uint32_t graph : graphs) {
    sorted[begins[source.vertex_count(graph)]++] = graph;
  }
  return sorted;
}

// The blocks' graphs first, then the outsize ones.
GraphTable TableOf(GraphNumbers blocked, std::span<const uint32_t> outsize, const GraphSource& source) {
  const size_t padded = (blocked.size() + kBlockGraphs - 1) / kBlockGraphs * kBlockGraphs;
  GraphTable table;
  size_t id_bytes = padded - blocked.size();
  for (const std::span<const uint32_t> graphs : {std::span<const uint32_t>(blocked), outsize}) {
    for (const uint32_t graph : graphs) {
      id_bytes += GraphTable::IdBytes(source.external_id(graph));
    }
  }
  table.Reserve(padded + outsize.size(), id_bytes);
  for (const uint32_t graph : blocked) {
    table.Add(source.vertex_count(graph), source.external_id(graph));
  }
  while (table.slot_count() < padded) {
    table.AddEmpty();
  }
  for (const uint32_t graph : outsize) {
    table.Add(source.vertex_count(graph), source.external_id(graph));
  }
  GraphNumbers slots(source.number_end(), kNoSlot);
  for (uint32_t slot = 0; slot < blocked.size(); ++slot) {
    slots[blocked[slot]] = slot;
  }
  for (uint32_t i = 0; i < outsize.size(); ++i) {
    slots[outsize[i]] = static_cast<uint32_t>(padded) + i;
  }
  table.ReserveIds(blocked.size() + outsize.size());
  blocked = GraphNumbers();  // Not {}, which would keep the memory.
  source.AddIds(table, slots);
  return table;
}

}  // namespace

std::shared_ptr<const Segment> AssembleSegment(FeatureTable features, GraphNumbers blocked,
                                               std::span<const uint32_t> outsize, ColourLists outsize_lists,
                                               GraphSource& source, Ordering ordering,
                                               const std::stop_token& stop) {
  blocked = SortedBySize(blocked, source);
  std::optional<BlockIndex> blocks =
      BlockAssembly(std::move(features), blocked, source, ordering, stop).Build();
  if (!blocks) {
    return nullptr;
  }
  source.Load({}, blocks->features());
  GraphTable table = TableOf(std::move(blocked), outsize, source);
  TagIndex tags = MergeTags(source.parts(), table);
  return std::make_shared<const Segment>(std::move(table), *std::move(blocks), std::move(outsize_lists),
                                         std::move(tags));
}

}  // namespace kindred
