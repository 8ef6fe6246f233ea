// Orders graphs so that similar ones stand next to each other, to be cut into blocks.
//
// Graphs of about the same size first stand together (a block's bound depends on its smallest and largest
// graph), and within a size class by recursive bisection: a class is cut in half, graphs are moved
// between the halves as long as that lowers the number of features a half has, and the halves are cut again,
// down to a block. The objective is that of Dhulipala et al., "Compressing graphs and indexes with recursive
// graph bisection" (KDD 2016), with the count of a colour as its weight.
//
// The order has no influence on answers, only on how fast they come. It is deterministic.
//
// Cost: O(features * log graphs), a few passes a level; about 10 microseconds a molecule at a million.
//       8 bytes for each colour that a graph of the size class at hand wears.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "index/lists/forward_lists.h"

namespace kindred {

// Whether graphs of these sizes are ordered together.
bool SameSizeClass(uint32_t vertex_count, uint32_t other_vertex_count);

struct GraphSize {
  uint32_t vertices = 0;
  uint32_t runs = 0;
};

// Graphs that have features below `feature_count`. `read` adds graph i to the lists, once for each.
struct GraphsToOrder {
  std::span<const GraphSize> sizes;
  uint32_t feature_count = 0;
  std::function<void(uint32_t i, ForwardLists& lists)> read;
};

// A permutation: place i is taken by graph order[i]. The first graph takes lane `first_lane` of a block; cuts
// are made where blocks end. When stopped, any permutation, soon. REQUIRES: vertex counts ascend; no graph
// wears a colour more than kBlockCountMax times.
std::vector<uint32_t> OrderBySimilarity(const GraphsToOrder& graphs, uint32_t first_lane,
                                        const std::stop_token& stop);

}  // namespace kindred
