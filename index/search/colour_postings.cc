#include "index/search/colour_postings.h"

#include <bit>
#include <utility>

namespace kindred {

void ColourPostings::Resize(size_t slots) {
  const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(slots));
  filter_.assign(slots * kBitsASlot / 64, 0);
  shift_ = 64 - std::countr_zero(slots);
  used_ = 0;
  for (const Slot& slot : before) {
    if (slot.colour != kUnknownColour && Needed(slot)) {
      TakeSlot(slot.colour) = slot;
    }
  }
}

// Takes a free one if the colour has none. REQUIRES: more than half are free.
ColourPostings::Slot& ColourPostings::TakeSlot(ColourId colour) {
  const uint64_t hash = Hash(colour);
  size_t at = hash >> shift_;
  while (slots_[at].colour != colour && slots_[at].colour != kUnknownColour) {
    at = (at + 1) & (slots_.size() - 1);
  }
  Slot& slot = slots_[at];
  if (slot.colour == kUnknownColour) {
    slot.colour = colour;
    ++used_;
    filter_[FilterBit(hash) / 64] |= uint64_t{1} << (FilterBit(hash) % 64);
  }
  return slot;
}

// Colours that one query alone wears may be forgotten on the way: that they were counted then makes them no
// less rare.
ColourPostings::Slot& ColourPostings::SlotOf(ColourId colour) {
  if (2 * (used_ + 1) > slots_.size()) {
    Resize(std::bit_ceil(4 * static_cast<size_t>(std::ranges::count_if(slots_, Needed)) + kSlotsAtStart));
  }
  return TakeSlot(colour);
}

void ColourPostings::FixOrder() {
  lists_.clear();
  free_lists_.clear();
  for (Slot& slot : slots_) {
    slot.list = kNone;
    slot.count = 0;
    slot.rank = slot.wearers > 1 ? slot.wearers : 0;
  }
}

void ColourPostings::Add(ColourId colour, ColourPosting posting) {
  Slot& slot = SlotOf(colour);
  if (slot.count == 0) {
    slot.only = posting;
  } else if (slot.list != kNone) {
    lists_[slot.list].push_back(posting);
  } else {
    if (free_lists_.empty()) {
      free_lists_.push_back(static_cast<uint32_t>(lists_.size()));
      lists_.emplace_back();
    }
    slot.list = free_lists_.back();
    free_lists_.pop_back();
    lists_[slot.list] = {slot.only, posting};
  }
  ++slot.count;
}

void ColourPostings::Remove(ColourId colour, uint32_t query) {
  Slot& slot = TakeSlot(colour);
  --slot.count;
  if (slot.list == kNone) {
    return;
  }
  std::vector<ColourPosting>& list = lists_[slot.list];
  *std::ranges::find(list, query, &ColourPosting::query) = list.back();
  list.pop_back();
  if (list.size() == 1) {
    slot.only = list.front();
    list = {};
    free_lists_.push_back(std::exchange(slot.list, kNone));
  }
}

}  // namespace kindred
