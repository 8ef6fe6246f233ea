#include "index/pairs/pair_parts.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "index/base/check.h"

namespace kindred {
namespace {

// The colours of a level of all parts, each once, with the largest count.
std::vector<FeatureTable::Colour> UniteLevel(std::span<const SegmentView> views, Level level) {
  std::vector<FeatureTable::Colour> colours;
  for (const SegmentView& view : views) {
    const FeatureTable& table = view.segment->blocks().features();
    if (level >= table.level_count()) {
      continue;
    }
    const auto middle = static_cast<ptrdiff_t>(colours.size());
    for (uint32_t number = table.colours_at(level).begin; number < table.colours_at(level).end; ++number) {
      colours.push_back({table.colour(number), table.features(number).size()});
    }
    std::ranges::inplace_merge(colours, colours.begin() + middle, {}, &FeatureTable::Colour::id);
    size_t kept = 0;
    for (const FeatureTable::Colour& colour : colours) {
      if (kept > 0 && colours[kept - 1].id == colour.id) {
        colours[kept - 1].count_max = std::max(colours[kept - 1].count_max, colour.count_max);
      } else {
        colours[kept++] = colour;
      }
    }
    colours.resize(kept);
  }
  return colours;
}

}  // namespace

PairParts::PairParts(std::vector<SegmentView> views) : views_(std::move(views)) {
  uint64_t slots = 0;
  begins_.push_back(0);
  for (const SegmentView& view : views_) {
    slots += view.segment->graphs().slot_count();
    KINDRED_CHECK(slots < UINT32_MAX);  // What is in memory has far fewer.
    begins_.push_back(static_cast<uint32_t>(slots));
  }
  if (views_.size() > 1) {
    NumberFeatures();
  }
}

uint32_t PairParts::Find(GraphId id) const {
  for (uint32_t part = 0; part < part_count(); ++part) {
    if (const auto slot = views_[part].segment->graphs().Find(id)) {
      return begins_[part] + *slot;
    }
  }
  KINDRED_CHECK(false);
  return 0;
}

void PairParts::NumberFeatures() {
  Level levels = 0;
  for (const SegmentView& view : views_) {
    levels = std::max(levels, view.segment->blocks().features().level_count());
  }
  std::vector<std::vector<FeatureTable::Colour>> colours;
  for (Level level = 0; level < levels; ++level) {
    colours.push_back(UniteLevel(views_, level));
  }
  united_ = FeatureTable(colours);
  for (const SegmentView& view : views_) {
    const FeatureTable& table = view.segment->blocks().features();
    LargeVector<uint32_t>& features_in = features_in_.emplace_back(united_.size(), kNoFeature);
    // Both have their colours in one order.
    for (Level level = 0; level < table.level_count(); ++level) {
      uint32_t there = united_.colours_at(level).begin;
      for (uint32_t here = table.colours_at(level).begin; here < table.colours_at(level).end; ++here) {
        while (united_.colour(there) != table.colour(here)) {
          ++there;
        }
        for (uint32_t i = 0; i < table.features(here).size(); ++i) {
          features_in[united_.features(there).begin + i] = table.features(here).begin + i;
        }
      }
    }
  }
}

Lanes LiveLanes(const PairParts& parts) {
  Lanes lanes;
  for (uint32_t part = 0; part < parts.part_count(); ++part) {
    LargeVector<uint16_t>& masks = lanes.emplace_back(parts.blocks(part).block_count());
    for (uint32_t slot = 0; slot < masks.size() * kBlockGraphs; ++slot) {
      if (parts.view(part).is_live(slot)) {
        uint16_t& mask = masks[slot / kBlockGraphs];
        mask = static_cast<uint16_t>(mask | 1u << slot % kBlockGraphs);
      }
    }
  }
  return lanes;
}

uint64_t CountLanes(const Lanes& lanes) {
  uint64_t count = 0;
  for (const auto& masks : lanes) {
    for (const uint16_t mask : masks) {
      count += static_cast<uint64_t>(std::popcount(mask));
    }
  }
  return count;
}

}  // namespace kindred
