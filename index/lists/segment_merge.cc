#include <algorithm>
#include <bit>
#include <utility>

#include "index/base/check.h"
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

// The graphs of all parts: a slot has the number of slots in the parts before, and its own on top.
class MergeSource : public GraphSource {
 public:
  MergeSource(std::span<const SegmentView> parts, const FeatureTable& features)
      : parts_(parts), is_first_(features.size()) {
    for (uint32_t number = 0; number < features.colour_count(); ++number) {
      is_first_[features.features(number).begin] = true;
    }
    uint64_t slots = 0;
    for (const SegmentView& part : parts) {
      extractors_.emplace_back(*part.segment, features);
      begins_.push_back(static_cast<uint32_t>(slots));
      slots += part.segment->graphs().slot_count();
    }
    KINDRED_CHECK(slots < kNoSlot);  // The merge policy keeps segments far below this.
    end_ = static_cast<uint32_t>(slots);
  }

  uint32_t number(size_t part, uint32_t slot) const { return begins_[part] + slot; }

  std::span<const SegmentView> parts() const override { return parts_; }
  uint32_t number_end() const override { return end_; }
  uint32_t vertex_count(uint32_t number) const override {
    const auto [part, slot] = Locate(number);
    return parts_[part].segment->graphs().vertex_count(slot);
  }
  std::string_view external_id(uint32_t number) const override {
    const auto [part, slot] = Locate(number);
    return parts_[part].segment->graphs().external_id(slot);
  }
  void AddIds(GraphTable& table, std::span<const uint32_t> slots) const override {
    for (size_t part = 0; part < parts_.size(); ++part) {
      parts_[part].segment->graphs().ForEach([&](GraphId id, uint32_t slot) {
        if (slots[number(part, slot)] != kNoSlot) {
          table.AddId(id, slots[number(part, slot)]);
        }
      });
    }
  }

  void Load(std::span<const uint32_t> numbers, const FeatureTable& features) override {
    for (GraphExtractor& extractor : extractors_) {
      extractor.Clear();
    }
    for (const uint32_t number : numbers) {
      const auto [part, slot] = Locate(number);
      extractors_[part].Want(slot);
    }
    for (GraphExtractor& extractor : extractors_) {
      extractor.Load(features, is_first_);
    }
  }
  void AddTo(ForwardLists& lists, uint32_t number) const override {
    const auto [part, slot] = Locate(number);
    extractors_[part].AddTo(lists, slot);
  }
  uint32_t run_count(uint32_t number) const override {
    const auto [part, slot] = Locate(number);
    return extractors_[part].run_count(slot);
  }

 private:
  struct Place {
    size_t part = 0;
    uint32_t slot = 0;
  };

  Place Locate(uint32_t number) const {
    const auto part = static_cast<size_t>(std::ranges::upper_bound(begins_, number) - begins_.begin()) - 1;
    return {part, number - begins_[part]};
  }

  const std::span<const SegmentView> parts_;
  std::vector<bool> is_first_;
  std::vector<GraphExtractor> extractors_;
  std::vector<uint32_t> begins_;  // The number of slot 0 of each part.
  uint32_t end_ = 0;
};

// Adds the live outsize graphs of a part to the lists, in the order of their slots, which are returned.
std::vector<uint32_t> AddOutsize(const SegmentView& view, ColourLists::Builder& lists) {
  const Segment& segment = *view.segment;
  std::vector<std::vector<Histogram::Entry>> histograms(segment.outsize().graph_count());
  segment.outsize().ForEach([&](ColourId colour, std::span<const Posting> list) {
    for (const Posting& posting : list) {
      histograms[posting.graph].push_back({colour, posting.count});
    }
  });
  std::vector<uint32_t> slots;
  for (uint32_t i = 0; i < histograms.size(); ++i) {
    const uint32_t slot = segment.first_outsize_slot() + i;
    if (view.is_live(slot)) {
      slots.push_back(slot);
      lists.Add(histograms[i]);
    }
  }
  return slots;
}

// Of the blocks.
GraphNumbers LiveGraphs(std::span<const SegmentView> parts, const MergeSource& source) {
  GraphNumbers live;
  size_t live_count = 0;
  for (const SegmentView& part : parts) {
    live_count += part.live_count();
  }
  live.reserve(live_count);
  for (size_t part = 0; part < parts.size(); ++part) {
    for (uint32_t slot = 0; slot < parts[part].segment->first_outsize_slot(); ++slot) {
      if (parts[part].is_live(slot)) {
        live.push_back(source.number(part, slot));
      }
    }
  }
  return live;
}

}  // namespace

std::shared_ptr<const Segment> MergeSegments(std::span<const SegmentView> parts, Ordering ordering,
                                             const std::stop_token& stop) {
  FeatureTable features = UniteFeatures(parts);
  MergeSource source(parts, features);
  std::vector<uint32_t> outsize;
  ColourLists::Builder outsize_lists;
  for (size_t part = 0; part < parts.size(); ++part) {
    for (const uint32_t slot : AddOutsize(parts[part], outsize_lists)) {
      outsize.push_back(source.number(part, slot));
    }
  }
  return AssembleSegment(std::move(features), LiveGraphs(parts, source), outsize,
                         std::move(outsize_lists).Build(), source, ordering, stop);
}

}  // namespace kindred
