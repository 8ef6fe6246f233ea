// Which standing queries have chosen a colour: lists of (query, how many of its vertices wear it).
//
// A graph has dozens of colours, of which few are in here, most of those chosen by one query alone. So a
// filter of bits, small enough to stay in a near cache, answers for what is not here; a table by open
// addressing has the rest, with a single posting in the slot itself.
//
// Threads: one user.
// Cost: a look-up of what is not here reads one bit, mostly; of what is, one cache line, or two if it is a
// list. 32 to
//       64 bytes a colour, 8 bytes a posting of a list.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/base/ids.h"

namespace kindred {

struct ColourPosting {
  uint32_t query = 0;
  uint32_t count = 0;
};

class ColourPostings {
 public:
  ColourPostings() { Resize(kSlotsAtStart); }

  std::span<const ColourPosting> Find(ColourId colour) const {
    const uint64_t hash = Hash(colour);
    if ((filter_[FilterBit(hash) / 64] >> (FilterBit(hash) % 64) & 1) == 0) {
      return {};
    }
    for (size_t at = hash >> shift_;; at = (at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[at];
      if (slot.colour == colour) {
        return slot.list == kNone ? std::span(&slot.only, slot.only.count > 0 ? 1 : 0)
                                  : std::span(lists_[slot.list]);
      }
      if (slot.colour == kUnknownColour) {
        return {};
      }
    }
  }

  // REQUIRES: posting.count > 0.
  void Add(ColourId colour, ColourPosting posting);
  // REQUIRES: there is one of this query.
  void Remove(ColourId colour, uint32_t query);

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr size_t kSlotsAtStart = 64;
  // Bits of the filter a slot: of what is not here, one in 16 at most is looked for in vain.
  static constexpr size_t kBitsASlot = 8;

  struct Slot {
    ColourId colour = kUnknownColour;  // Free.
    uint32_t list = kNone;             // In lists_, if there are several.
    ColourPosting only{};              // Otherwise; a count of 0: none.
  };

  // The top bits of a product: neighbouring colours go apart.
  static uint64_t Hash(ColourId colour) { return Raw(colour) * 0x9e3779b97f4a7c15u; }
  size_t FilterBit(uint64_t hash) const { return hash >> (shift_ - 3); }
  Slot& SlotOf(ColourId colour);
  void Resize(size_t slots);

  std::vector<Slot> slots_;
  size_t used_ = 0;  // At most half.
  int shift_ = 0;
  std::vector<uint64_t> filter_;
  std::vector<std::vector<ColourPosting>> lists_;
  std::vector<uint32_t> free_lists_;
};

}  // namespace kindred
