// How often one graph wears each colour, to be asked for many: by open addressing, filled anew graph after
// graph.
//
// Threads: one writer, then any number of readers.
// Cost: an answer is one cache line, mostly a near one; filling takes a few nanoseconds a colour.

#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "index/base/limits.h"
#include "index/search/matched_graph.h"

namespace kindred {

class GraphCounts {
 public:
  void Fill(const MatchedGraph& graph, Level depth) {
    size_t colours = 0;
    for (Level level = 0; level <= depth; ++level) {
      colours += graph.levels[level].size();
    }
    mask_ = std::bit_ceil(2 * colours + 1) - 1;
    slots_.assign(mask_ + 1, {});
    for (Level level = 0; level <= depth; ++level) {
      for (const Histogram::Entry& entry : graph.levels[level]) {
        size_t at = Hash(entry.colour);
        while (slots_[at].count != 0) {
          at = (at + 1) & mask_;
        }
        slots_[at] = entry;
      }
    }
  }

  // 0 if it does not.
  uint32_t operator()(ColourId colour) const {
    for (size_t at = Hash(colour);; at = (at + 1) & mask_) {
      if (slots_[at].colour == colour || slots_[at].count == 0) {
        return slots_[at].colour == colour ? slots_[at].count : 0;
      }
    }
  }

 private:
  size_t Hash(ColourId colour) const { return (Raw(colour) * 0x9e3779b1u >> 12) & mask_; }

  size_t mask_ = 0;
  std::vector<Histogram::Entry> slots_;  // A count of 0: free.
};

}  // namespace kindred
