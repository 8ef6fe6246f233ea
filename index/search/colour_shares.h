// How many of the graphs that come by wear a colour, roughly: learned from some of them.
//
// Before any graph was counted, from the colour's number alone: it was new to the last of the graphs that
// brought the colours before it. That puts colours in about the right order, and is what is known of those
// that were not counted.
//
// Threads: one user.
// Cost: about 40 bytes a colour counted.

#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "index/base/ids.h"
#include "index/search/matched_graph.h"

namespace kindred {

class ColourShares {
 public:
  uint32_t graphs() const { return graphs_; }

  void Count(const MatchedGraph& graph) {
    ++graphs_;
    for (const auto& level : graph.levels) {
      for (const Histogram::Entry& entry : level) {
        ++counts_[Raw(entry.colour)];
      }
    }
  }

  // Between 0 and 1.
  double operator()(ColourId colour) const {
    const double by_number = 1.0 / (Raw(colour) + 1.0);
    const auto counted = counts_.find(Raw(colour));
    if (counted != counts_.end()) {
      return counted->second / (graphs_ + 1.0);
    }
    return std::min(by_number, 0.5 / (graphs_ + 1.0));
  }

  // Forgets all that was counted, and frees it.
  void Clear() { *this = {}; }

 private:
  uint32_t graphs_ = 0;
  std::unordered_map<uint32_t, uint32_t> counts_;
};

}  // namespace kindred
