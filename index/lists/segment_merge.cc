#include <algorithm>
#include <bit>
#include <utility>

#include "index/lists/graph_extractor.h"
#include "index/lists/segment.h"
#include "index/lists/segment_assembly.h"

namespace kindred {
namespace {

using LevelColours = std::vector<std::vector<FeatureTable::Colour>>;

// The features of a part's blocks that a live graph has.
std::vector<bool> LiveFeatures(const SegmentView& view) {
  const BlockIndex& blocks = view.segment->blocks();
  if (view.live == nullptr) {
    return std::vector<bool>(blocks.features().size(), true);
  }
  std::vector<bool> live(blocks.features().size());
  std::vector<uint16_t> lanes(blocks.block_count());
  for (uint32_t slot = 0; slot < view.segment->first_outsize_slot(); ++slot) {
    if (view.is_live(slot)) {
      lanes[slot / kBlockGraphs] =
          static_cast<uint16_t>(lanes[slot / kBlockGraphs] | 1u << slot % kBlockGraphs);
    }
  }
  for (uint32_t feature = 0; feature < live.size(); ++feature) {
    uint32_t block = 0;
    for (const BlockPosting& posting : blocks.rare_list(feature)) {
      block += posting.gap;
      if ((posting.mask & lanes[block]) != 0) {
        live[feature] = true;
        break;
      }
    }
  }
  std::vector<uint32_t> feature_of_bit(size_t{blocks.row_words()} * 64);
  for (uint32_t frequent = 0; frequent < blocks.frequent_count(); ++frequent) {
    feature_of_bit[blocks.row_bit(frequent)] = blocks.frequent_feature(frequent);
  }
  for (uint32_t block = 0; block < blocks.block_count(); ++block) {
    const uint16_t* mask = blocks.row_masks(block);
    for (uint32_t word = 0; word < blocks.row_words(); ++word) {
      for (uint64_t bits = blocks.row(block)[word]; bits != 0; bits &= bits - 1) {
        if ((*mask++ & lanes[block]) != 0) {
          live[feature_of_bit[word * 64 + static_cast<uint32_t>(std::countr_zero(bits))]] = true;
        }
      }
    }
  }
  return live;
}

// The colours of a level of several tables that live graphs wear, each once, with the largest count. `live`
// tells of each part which features are.
std::vector<FeatureTable::Colour> UniteLevel(std::span<const SegmentView> parts,
                                             std::span<const std::vector<bool>> live, Level level) {
  std::vector<FeatureTable::Colour> united;
  std::vector<FeatureTable::Colour> next;
  for (size_t part = 0; part < parts.size(); ++part) {
    const FeatureTable& table = parts[part].segment->blocks().features();
    if (level >= table.level_count()) {
      continue;
    }
    next.clear();
    next.reserve(united.size() + table.colours_at(level).size());
    auto before = united.begin();
    for (uint32_t number = table.colours_at(level).begin; number < table.colours_at(level).end; ++number) {
      // A graph that has (c,t) has (c,t-1).
      const FeatureRange range = table.features(number);
      FeatureTable::Colour colour{table.colour(number), range.size()};
      while (colour.count_max > 0 && !live[part][range.begin + colour.count_max - 1]) {
        --colour.count_max;
      }
      if (colour.count_max == 0) {
        continue;
      }
      for (; before != united.end() && before->id < colour.id; ++before) {
        next.push_back(*before);
      }
      if (before != united.end() && before->id == colour.id) {
        colour.count_max = std::max(colour.count_max, before++->count_max);
      }
      next.push_back(colour);
    }
    next.insert(next.end(), before, united.end());
    united.swap(next);
  }
  return united;
}

FeatureTable UniteFeatures(std::span<const SegmentView> parts) {
  LevelColours levels;
  std::vector<std::vector<bool>> live;
  Level level_count = 0;
  for (const SegmentView& part : parts) {
    live.push_back(LiveFeatures(part));
    level_count = std::max(level_count, part.segment->blocks().features().level_count());
  }
  for (Level level = 0; level < level_count; ++level) {
    levels.push_back(UniteLevel(parts, live, level));
  }
  return FeatureTable(levels);
}

class MergeSource : public GraphSource {
 public:
  MergeSource(std::span<const SegmentView> parts, const FeatureTable& features)
      : parts_(parts), is_first_(features.size()), ids_(parts.size()) {
    for (uint32_t number = 0; number < features.colour_count(); ++number) {
      is_first_[features.features(number).begin] = true;
    }
    for (size_t part = 0; part < parts.size(); ++part) {
      extractors_.emplace_back(*parts[part].segment, features);
      ids_[part].resize(parts[part].segment->graphs().slot_count());
      parts[part].segment->graphs().ForEach([&](GraphId id, uint32_t slot) { ids_[part][slot] = id; });
    }
  }

