// 256 bits of a graph that tell how far two graphs are apart at least.
//
// Every feature of a graph that counts turns one bit over: which, a hash of the feature decides. Bits in
// which the sketches of two graphs differ are thus turned by features that only one of them has, a different
// one for each bit: there are at least as many of those as there are different bits [SketchBound].
//
// Where all levels count alike, their features share all bits. Otherwise a level has one of the four words,
// or shares it with its neighbours, and a bit of a word counts as much as the level of it that counts least.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "index/base/memory.h"
#include "index/base/parallel.h"
#include "index/pairs/pair_bounds.h"
#include "index/pairs/pair_parts.h"

namespace kindred {

inline constexpr uint32_t kSketchWords = 4;
inline constexpr uint32_t kSketchBits = kSketchWords * 64;

struct Sketch {
  std::array<uint64_t, kSketchWords> words{};

  friend bool operator==(const Sketch&, const Sketch&) = default;
};

// Which bits are whose.
class SketchShape {
 public:
  explicit SketchShape(const PairBounds& bounds);

  // REQUIRES: the level counts.
  uint32_t bit(Level level, uint32_t feature) const {
    const uint32_t hash = static_cast<uint32_t>(feature * 0x9e3779b97f4a7c15u >> 40);
    return begins_[level] + hash % sizes_[level];
  }
  // Units of a bit, a word each.
  const std::array<uint32_t, kSketchWords>& weights() const { return weights_; }

 private:
  std::array<uint32_t, kLevelsMax> begins_{};
  std::array<uint32_t, kLevelsMax> sizes_{};
  std::array<uint32_t, kSketchWords> weights_{};
};

// By number; those of empty slots and of outsize graphs are empty.
using Sketches = LargeVector<Sketch>;

// Cost: reads every row once, and every list once for each band of blocks, which one thread makes: some
// thousands of blocks, 16 bands at most.
Sketches MakeSketches(const PairParts& parts, const PairBounds& bounds, const ParallelFor& parallel_for);

}  // namespace kindred
