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

#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "index/lists/forward_lists.h"

namespace kindred {

// A permutation: place i is taken by graph order[i]. When stopped, any permutation, soon. REQUIRES:
// `vertex_counts` ascend, one a graph.
std::vector<uint32_t> OrderBySimilarity(const ForwardLists& graphs, std::span<const uint32_t> vertex_counts,
                                        const std::stop_token& stop);

}  // namespace kindred