  ForwardLists Read(std::span<const Incoming> graphs) override {
    std::vector<std::vector<uint32_t>> slots(parts_.size());
    for (const Incoming& graph : graphs) {
      slots[graph.part].push_back(graph.slot);
    }
    for (size_t part = 0; part < parts_.size(); ++part) {
      extractors_[part].Load(slots[part]);
    }
    ForwardLists lists;
    std::vector<size_t> next(parts_.size());
    for (const Incoming& graph : graphs) {
      extractors_[graph.part].AddTo(lists, next[graph.part]++, is_first_);
    }
    for (GraphExtractor& extractor : extractors_) {
      extractor.Clear();
    }
    return lists;
  }

  void AddTo(GraphTable& table, const Incoming& graph) override {
    table.Add(ids_[graph.part][graph.slot], graph.vertex_count,
              parts_[graph.part].segment->graphs().external_id(graph.slot));
  }

 private:
  const std::span<const SegmentView> parts_;
  std::vector<bool> is_first_;
  std::vector<GraphExtractor> extractors_;
  std::vector<std::vector<GraphId>> ids_;
};

// Adds the live outsize graphs of a part, in the order of their slots.
void AddOutsize(const SegmentView& view, uint32_t part, std::vector<Incoming>& outsize,
                ColourLists::Builder& lists) {
  const Segment& segment = *view.segment;
  std::vector<std::vector<Histogram::Entry>> histograms(segment.outsize().graph_count());
  segment.outsize().ForEach([&](ColourId colour, std::span<const Posting> list) {
    for (const Posting& posting : list) {
      histograms[posting.graph].push_back({colour, posting.count});
    }
  });
  for (uint32_t i = 0; i < histograms.size(); ++i) {
    const uint32_t slot = segment.first_outsize_slot() + i;
    if (view.is_live(slot)) {
      outsize.push_back({segment.graphs().vertex_count(slot), part, slot});
      lists.Add(histograms[i]);
    }
  }
}

}  // namespace

std::shared_ptr<const Segment> MergeSegments(std::span<const SegmentView> parts, Ordering ordering,
                                             const std::stop_token& stop) {
  std::vector<Incoming> blocked;
  std::vector<Incoming> outsize;
  ColourLists::Builder outsize_lists;
  for (uint32_t part = 0; part < parts.size(); ++part) {
    const Segment& segment = *parts[part].segment;
    for (uint32_t slot = 0; slot < segment.first_outsize_slot(); ++slot) {
      if (parts[part].is_live(slot)) {
        blocked.push_back({segment.graphs().vertex_count(slot), part, slot});
      }
    }
    AddOutsize(parts[part], part, outsize, outsize_lists);
  }
  FeatureTable features = UniteFeatures(parts);
  MergeSource source(parts, features);
  return AssembleSegment(std::move(features), std::move(blocked), outsize, std::move(outsize_lists).Build(),
                         source, ordering, stop);
}

}  // namespace kindred
