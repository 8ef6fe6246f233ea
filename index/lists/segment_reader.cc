#include "index/lists/segment_reader.h"

#include <algorithm>
#include <utility>

#include "index/base/coding.h"
#include "index/lists/forward_lists.h"
#include "index/lists/graph_extractor.h"

namespace kindred {
namespace {

using Place = std::pair<GraphId, uint32_t>;  // With its slot.

std::vector<Place> LivePlaces(const SegmentView& view, uint32_t begin, uint32_t end) {
  std::vector<Place> places;
  uint32_t number = 0;
  view.segment->graphs().ForEach([&](GraphId id, uint32_t slot) {
    if (view.is_live(slot) && number++ >= begin && number <= end) {
      places.emplace_back(id, slot);
    }
  });
  return places;
}

// The graphs of blocks: an extractor whose features are the segment's own.
class BlockGraphs {
 public:
  BlockGraphs(const Segment& segment, const std::vector<Place>& places)
      : features_(segment.blocks().features()), numbers_(features_.size()), extractor_(segment, features_) {
    std::vector<bool> is_first(features_.size());
    for (uint32_t number = 0; number < features_.colour_count(); ++number) {
      is_first[features_.features(number).begin] = true;
      numbers_[features_.features(number).begin] = number;
    }
    extractor_.Clear();
    for (const auto& [id, slot] : places) {
      if (slot < segment.first_outsize_slot()) {
        extractor_.Want(slot);
      }
    }
    extractor_.Load(features_, is_first);
  }

  std::vector<Histogram::Entry> Entries(uint32_t slot) const {
    ForwardLists lists;
    extractor_.AddTo(lists, slot);
    lists.EndGraph();
    std::vector<Histogram::Entry> entries;
    for (const FeatureRun& run : lists.graph(0)) {
      entries.push_back({features_.colour(numbers_[run.first]), run.count});
    }
    return entries;
  }

 private:
  const FeatureTable& features_;
  std::vector<uint32_t> numbers_;  // Of the colour whose first feature it is.
  GraphExtractor extractor_;
};

std::vector<std::vector<Histogram::Entry>> OutsizeEntries(const Segment& segment) {
  std::vector<std::vector<Histogram::Entry>> entries(segment.outsize().graph_count());
  segment.outsize().ForEach([&](ColourId colour, std::span<const Posting> list) {
    for (const Posting& posting : list) {
      entries[posting.graph].push_back({colour, posting.count});
    }
  });
  return entries;
}

std::vector<Histogram::Entry> PlainEntries(std::string_view packed) {
  std::vector<Histogram::Entry> entries;
  for (Decoder decoder(packed); decoder.ok() && !decoder.Done();) {
    uint32_t colour = 0;
    for (uint64_t left = decoder.Count(2); left > 0; --left) {
      colour += decoder.Varint32();
      entries.push_back({ColourId{colour}, decoder.Varint32()});
    }
  }
  return entries;
}

}  // namespace

void ReadLiveGraphs(const SegmentView& view, uint32_t begin, uint32_t end,
                    const std::function<void(const SegmentGraph&)>& visit) {
  const Segment& segment = *view.segment;
  const std::vector<Place> places = LivePlaces(view, begin, end);
  const BlockGraphs blocks(segment, places);
  const auto outsize = OutsizeEntries(segment);
  for (const auto& [id, slot] : places) {
    SegmentGraph graph{id, segment.graphs().external_id(slot), segment.graphs().vertex_count(slot), {}};
    if (segment.is_plain()) {
      graph.entries = PlainEntries(segment.plain().packed(slot));
    } else {
      graph.entries = slot < segment.first_outsize_slot() ? blocks.Entries(slot)
                                                          : outsize[slot - segment.first_outsize_slot()];
    }
    std::ranges::sort(graph.entries, {}, &Histogram::Entry::colour);
    visit(graph);
  }
}

}  // namespace kindred
