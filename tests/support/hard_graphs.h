// Graphs that colour refinement cannot tell apart though they differ, large symmetric ones, and isomorphism
// by definition.

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "index/graph/graph.h"
#include "tests/support/graphs.h"

namespace kindred::test {

using EdgePairs = std::vector<std::pair<uint32_t, uint32_t>>;

// All vertices labelled "C", all edges "".
Graph Uniform(uint32_t vertices, const EdgePairs& edges);
// One graph after the other, as one.
Graph DisjointUnion(const std::vector<Graph>& graphs);

Graph UniformCycle(uint32_t vertices);
Graph Complete(uint32_t vertices);
Graph Hypercube(uint32_t dimensions);

// Both strongly regular with parameters (16, 6, 2, 2), and not isomorphic.
Graph Rook();
Graph Shrikhande();

// The graph of Cai, Furer and Immerman over a base graph: with one edge twisted it is another graph, which
// needs refinement of tuples as large as the base's separators to be told. REQUIRES: connected, degrees up
// to 8.
Graph CaiFurerImmerman(uint32_t base_vertices, const EdgePairs& base_edges, bool twisted);
// A circle of so many vertices with each joined to the one opposite. REQUIRES: even.
EdgePairs MoebiusLadder(uint32_t vertices);

Graph Shuffled(Rng& rng, const Graph& graph);

// Tries assignments vertex by vertex until one keeps all labels and edges. For small graphs.
bool IsomorphicByDefinition(const Graph& a, const Graph& b);

}  // namespace kindred::test
