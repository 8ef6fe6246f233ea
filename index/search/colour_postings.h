// The colours of standing queries: in which order they stand, and which queries are to be found by them.
//
// The order is one of all colours there are: those that fewer queries wear come first; of as many, deeper
// ones first; then later ones. How many wear a colour is counted as queries come, and fixed when the order is
// made; colours that at most one query wore then, or that are not here at all, count 0.
//
// A graph has dozens of colours, of which many are not in here, most others found by one query alone. So a
// filter of bits, small enough to stay in a near cache, answers for what is not here; a table by open
// addressing has the rest, with a single posting in the slot itself.
//
// Threads: one user.
// Invariant: a colour has the same rank from one FixOrder to the next.
// Cost: a look-up of what is not here reads one bit, mostly; of what is, one cache line, or two if it is a
//       list. 48 to 96 bytes a colour, 8 bytes a posting of a list.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "index/base/ids.h"

namespace kindred {

// A query to be found by a colour, and the sizes of the graphs it can be found by; the largest 16 bits hold
// stands for any that is larger, too.
struct ColourPosting {
  uint32_t query = 0;
  uint16_t vertices_min = 0;
  uint16_t vertices_max = 0;

  bool Admits(uint32_t vertices) const {
    const auto size = static_cast<uint16_t>(std::min<uint32_t>(vertices, UINT16_MAX));
    return vertices_min <= size && size <= vertices_max;
  }
};

class ColourPostings {
 public:
  struct Slot {
    ColourId colour = kUnknownColour;  // Free.
    uint32_t wearers = 0;              // Queries that were counted.
    uint32_t rank = 0;                 // What counted when the order was fixed.
    uint32_t list = kNone;             // In lists_, if there are several,
    ColourPosting only{};              // or one,
    uint32_t count = 0;                // or none.
  };

  ColourPostings() { Resize(kSlotsAtStart); }

  // One more query wears it. Changes no order that is fixed.
  void CountWearer(ColourId colour) { ++SlotOf(colour).wearers; }
  // Makes the order anew, and forgets all postings.
  void FixOrder();

  // For a look at it soon. Null: it is not here.
  const Slot* Prefetch(ColourId colour) const;
  // What Prefetch gave, or those behind it. Null: it is not here, and ranks 0.
  const Slot* Find(ColourId colour, const Slot* at) const {
    for (; at != nullptr; at = at + 1 == slots_.data() + slots_.size() ? slots_.data() : at + 1) {
      if (at->colour == colour) {
        return at;
      }
      if (at->colour == kUnknownColour) {
        return nullptr;
      }
    }
    return nullptr;
  }
  std::span<const ColourPosting> postings(const Slot& slot) const {
    return slot.list == kNone ? std::span(&slot.only, slot.count) : std::span(lists_[slot.list]);
  }

  void Add(ColourId colour, ColourPosting posting);
  // REQUIRES: there is one of this query.
  void Remove(ColourId colour, uint32_t query);

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr size_t kSlotsAtStart = 64;
  // Bits of the filter a slot: of what is not here, one in 16 at most is looked for in vain.
  static constexpr size_t kBitsASlot = 8;

  // The top bits of a product: neighbouring colours go apart.
  static uint64_t Hash(ColourId colour) { return Raw(colour) * 0x9e3779b97f4a7c15u; }
  size_t FilterBit(uint64_t hash) const { return hash >> (shift_ - 3); }
  static bool Needed(const Slot& slot) { return slot.count > 0 || slot.wearers > 1 || slot.rank > 0; }
  Slot& SlotOf(ColourId colour);
  Slot& TakeSlot(ColourId colour);
  void Resize(size_t slots);

  std::vector<Slot> slots_;
  size_t used_ = 0;  // At most half.
  int shift_ = 0;
  std::vector<uint64_t> filter_;
  std::vector<std::vector<ColourPosting>> lists_;
  std::vector<uint32_t> free_lists_;
};

inline const ColourPostings::Slot* ColourPostings::Prefetch(ColourId colour) const {
  const uint64_t hash = Hash(colour);
  if ((filter_[FilterBit(hash) / 64] >> (FilterBit(hash) % 64) & 1) == 0) {
    return nullptr;
  }
  const Slot* const slot = &slots_[hash >> shift_];
  __builtin_prefetch(slot);
  return slot;
}

}  // namespace kindred
