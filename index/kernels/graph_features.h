// Counts the features of graphs for one kernel: colours of a hierarchy of its own, or parts.
//
// For graphs that no index knows. Colours of stored graphs are there already, as histograms.
//
// Threads: one caller at a time; what it does for several graphs runs on the threads it is given.
// Invariants: equal features of two graphs have equal numbers, unequal ones unequal.
// Cost: parts.h and refinement.h; keeps every feature ever seen, about 40 bytes each.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "index/base/ids.h"
#include "index/base/parallel.h"
#include "index/graph/graph.h"
#include "index/hierarchy/colour_hierarchy.h"
#include "index/histogram/histogram.h"
#include "index/kernels/gram.h"
#include "index/kernels/parts.h"

namespace kindred {

// How often a graph may have one kind of part: counts are kept in 32 bits. A star of 92,682 equal leaves is
// the largest whose graphlets can be counted.
inline constexpr uint64_t kPartCountMax = UINT32_MAX;

class GraphFeatures {
 public:
  // `depth`: of colours; kernels without one count level 0 alone, whatever it is.
  GraphFeatures(KernelKind kind, Level depth);

  // Adds the graphs to `gram`, in their order. After an error some are added.
  absl::Status Add(std::span<const Graph* const> graphs, const ParallelFor& parallel_for,
                   const Interrupt& interrupt, Gram::Builder& gram);

  size_t memory_bytes() const { return hierarchy_.memory_bytes() + parts_.memory_bytes(); }

 private:
  absl::Status AddColours(std::span<const Graph* const> graphs, const ParallelFor& parallel_for,
                          const Interrupt& interrupt, Gram::Builder& gram);
  absl::Status AddParts(std::span<const Graph* const> graphs, const ParallelFor& parallel_for,
                        const Interrupt& interrupt, Gram::Builder& gram);
  std::vector<uint32_t> NumberLabels(const Graph& graph);
  absl::StatusOr<std::vector<FeatureCount>> NumberParts(std::span<const Part> parts);

  const KernelTraits& traits_;
  const Level depth_;
  ColourHierarchy hierarchy_;  // Its labels serve parts as well.
  InternTable parts_;
};

// The colours of levels 0 to `depth` of a graph.
std::vector<FeatureCount> ColourFeatureCounts(const Histogram& histogram, Level depth);

}  // namespace kindred
