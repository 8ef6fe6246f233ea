// C-SVM (LIBSVM) on rows of one kernel matrix.
//
// Threads: CountRight from several threads at once; training uses no state that is shared.
// Memory: 16 bytes an entry of the matrix, as LIBSVM wants them; any subset of the graphs is trained on
//         without a copy.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/kernel_matrices.h"

struct svm_node;

namespace kindred::bench {

class SvmRows {
 public:
  // The matrix, or its cosine.
  SvmRows(const Matrix& matrix, bool normalize);
  ~SvmRows();
  SvmRows(const SvmRows&) = delete;
  SvmRows& operator=(const SvmRows&) = delete;

  // Trains on the graphs `train`, and says how many of `test` it then gets right.
  uint32_t CountRight(std::span<const uint32_t> train, std::span<const uint32_t> test,
                      std::span<const int> classes, double cost) const;
  // Their classes.
  std::vector<int> Classify(std::span<const uint32_t> train, std::span<const uint32_t> test,
                            std::span<const int> classes, double cost) const;

 private:
  svm_node* row(size_t i) const;

  const size_t size_;
  std::vector<svm_node> nodes_;  // Row by row: the row's own number, then the kernels.
};

}  // namespace kindred::bench
