// What a segment knows of its graphs beside their features: GraphId, vertex count, external id; by slot.
//
// A slot may be empty: the last ones of a block that is not full.
//
// Threads: immutable once built, so any number of readers.
// Cost: Find is O(log graphs). 11 bytes and the external id a graph.

#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "index/base/ids.h"
#include "index/base/memory.h"

namespace kindred {

class GraphTable {
 public:
  uint32_t slot_count() const { return static_cast<uint32_t>(vertex_counts_.size()); }
  uint32_t graph_count() const { return static_cast<uint32_t>(by_id_.size()); }
  size_t memory_bytes() const;

  // 0 for an empty slot.
  uint32_t vertex_count(uint32_t slot) const {
    const uint16_t count = vertex_counts_[slot];
    return count != kLarge ? count : LargeVertexCount(slot);
  }
  std::string_view external_id(uint32_t slot) const;

  std::optional<uint32_t> Find(GraphId id) const;
  // The slot of the id, among those that `counts` says yes to. Reads all ids.
  std::optional<uint32_t> FindExternalId(std::string_view external_id,
                                         const std::function<bool(uint32_t)>& counts) const;
  // Reads all. REQUIRES: the slot is not empty.
  GraphId id_of(uint32_t slot) const;
  // REQUIRES: not empty.
  GraphId first_id() const { return base_; }
  GraphId last_id() const { return GraphId{Raw(base_) + by_id_.back().offset}; }
  // By place in the order of the ids.
  GraphId id_at(uint32_t place) const { return GraphId{Raw(base_) + by_id_[place].offset}; }
  uint32_t slot_at(uint32_t place) const { return by_id_[place].slot; }
  // Those without a graph.
  const std::vector<uint32_t>& empty_slots() const { return empty_slots_; }
  // In the order of the ids.
  template <typename Visit>  // void(GraphId, uint32_t slot)
  void ForEach(Visit visit) const {
    for (const Place& place : by_id_) {
      visit(GraphId{Raw(base_) + place.offset}, place.slot);
    }
  }
  // Those above `after`, until the visitor returns false.
  template <typename Visit>  // bool(GraphId, uint32_t slot)
  void ForEachAfter(GraphId after, Visit visit) const {
    const auto begin = std::ranges::upper_bound(
        by_id_, Raw(after), {}, [this](const Place& place) { return Raw(base_) + place.offset; });
    for (auto place = begin; place != by_id_.end(); ++place) {
      if (!visit(GraphId{Raw(base_) + place->offset}, place->slot)) {
        return;
      }
    }
  }

  // Building: the slots in their order, then the ids of those that are not empty in theirs. What is reserved
  // may be left out; it saves memory. REQUIRES: ids ascend, within 2^32 of each other.
  void Reserve(size_t slots, size_t id_bytes);
  void Add(uint32_t vertex_count, std::string_view external_id);
  void AddEmpty();
  void ReserveIds(size_t graphs) { by_id_.reserve(graphs); }
  void AddId(GraphId id, uint32_t slot);
  // What the external ids take, and what one does; an empty slot takes 1.
  size_t id_bytes() const { return id_bytes_.size(); }
  static size_t IdBytes(std::string_view external_id);

 private:
  static constexpr uint16_t kLarge = UINT16_MAX;
  // External ids of so many slots lie in a row, each behind its length.
  static constexpr uint32_t kIdGroup = 16;

  struct Place {
    uint32_t offset = 0;  // From base_.
    uint32_t slot = 0;
  };

  uint32_t LargeVertexCount(uint32_t slot) const;
  void AddExternalId(std::string_view external_id);

  GraphId base_{};
  LargeVector<Place> by_id_;
  std::vector<uint16_t> vertex_counts_;
  std::vector<uint32_t> empty_slots_;                 // Fewer than a block has.
  std::vector<std::pair<uint32_t, uint32_t>> large_;  // Slot and vertex count; ascending.
  std::vector<uint64_t> group_begins_;
  LargeString id_bytes_;
};

}  // namespace kindred
