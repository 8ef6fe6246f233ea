// The parts of a graph that are larger than a vertex, each kind of part once, with how often it occurs.
//
//   edge       [label, label, edge label]                        the smaller vertex label first
//   graphlet   [0, middle, label, edge label, label, edge label] two edges that share a vertex, their other
//                                                                ends not joined; the smaller end first
//              [1, label x 3, edge label x 3]                    a triangle, in the order that is smallest
//   path       [label, label, length]                            of the ordered pairs of vertices one can
//                                                                reach from the other: labels, shortest
//                                                                length
//
// Keys are made of label numbers that all graphs of a matrix share, so that equal parts have equal keys.
//
// Threads: free functions without state.
// Cost: edges O(E). Graphlets O(E sqrt(E)) and a step for each pair of kinds of neighbours of a vertex; the
//       wedges of a hub are counted, not listed. Paths O(V (V + E)).

#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/interrupt.h"
#include "index/graph/graph.h"
#include "index/kernels/kernel_kind.h"

namespace kindred {

struct Part {
  using Key = std::array<uint32_t, 7>;

  Key key{};  // What is not used is 0.
  uint64_t count = 0;

  friend bool operator==(const Part&, const Part&) = default;
};

// How many steps may be taken between two looks at an interrupt.
inline constexpr uint64_t kStepsBetweenChecks = 10'000;

// How much may be done for the parts of some graphs, on any threads.
struct PartBudget {
  uint64_t parts_max = UINT64_MAX;  // Kinds of parts of all of them; RESOURCE_EXHAUSTED beyond.
  Interrupt interrupt;              // Looked at every kStepsBetweenChecks vertices or pairs.
  std::atomic<uint64_t> parts{0};   // So far.
};

// Ascending by key. `labels[i]` is the number of graph.labels()[i]. REQUIRES: `kind` is not kColour.
absl::StatusOr<std::vector<Part>> PartsOf(PartKind kind, const Graph& graph, std::span<const uint32_t> labels,
                                          PartBudget& budget);

}  // namespace kindred
