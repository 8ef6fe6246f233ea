// Whole kernel matrices of some graphs, one for each depth.

#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "index/graph/graph.h"
#include "index/kernels/graph_features.h"

namespace kindred::bench {

// Square, row by row. Kernels of the sets here are whole numbers that a float holds exactly (checked).
struct Matrix {
  size_t size = 0;
  std::vector<float> values;

  float at(size_t row, size_t column) const { return values[row * size + column]; }
};

// Depths 0 to `depth_max` for a kernel that has a depth, one matrix for another. One triangle is computed.
absl::StatusOr<std::vector<Matrix>> KernelMatrices(KernelKind kind, Level depth_max,
                                                   const std::vector<Graph>& graphs,
                                                   const ParallelFor& parallel_for);

}  // namespace kindred::bench
