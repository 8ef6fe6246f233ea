// The tags of a segment's graphs, inverted: for each key and value the slots of the graphs that have it.
//
//   keys     ascending; each has its values, ascending
//   slots    of a value: a list, 4 bytes each; or, where they are more than a 32nd of all slots, a bit for
//   every
//            slot, which takes no more. The same for all slots that have a key, where they are so many; of
//            others they are found by its values
//
// Lists and bits of our own rather than Roaring: a tag that identifies (a name, a number) has one slot a
// value, for which a Roaring bitmap takes over 100 bytes, and this 28.
//
// Threads: immutable once built, so any number of readers.
// Cost: nothing for a segment without tags, else 4 bytes or less a tag, and 24 and its bytes a distinct
// value.

#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/memory.h"
#include "index/base/tags.h"

namespace kindred {

// A bit for every slot, 64 a word.
using SlotBits = std::vector<uint64_t>;

inline size_t SlotWords(uint32_t slots) { return (size_t{slots} + 63) / 64; }
inline void SetSlot(std::span<uint64_t> bits, uint32_t slot) { bits[slot / 64] |= uint64_t{1} << slot % 64; }

class TagIndex {
 public:
  bool empty() const { return keys_.empty(); }
  size_t memory_bytes() const;

  // Sets the bits of the graphs that have the key with this value; with any value. REQUIRES: a bit for every
  // slot.
  void AddSlots(std::string_view key, std::string_view value, std::span<uint64_t> bits) const;
  void AddSlotsOfKey(std::string_view key, std::span<uint64_t> bits) const;

  // Whether the graph has the key with this value.
  bool Has(std::string_view key, std::string_view value, uint32_t slot) const;

  // Keys by number, and the numbers of their values.
  uint32_t key_count() const { return static_cast<uint32_t>(keys_.size()); }
  std::string_view key(uint32_t key) const { return keys_[key].name; }
  uint32_t values_begin(uint32_t key) const { return keys_[key].values_begin; }
  uint32_t values_end(uint32_t key) const {
    return key + 1 < keys_.size() ? keys_[key + 1].values_begin : static_cast<uint32_t>(values_.size());
  }
  uint32_t value_count() const { return static_cast<uint32_t>(values_.size()); }
  std::string_view value(uint32_t value) const;
  template <typename Visit>  // void(uint32_t slot)
  void ForEachSlot(uint32_t value, Visit visit) const;

 private:
  friend class TagIndexBuilder;

  struct Slots {
    uint64_t begin = 0;  // In lists_, or, if they are many, in bits_.
    uint32_t count = 0;
  };
  struct Key {
    std::string name;
    uint32_t values_begin = 0;
    Slots slots;  // If they are many.
  };
  struct Value {
    uint64_t text_begin = 0;
    Slots slots;
  };

  bool Many(uint32_t count) const { return count > slot_count_ / 32; }
  // Their counts if they are not there.
  uint32_t FindKey(std::string_view key) const;
  uint32_t FindValue(std::string_view key, std::string_view value) const;
  void AddSlots(const Slots& slots, std::span<uint64_t> bits) const;

  uint32_t slot_count_ = 0;
  std::vector<Key> keys_;
  LargeVector<Value> values_;
  LargeVector<char> text_;  // Of the values, one after the other.
  LargeVector<uint32_t> lists_;
  LargeVector<uint64_t> bits_;
};

class TagIndexBuilder {
 public:
  explicit TagIndexBuilder(uint32_t slot_count) { index_.slot_count_ = slot_count; }

  // REQUIRES: each (key, value) once, ascending; some slots, ascending.
  void Add(std::string_view key, std::string_view value, std::span<const uint32_t> slots);
  TagIndex Build() &&;

 private:
  uint64_t AddBits();
  void EndKey();

  TagIndex index_;
  uint32_t with_key_ = 0;  // Slots that have the last key.
};

// The tags of graphs as they come. Keeps a copy.
class TagCollector {
 public:
  // REQUIRES: every slot once; distinct keys.
  void Add(uint32_t slot, const Tags& tags);
  TagIndex Build(uint32_t slot_count) const;

 private:
  struct Entry {
    size_t key_begin = 0;
    size_t value_begin = 0;
    size_t value_end = 0;
    uint32_t slot = 0;
  };

  std::string text_;
  std::vector<Entry> entries_;
};

template <typename Visit>
void TagIndex::ForEachSlot(uint32_t value, Visit visit) const {
  const Slots& slots = values_[value].slots;
  if (!Many(slots.count)) {
    for (const uint32_t slot : std::span(lists_).subspan(slots.begin, slots.count)) {
      visit(slot);
    }
    return;
  }
  for (uint32_t word = 0; word < SlotWords(slot_count_); ++word) {
    for (uint64_t bits = bits_[slots.begin + word]; bits != 0; bits &= bits - 1) {
      visit(word * 64 + static_cast<uint32_t>(std::countr_zero(bits)));
    }
  }
}

}  // namespace kindred
