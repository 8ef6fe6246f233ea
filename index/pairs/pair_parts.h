// The graphs that are joined: those in the blocks of several segments, numbered through, with one numbering
// of all their features.
//
// Threads: immutable, so any number of readers.
// Invariants: (1) a graph's number is its slot, and the number of slots of all parts before its own; (2) the
//             features of a part are numbered here in the order they have there.
// Cost: 4 bytes a feature and part, and 12 a colour, where there is more than one part.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "index/base/memory.h"
#include "index/lists/segment.h"

namespace kindred {

class PairParts {
 public:
  struct Place {
    uint32_t part = 0;
    uint32_t slot = 0;
  };

  static constexpr uint32_t kNoFeature = UINT32_MAX;

  // REQUIRES: none is plain.
  explicit PairParts(std::vector<SegmentView> views);
  PairParts(const PairParts&) = delete;
  PairParts& operator=(const PairParts&) = delete;

  uint32_t part_count() const { return static_cast<uint32_t>(views_.size()); }
  const SegmentView& view(uint32_t part) const { return views_[part]; }
  const BlockIndex& blocks(uint32_t part) const { return views_[part].segment->blocks(); }

  uint32_t number_end() const { return begins_.back(); }
  // Of slot 0.
  uint32_t begin(uint32_t part) const { return begins_[part]; }
  Place Locate(uint32_t number) const {
    uint32_t part = 0;
    while (number >= begins_[part + 1]) {
      ++part;
    }
    return {part, number - begins_[part]};
  }
  uint32_t vertex_count(uint32_t number) const {
    const Place place = Locate(number);
    return views_[place.part].segment->graphs().vertex_count(place.slot);
  }
  std::string_view external_id(uint32_t number) const {
    const Place place = Locate(number);
    return views_[place.part].segment->graphs().external_id(place.slot);
  }

  // REQUIRES: a part has it.
  uint32_t Find(GraphId id) const;

  // Of all parts.
  const FeatureTable& features() const { return views_.size() == 1 ? blocks(0).features() : united_; }
  // What a feature of all is called in a part; kNoFeature if no graph there has it.
  uint32_t feature_in(uint32_t part, uint32_t feature) const {
    return views_.size() == 1 ? feature : features_in_[part][feature];
  }
  // Calls visit(feature of the part, feature of all) for each, ascending.
  template <typename Visit>
  void ForEachFeature(uint32_t part, Visit visit) const {
    for (uint32_t feature = 0; feature < features().size(); ++feature) {
      if (const uint32_t here = feature_in(part, feature); here != kNoFeature) {
        visit(here, feature);
      }
    }
  }

 private:
  void NumberFeatures();

  const std::vector<SegmentView> views_;
  std::vector<uint32_t> begins_;  // One more than parts.
  FeatureTable united_;
  std::vector<LargeVector<uint32_t>> features_in_;  // A part each.
};

// Which graphs of the blocks are meant: 16 bits a block, a part each.
using Lanes = std::vector<LargeVector<uint16_t>>;

// The live ones.
Lanes LiveLanes(const PairParts& parts);
uint64_t CountLanes(const Lanes& lanes);

}  // namespace kindred
