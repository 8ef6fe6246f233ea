// What a segment says of its graphs, read from its lists one by one: shares no code with GraphExtractor,
// which a merge reads with. Whatever is wrong with the lists themselves fails the test.

#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "index/base/ids.h"
#include "index/lists/block_index.h"
#include "index/lists/segment.h"
#include "tests/support/stored_graphs.h"

namespace kindred::test {

struct GraphContents {
  GraphId id{};
  uint32_t vertex_count = 0;
  std::map<ColourId, uint32_t> counts;  // Of all levels: a colour belongs to one.

  friend bool operator==(const GraphContents&, const GraphContents&) = default;
};
void PrintTo(const GraphContents& contents, std::ostream* out);

// By external id.
using SegmentContents = std::map<std::string, GraphContents>;

// The live graphs. Checks that a graph worn c so often that it has feature (c,t) has (c,t-1), too.
SegmentContents ContentsOf(const SegmentView& view);
SegmentContents ContentsOf(std::span<const StoredGraph> graphs);

// Of one feature: which of the 16 graphs of a block have it, by block.
using BlockMasks = std::map<uint32_t, uint16_t>;

// A feature each. Checks that gaps are no longer than they have to be, that columns, group columns and rows
// agree, and that what pads them is zero.
std::vector<BlockMasks> MasksOf(const BlockIndex& blocks);

}  // namespace kindred::test
