// Whether two graphs are one graph up to the numbering of their vertices; labels of vertices and edges count.
//
// Exact: a yes comes with a partner for every vertex, a no with a proof that there is none. Colour refinement
// to a stable partition of both graphs together tells most pairs apart or leaves little choice; where choices
// are left, one vertex of a is paired with each candidate of b in turn, and refined again. No polynomial way
// is known, so the effort is bounded: beyond it the answer is that it was not decided.
//
// Threads: a free function.
// Cost: a step is an edge looked at or a vertex moved, about 5 ns. Molecules take some hundreds; what is
//       discrete once it is refined O((V + E) log V); strongly regular graphs of 40 vertices a million.
//       How many steps a pair takes depends on the two graphs alone.

#pragma once

#include <cstdint>

#include "index/graph/graph.h"

namespace kindred {

enum class Isomorphism { kYes, kNo, kUndecided };

struct IsomorphismAnswer {
  Isomorphism isomorphism = Isomorphism::kUndecided;
  uint64_t steps = 0;  // Undecided: all there were.

  friend bool operator==(const IsomorphismAnswer&, const IsomorphismAnswer&) = default;
};

IsomorphismAnswer DecideIsomorphism(const Graph& a, const Graph& b, uint64_t steps_max);

}  // namespace kindred
