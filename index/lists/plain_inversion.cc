#include <utility>
#include <vector>

#include "index/histogram/packed.h"
#include "index/lists/colour_features.h"
#include "index/lists/segment.h"
#include "index/lists/segment_assembly.h"

namespace kindred {
namespace {

// The live graphs of plain segments, numbered in the order of their ids. Their histograms stay where they
// are, and are read anew by every pass: nothing is held forward.
class PlainSource : public GraphSource {
 public:
  explicit PlainSource(std::span<const SegmentView> parts) : parts_(parts) {
    size_t graphs = 0;
    for (const SegmentView& part : parts) {
      graphs += part.live_count();
    }
    members_.reserve(graphs);
    blocked_.reserve(graphs);
    for (uint32_t part = 0; part < parts.size(); ++part) {
      parts[part].segment->graphs().ForEach([&](GraphId, uint32_t slot) {
        if (parts[part].is_live(slot)) {
          Add(part, slot);
        }
      });
    }
  }

  // Once each.
  FeatureTable NumberFeatures() { return features_.Number(); }
  GraphNumbers TakeBlocked() { return std::move(blocked_); }
  std::span<const uint32_t> outsize() const { return outsize_; }
  ColourLists BuildOutsizeLists() { return std::move(outsize_lists_).Build(); }

  std::span<const SegmentView> parts() const override { return parts_; }
  uint32_t number_end() const override { return static_cast<uint32_t>(members_.size()); }
  uint32_t vertex_count(uint32_t number) const override { return members_[number].vertices; }
  std::string_view external_id(uint32_t number) const override {
    return graphs(number).external_id(members_[number].slot);
  }
  void AddIds(GraphTable& table, std::span<const uint32_t> slots) const override {
    uint32_t number = 0;
    for (const SegmentView& part : parts_) {
      part.segment->graphs().ForEach([&](GraphId id, uint32_t slot) {
        if (part.is_live(slot)) {
          table.AddId(id, slots[number++]);
        }
      });
    }
  }

  void Load(std::span<const uint32_t> /*numbers*/, const FeatureTable& /*features*/) override {}
  void AddTo(ForwardLists& lists, uint32_t number) const override {
    ForEachPackedEntry(packed(number), [&](Level, uint32_t colour, uint32_t count) {
      lists.Add({features_.First(colour), count});
    });
    lists.EndGraph();
  }
  uint32_t run_count(uint32_t number) const override { return members_[number].runs; }

 private:
  struct Member {
    uint32_t part = 0;
    uint32_t slot = 0;
    uint32_t vertices = 0;
    uint32_t runs = 0;
  };

  void Add(uint32_t part, uint32_t slot) {
    const auto number = static_cast<uint32_t>(members_.size());
    members_.push_back({part, slot, parts_[part].segment->graphs().vertex_count(slot), 0});
    if (Outsize(vertex_count(number), packed(number))) {
      outsize_.push_back(number);
      entries_.clear();
      ForEachPackedEntry(packed(number), [&](Level, uint32_t colour, uint32_t count) {
        entries_.push_back({ColourId{colour}, count});
      });
      outsize_lists_.Add(entries_);
      return;
    }
    blocked_.push_back(number);
    ForEachPackedEntry(packed(number), [&](Level level, uint32_t colour, uint32_t count) {
      features_.Note(level, colour, count);
      ++members_[number].runs;
    });
  }

  const GraphTable& graphs(uint32_t number) const { return parts_[members_[number].part].segment->graphs(); }
  std::string_view packed(uint32_t number) const {
    return parts_[members_[number].part].segment->plain().packed(members_[number].slot);
  }

  const std::span<const SegmentView> parts_;
  LargeVector<Member> members_;
  GraphNumbers blocked_;
  std::vector<uint32_t> outsize_;
  ColourLists::Builder outsize_lists_;
  ColourFeatures features_;
  std::vector<Histogram::Entry> entries_;  // Of one graph.
};

}  // namespace

bool Outsize(uint32_t vertex_count, std::string_view packed) {
  if (vertex_count <= kBlockCountMax) {
    return false;  // No colour is worn more often than there are vertices.
  }
  bool outsize = vertex_count > kBlockVerticesMax;
  ForEachPackedEntry(packed,
                     [&](Level, uint32_t, uint32_t count) { outsize = outsize || count > kBlockCountMax; });
  return outsize;
}

std::shared_ptr<const Segment> InvertPlain(std::span<const SegmentView> parts, Ordering ordering,
                                           const std::stop_token& stop) {
  PlainSource source(parts);
  FeatureTable features = source.NumberFeatures();
  GraphNumbers blocked = source.TakeBlocked();
  ColourLists outsize_lists = source.BuildOutsizeLists();
  return AssembleSegment(std::move(features), std::move(blocked), source.outsize(), std::move(outsize_lists),
                         source, ordering, stop);
}

}  // namespace kindred
