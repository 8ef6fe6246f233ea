// Few and rare colours of a query, chosen such that a graph that wears none of them is not similar enough:
// which graphs a standing query has to be compared with is then found by looking those colours up.
//
//   [ShareBound] A vertex wears one colour a level, and the deeper ones descend from the shallower. So if a
//   graph wears none of the chosen colours, no vertex of the query that wears one shares its colour at that
//   level or at a deeper one: overlap_i is at most the number of vertices without a chosen colour at levels
//   0..i, and that must be too little.
//
// To choose a colour of level i saves the weights of levels i, i+1, ... for each vertex that wears it:
// shallow colours save much and are common, deep ones save little and are rare. The cheapest for what they
// save are taken until it is enough. A colour that was never issued is worn by nobody: its vertices are saved
// for nothing.
//
// Threads: free functions.
// Cost: O(n log n) of the query's colours, times the number of levels.

#pragma once

#include <cstdint>
#include <vector>

#include "index/hierarchy/colour_hierarchy.h"
#include "index/histogram/histogram.h"
#include "index/histogram/measure.h"
#include "index/search/colour_shares.h"
#include "index/search/similarity_floor.h"

namespace kindred {

struct QueryCover {
  struct Term {
    ColourId colour{};
    uint32_t count = 0;  // The query's vertices that wear it.
  };

  std::vector<Term> terms;
  // [GatherBound] The kernel of a graph is at most this, plus, for each vertex of the query that shares a
  // colour of the terms with it, the weights of that level and of the deeper ones.
  double kernel_apart = 0;
};

// `histogram` of levels 0..scoring.depth() at least, without the colours that are not known. There are no
// terms if nothing that may be stored is similar enough before further colours are issued.
QueryCover CoverQuery(const Histogram& histogram, const ColourHierarchy& hierarchy, const Scoring& scoring,
                      const SimilarityFloor& floor, const ColourShares& shares);

// What sharing a colour of each level is worth at most: the weights of that level and of the deeper ones.
std::vector<double> DeeperWeights(const Scoring& scoring);

}  // namespace kindred
