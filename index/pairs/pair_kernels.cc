#include "index/pairs/pair_kernels.h"

#include <bit>

#include "index/base/mutant.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index/pairs/pair_kernels.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace kindred::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Which of 16 graphs and the probe reach each other, a bit each.
HWY_INLINE uint32_t ReachingSixteen(const CloseProbe& probe, const uint16_t* vertices,
                                    const uint16_t* reaches) {
  using D = hn::CappedTag<uint16_t, kBlockGraphs>;
  constexpr size_t kLanes = hn::MaxLanes(D());
  const auto size = hn::Set(D(), probe.vertices);
  const auto reach = hn::Set(D(), probe.reach);
  uint32_t bits = 0;
  for (size_t lane = 0; lane < kBlockGraphs; lane += kLanes) {
    const auto theirs = hn::LoadU(D(), reaches + lane);
    const auto reached = hn::Eq(hn::Max(theirs, size), theirs);
    const auto within = hn::Eq(hn::Max(hn::LoadU(D(), vertices + lane), reach), reach);
    uint8_t stored[8] = {};
    hn::StoreMaskBits(D(), hn::And(reached, within), stored);
    bits |= (stored[0] | uint32_t{stored[1]} << 8) << lane;
  }
  return bits;
}

// Written out: it is most of what a join does. Far below 2^32: 256 bits of PairBounds' largest weight.
HWY_INLINE uint32_t Apart(const Sketch& a, const Sketch& b,
                          const std::array<uint32_t, kSketchWords>& weights) {
  static_assert(kSketchWords == 4);
  const auto bits = [&](size_t word) {
    return static_cast<uint32_t>(std::popcount(a.words[word] ^ b.words[word])) * weights[word];
  };
  return (bits(0) + bits(1)) + (bits(2) + bits(3)) + TooTight(Mutant::kSketchBound);
}

size_t SelectCloseTo(const CloseProbe& probe, const CloseColumns& columns, size_t count,
                     const CloseLimits& limits, uint32_t* HWY_RESTRICT out) {
  const Sketch sketch = probe.sketch;
  const std::array<uint32_t, kSketchWords> weights = limits.weights;
  const double sum = limits.sums[probe.vertices];
  const double product = limits.products[probe.vertices];
  size_t found = 0;
  for (size_t first = 0; first < count; first += kBlockGraphs) {
    uint32_t bits = ReachingSixteen(probe, columns.vertices + first, columns.reaches + first);
    if (count - first < kBlockGraphs) {
      bits &= (1u << (count - first)) - 1;
    }
    for (; bits != 0; bits &= bits - 1) {
      const size_t i = first + static_cast<size_t>(std::countr_zero(bits));
      // Without a branch: faster than one, however seldom two are close.
      out[found] = static_cast<uint32_t>(i);
      const uint16_t vertices = columns.vertices[i];
      const double apart_max = sum + limits.sums[vertices] - product * limits.products[vertices];
      found += Apart(sketch, columns.sketches[i], weights) <= apart_max ? 1 : 0;
    }
  }
  return found;
}

}  // namespace kindred::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kindred {

HWY_EXPORT(SelectCloseTo);

size_t SelectClose(const CloseProbe& probe, const CloseColumns& columns, size_t count,
                   const CloseLimits& limits, uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(SelectCloseTo)(probe, columns, count, limits, out);
}

}  // namespace kindred
#endif  // HWY_ONCE
