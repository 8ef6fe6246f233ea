// Few and rare colours of a query, chosen such that a graph that wears none of them is not similar enough:
// which graphs a standing query has to be compared with is then found by looking those colours up.
//
//   [ShareBound] A vertex wears one colour a level, and the deeper ones descend from the shallower. So if a
//   graph wears none of the chosen colours, no vertex of the query that wears one shares its colour at that
//   level or at a deeper one: overlap_i <= n - (vertices whose chosen colour is of level i or above), and
//   that must be too little.
//
// To choose a colour of level i saves the weights of levels i, i+1, ... for each vertex that wears it:
// shallow colours save much and are common, deep ones save little and are rare. The cheapest for what they
// save are taken until it is enough. A colour that was never issued is worn by nobody: its vertices are saved
// for nothing.
//
// Threads: free functions.
// Cost: O(n log n) a level.

#pragma once

#include <cstdint>
#include <vector>

#include "index/hierarchy/refinement.h"
#include "index/histogram/measure.h"
#include "index/search/similarity_floor.h"

namespace kindred {

struct QueryCover {
  struct Term {
    ColourId colour{};
    Level level = 0;
    uint32_t count = 0;  // The query's vertices that wear it.
  };

  std::vector<Term> terms;
  // [GatherBound] The kernel of a graph is at most this, plus, for each vertex of the query that shares a
  // colour of the terms with it, the weights of that level and of the deeper ones.
  double kernel_apart = 0;
};

// `colours` of levels 0..scoring.depth(), known-only. With nothing to look up if nothing that is stored,
// whatever it is, can be similar enough before further colours are issued.
QueryCover CoverQuery(const VertexColours& colours, const Scoring& scoring, const SimilarityFloor& floor);

// What sharing a colour of each level is worth at most: the weights of that level and of the deeper ones.
std::vector<double> DeeperWeights(const Scoring& scoring);

}  // namespace kindred
