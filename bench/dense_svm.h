// C-SVMs on one kernel matrix, for choosing: one against one, as in LIBSVM, with Smo for each pair of
// classes.
//
// Threads: Judge from several threads at once.
// Cost: a copy of the part of the matrix that is trained on, then what Smo costs.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/kernel_matrices.h"
#include "bench/verdict.h"

namespace kindred::bench {

class DenseSvm {
 public:
  // The matrix, which is kept by reference, or its cosine. A training that takes more than `steps_max` steps
  // for a cost is given up.
  DenseSvm(const Matrix& matrix, bool normalize, std::span<const int> classes, uint64_t steps_max);

  // Trains on the graphs `train` for each of the costs, which ascend, and classifies those of `first` and
  // `second`. Where no support vector is held back by its cost, a higher cost has the same solution, and is
  // not trained. Where a cost is given up, the higher ones are, too: they take longer.
  std::vector<Verdict> Judge(std::span<const uint32_t> train, std::span<const uint32_t> first,
                             std::span<const uint32_t> second, std::span<const double> costs) const;

 private:
  class Pairs;

  float at(uint32_t row, uint32_t column) const;
  std::vector<float> Part(std::span<const uint32_t> rows, std::span<const uint32_t> columns) const;

  const Matrix& matrix_;
  std::vector<double> scales_;  // Kernels are multiplied by those of both graphs.
  std::span<const int> classes_;
  const uint64_t steps_max_;
};

}  // namespace kindred::bench
