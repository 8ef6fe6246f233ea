#include "index/lists/segment_assembly.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "index/lists/similarity_order.h"

namespace kindred {
namespace {

// A slice has at least so many graphs, and at least this share of all of them; it ends where a size ends.
constexpr size_t kSliceGraphsMin = 1 << 16;
constexpr size_t kSliceShare = 16;
// Sizes of one class of the order (similarity_order.cc) stay together.
constexpr uint32_t kSliceVertices = 2;

class Assembly {
 public:
  Assembly(FeatureTable features, std::vector<Incoming> graphs, GraphSource& source, Ordering ordering,
           const std::stop_token& stop)
      : builder_(std::move(features)),
        graphs_(std::move(graphs)),
        source_(source),
        ordering_(ordering),
        stop_(stop) {}

  // Nothing if it was stopped.
  std::optional<BlockIndex> Blocks(GraphTable& table) && {
    std::ranges::sort(graphs_, [](const Incoming& a, const Incoming& b) {
      return std::tie(a.vertex_count, a.part, a.slot) < std::tie(b.vertex_count, b.part, b.slot);
    });
    CutSlices();
    std::optional<ForwardLists> only;  // One slice need not be read twice.
    for (const std::span<Incoming> slice : slices_) {
      if (stop_.stop_requested()) {
        return std::nullopt;
      }
      ForwardLists lists = Order(slice);
      ForEachBlock(slice, lists, [&](auto, auto block) { builder_.Count(block); });
      if (slices_.size() == 1) {
        only = std::move(lists);
      }
    }
    for (const std::span<Incoming> slice : slices_) {
      if (stop_.stop_requested()) {
        return std::nullopt;
      }
      const ForwardLists lists = only ? *std::exchange(only, std::nullopt) : source_.Read(slice);
      ForEachBlock(slice, lists, [&](std::span<const Incoming> members, auto block) {
        builder_.Add(block);
        for (const Incoming& graph : members) {
          source_.AddTo(table, graph);
        }
        for (size_t lane = members.size(); lane < kBlockGraphs; ++lane) {
          table.AddEmpty();
        }
      });
    }
    return std::move(builder_).Build();
  }

 private:
  void CutSlices() {
    const size_t least = std::max(kSliceGraphsMin, graphs_.size() / kSliceShare);
    for (size_t begin = 0; begin < graphs_.size();) {
      size_t end = std::min(begin + least, graphs_.size());
      const uint32_t last = graphs_[end - 1].vertex_count / kSliceVertices;
      while (end < graphs_.size() && graphs_[end].vertex_count / kSliceVertices == last) {
        ++end;
      }
      slices_.push_back(std::span(graphs_).subspan(begin, end - begin));
      begin = end;
    }
  }

  // Brings the slice into its order, and returns its lists in that order.
  ForwardLists Order(std::span<Incoming> slice) {
    ForwardLists lists = source_.Read(slice);
    if (ordering_ == Ordering::kBySize || slice.size() <= kBlockGraphs) {
      return lists;
    }
    std::vector<uint32_t> vertex_counts;
    vertex_counts.reserve(slice.size());
    for (const Incoming& graph : slice) {
      vertex_counts.push_back(graph.vertex_count);
    }
    const std::vector<uint32_t> order = OrderBySimilarity(lists, vertex_counts, stop_);
    const std::vector<Incoming> before(slice.begin(), slice.end());
    ForwardLists ordered;
    ordered.Reserve(lists.graph_count(), lists.run_count());
    for (size_t place = 0; place < order.size(); ++place) {
      slice[place] = before[order[place]];
      for (const FeatureRun& run : lists.graph(order[place])) {
        ordered.Add(run);
      }
      ordered.EndGraph();
    }
    return ordered;
  }

  template <typename Visit>
  void ForEachBlock(std::span<const Incoming> slice, const ForwardLists& lists, Visit visit) {
    std::vector<BlockIndexBuilder::Graph> block;
    for (uint32_t begin = 0; begin < slice.size(); begin += kBlockGraphs) {
      const auto end = static_cast<uint32_t>(std::min<size_t>(begin + kBlockGraphs, slice.size()));
      block.clear();
      for (uint32_t graph = begin; graph < end; ++graph) {
        block.push_back({slice[graph].vertex_count, lists.graph(graph)});
      }
      visit(slice.subspan(begin, end - begin), std::span<const BlockIndexBuilder::Graph>(block));
    }
  }

  BlockIndexBuilder builder_;
  std::vector<Incoming> graphs_;
  std::vector<std::span<Incoming>> slices_;
  GraphSource& source_;
  const Ordering ordering_;
  const std::stop_token& stop_;
};

}  // namespace

std::shared_ptr<const Segment> AssembleSegment(FeatureTable features, std::vector<Incoming> blocked,
                                               std::span<const Incoming> outsize, ColourLists outsize_lists,
                                               GraphSource& source, Ordering ordering,
                                               const std::stop_token& stop) {
  GraphTable table;
  std::optional<BlockIndex> blocks =
      Assembly(std::move(features), std::move(blocked), source, ordering, stop).Blocks(table);
  if (!blocks) {
    return nullptr;
  }
  for (const Incoming& graph : outsize) {
    source.AddTo(table, graph);
  }
  table.Finish();
  return std::make_shared<const Segment>(std::move(table), *std::move(blocks), std::move(outsize_lists));
}

}  // namespace kindred
