// Reads the graphs of a segment back out of its lists, to compare them with what they were made from.
//
// Threads: any number of calls.
// Cost: a call reads all rare lists of the segment, so ask for many graphs: about 4 bytes of memory a feature
//       of these, and of the segment.

#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "index/histogram/histogram.h"
#include "index/lists/segment.h"

namespace kindred {

struct SegmentGraph {
  GraphId id{};
  std::string_view external_id;
  uint32_t vertex_count = 0;
  std::vector<Histogram::Entry> entries;  // Of all levels, by ascending colour.
};

// Visits the live graphs [begin, end) of a segment, in the order of their ids.
void ReadLiveGraphs(const SegmentView& view, uint32_t begin, uint32_t end,
                    const std::function<void(const SegmentGraph&)>& visit);

}  // namespace kindred
