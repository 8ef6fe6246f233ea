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
    std::optional<std::pair<ForwardLists, std::vector<uint32_t>>> only;  // One slice need not be read twice.
    for (const std::span<Incoming> slice : slices_) {
      if (stop_.stop_requested()) {
        return std::nullopt;
      }
      ForwardLists lists = source_.Read(slice);
      const std::vector<uint32_t> order = Order(slice, lists);
      ForEachBlock(slice, lists, order, [&](auto, auto block) { builder_.Count(block); });
      if (slices_.size() == 1) {
        only = {std::move(lists), order};
      }
    }
    for (const std::span<Incoming> slice : slices_) {
      if (stop_.stop_requested()) {
        return std::nullopt;
      }
      const auto [lists, order] =
          only ? *std::exchange(only, std::nullopt) : std::pair(source_.Read(slice), InOrder(slice.size()));
      ForEachBlock(slice, lists, order, [&](std::span<const Incoming> members, auto block) {
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

  static std::vector<uint32_t> InOrder(size_t size) {
    std::vector<uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0);
    return order;
  }

  // Brings the slice into its order, and tells where each of its graphs stands in `lists`.
  std::vector<uint32_t> Order(std::span<Incoming> slice, const ForwardLists& lists) {
    if (ordering_ == Ordering::kBySize || slice.size() <= kBlockGraphs) {
      return InOrder(slice.size());
    }
    std::vector<uint32_t> vertex_counts;
    vertex_counts.reserve(slice.size());
    for (const Incoming& graph : slice) {
      vertex_counts.push_back(graph.vertex_count);
    }
    std::vector<uint32_t> order = OrderBySimilarity(lists, vertex_counts, stop_);
    const std::vector<Incoming> before(slice.begin(), slice.end());
    for (size_t place = 0; place < order.size(); ++place) {
      slice[place] = before[order[place]];
    }
    return order;
  }

  template <typename Visit>
  void ForEachBlock(std::span<const Incoming> slice, const ForwardLists& lists,
                    std::span<const uint32_t> order, Visit visit) {
    std::vector<BlockIndexBuilder::Graph> block;
    for (uint32_t begin = 0; begin < slice.size(); begin += kBlockGraphs) {
      const auto end = static_cast<uint32_t>(std::min<size_t>(begin + kBlockGraphs, slice.size()));
      block.clear();
      for (uint32_t place = begin; place < end; ++place) {
        block.push_back({slice[place].vertex_count, lists.graph(order[place])});
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
