#include <bit>

#include "index/pairs/pair_kernels.h"

namespace kindred::plain {

size_t SelectClose(const CloseProbe& probe, const CloseColumns& columns, size_t count,
                   const CloseLimits& limits, uint32_t* out) {
  size_t found = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint16_t vertices = columns.vertices[i];
    if (columns.reaches[i] < probe.vertices || vertices > probe.reach) {
      continue;
    }
    uint64_t apart = 0;
    for (uint32_t word = 0; word < kSketchWords; ++word) {
      const uint64_t different = probe.sketch.words[word] ^ columns.sketches[i].words[word];
      apart += static_cast<uint64_t>(std::popcount(different)) * limits.weights[word];
    }
    if (static_cast<double>(apart) <= limits.sums[probe.vertices] + limits.sums[vertices] -
                                          limits.products[probe.vertices] * limits.products[vertices]) {
      out[found++] = static_cast<uint32_t>(i);
    }
  }
  return found;
}

}  // namespace kindred::plain
