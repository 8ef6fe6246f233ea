// A stored graph as standing queries look at it: its colours with their counts, level by level.
//
// Threads: a view; what it was made from must outlive it.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "index/base/limits.h"
#include "index/histogram/histogram.h"
#include "index/histogram/packed.h"

namespace kindred {

struct MatchedGraph {
  uint32_t vertex_count = 0;
  uint32_t entry_count = 0;
  std::array<std::span<const Histogram::Entry>, kLevelsMax> levels{};  // By ascending colour.
};

inline MatchedGraph ToMatched(const Histogram& histogram) {
  MatchedGraph graph{histogram.vertex_count(), static_cast<uint32_t>(histogram.entries().size()), {}};
  for (Level level = 0; level <= histogram.depth(); ++level) {
    graph.levels[level] = histogram.at_level(level);
  }
  return graph;
}

// Replaces `entries`, which must outlive what it gives. REQUIRES: as for PackedCursor.
inline MatchedGraph ToMatched(uint32_t vertex_count, std::string_view packed,
                              std::vector<Histogram::Entry>& entries) {
  std::array<size_t, kLevelsMax> ends{};
  entries.clear();
  ForEachPackedEntry(packed, [&](Level level, uint32_t colour, uint32_t count) {
    entries.push_back({ColourId{colour}, count});
    ends[level] = entries.size();
  });
  MatchedGraph graph{vertex_count, static_cast<uint32_t>(entries.size()), {}};
  // Every level counts all vertices, so that none is empty.
  for (size_t level = 0, begin = 0; level < kLevelsMax && ends[level] > 0; begin = ends[level++]) {
    graph.levels[level] = std::span(entries).subspan(begin, ends[level] - begin);
  }
  return graph;
}

}  // namespace kindred
