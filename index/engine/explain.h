// Why two graphs are as similar as they are: the optimal assignment of their vertices, from one snapshot.
//
// The graphs are refined together and apart from the index, so that neighbourhoods the index has never seen
// count as well: the kernel is that of the two graphs, whatever is stored.
//
// Threads: a free function; the snapshot is immutable.
// Cost: reads two records at most, then O((V + E log degree) * depth) of both graphs.

#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "index/engine/snapshot.h"
#include "index/graph/graph.h"
#include "index/histogram/assignment.h"
#include "index/search/interrupt.h"

namespace kindred {

struct ExplainRequest {
  // Each the external id of a stored graph, or a graph.
  std::variant<std::string, Graph> a;
  std::variant<std::string, Graph> b;
  std::optional<uint32_t> depth;
  std::vector<double> weights;
};

struct Explanation {
  Graph a;
  Graph b;
  Assignment assignment;
  std::vector<double> weights;  // One a level, levels 0..depth.
  double kernel = 0;            // The sum over pairs of the weights of the levels they agree at.
  double cosine = 0;
  double tanimoto = 0;
};

// NOT_FOUND for an id that is not stored; FAILED_PRECONDITION for a depth beyond the index.
absl::StatusOr<Explanation> Explain(const Snapshot& snapshot, ExplainRequest request,
                                    const Interrupt& interrupt);

}  // namespace kindred
