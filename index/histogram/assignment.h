// The optimal assignment itself: which vertex of one graph goes to which of another, and how far they agree.
//
// Greedy along the colours, from the deepest level up: at each level every colour pairs off as many of its
// vertices as both graphs have left, and in the end what is left of the smaller graph goes to anything. By
// the theorem of docs/exactness.md that is optimal for every choice of weights, whichever vertices of a
// colour are paired with each other. That choice is free, so it is made for whoever looks at the result:
// where a colour leaves no choice, that is settled first; a vertex beside one that is assigned goes, if it
// can, to a vertex beside that one's partner (of several, to one that keeps most edges); where nothing is
// near, rare colours come first, then smaller vertex numbers.
//
// Threads: a free function without state; its result is a value.
// Invariants: (1) min(vertices of a, vertices of b) pairs, ascending in `a`; no vertex stands in two of them;
//             (2) a pair agrees at levels 0..levels-1 and not at level `levels`; (3) overlaps[i] is the
//             number of pairs that agree at level i, which is I_i of the two histograms.
// Cost: O((V + E log degree) * depth). Deterministic: no hash, no address, no clock decides anything.

#pragma once

#include <cstdint>
#include <vector>

#include "index/graph/graph.h"
#include "index/hierarchy/refinement.h"

namespace kindred {

struct Assignment {
  struct Pair {
    uint32_t a = 0;
    uint32_t b = 0;
    uint32_t levels = 0;  // 0: not even their labels agree.

    friend bool operator==(const Pair&, const Pair&) = default;
  };

  std::vector<Pair> pairs;
  std::vector<uint32_t> overlaps;  // One a level, levels 0..depth.
};

// `colours` are those of `a` and `b`, to one depth; no colour is unknown.
Assignment AssignVertices(const Graph& a, const Graph& b, const PairColours& colours);

}  // namespace kindred
