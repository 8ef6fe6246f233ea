// Which colours some graphs wear, and how often at most; then the number of each one's first feature: how
// graphs that are not inverted yet get their features.
//
// Threads: one user.
// Cost: a look-up is one or two cache lines; 16 to 32 bytes a colour.

#pragma once

#include <cstdint>
#include <vector>

#include "index/base/ids.h"
#include "index/base/memory.h"
#include "index/lists/feature_table.h"

namespace kindred {

class ColourFeatures {
 public:
  ColourFeatures();

  // Some graph wears the colour so often. REQUIRES: 0 < count <= kBlockCountMax; a colour is always of the
  // same level.
  void Note(Level level, uint32_t colour, uint32_t count);

  // Numbers the features of all colours that were noted. REQUIRES: called once, and Note not after it.
  FeatureTable Number();

  // REQUIRES: numbered, and the colour was noted.
  uint32_t First(uint32_t colour) const { return slots_[Place(colour)].value - 1; }

 private:
  struct Slot {
    uint32_t colour = 0;
    // 0: free. At first the level, and in the last 8 bits the largest count; later one more than the number
    // of the first feature.
    uint32_t value = 0;
  };

  // Of the colour, or where it belongs.
  size_t Place(uint32_t colour) const {
    size_t place = Hash(colour);
    while (slots_[place].value != 0 && slots_[place].colour != colour) {
      place = (place + 1) & (slots_.size() - 1);
    }
    return place;
  }
  size_t Hash(uint32_t colour) const { return colour * 0x9e3779b97f4a7c15u >> shift_; }
  void Grow();

  LargeVector<Slot> slots_;  // A power of two, at most half of them taken.
  int shift_ = 0;
  size_t taken_ = 0;
};

}  // namespace kindred
