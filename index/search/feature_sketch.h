// 256 bits of a graph that tell how far a graph and a query are apart at least.
//
//   [DifferBound] Every feature of a graph, "wears colour c at least t times", turns one bit over: which, a
//   hash decides. What both have cancels out, so that each bit in which two sketches differ needs a feature
//   of its own that only one of them has.
//
// Features beyond kTimesMax times of a colour are left out: there are only fewer bits to differ.
//
// Threads: a value.
// Cost: a nanosecond or two a feature; to compare two, ten.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "index/base/limits.h"
#include "index/histogram/measure.h"
#include "index/search/matched_graph.h"

namespace kindred {

class FeatureSketch {
 public:
  FeatureSketch() = default;
  // Of the levels that count.
  FeatureSketch(const MatchedGraph& graph, const Scoring& scoring) {
    for (Level level = 0; level <= scoring.depth(); ++level) {
      if (scoring.weight(level) == 0) {
        continue;
      }
      for (const Histogram::Entry& entry : graph.levels[level]) {
        uint64_t hash = (Raw(entry.colour) + 1) * 0x9e3779b97f4a7c15u;
        for (uint32_t times = std::min(entry.count, kTimesMax); times > 0; --times) {
          words_[hash >> 62] ^= uint64_t{1} << (hash >> 56 & 63);
          hash = (hash ^ hash >> 32) * 0xbf58476d1ce4e5b9u;
        }
      }
    }
  }

  // At most the number of features that only one of the two has.
  uint32_t Differing(const FeatureSketch& other) const {
    int bits = 0;
    for (size_t i = 0; i < words_.size(); ++i) {
      bits += std::popcount(words_[i] ^ other.words_[i]);
    }
    return static_cast<uint32_t>(bits);
  }

 private:
  static constexpr uint32_t kTimesMax = 16;

  std::array<uint64_t, 4> words_{};
};

}  // namespace kindred
