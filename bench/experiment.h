// The experiment of the paper: the accuracy of a C-SVM on a kernel, by repeated cross-validation.
//
// Everything that is chosen (cost, depth, whether to normalize) is chosen by cross-validation inside the
// training folds, for each test fold anew; a test fold is looked at once, when all is chosen.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/kernel_matrices.h"
#include "bench/labelled_graphs.h"

namespace kindred::bench {

struct ExperimentOptions {
  int repetitions = 10;
  int folds = 10;
  int inner_folds = 10;
  // Of the inner folds so many are validated on; fewer save time, and choose less surely.
  int inner_rounds = 10;
  // Smaller depths are not chosen from, if the kernel has a depth.
  uint32_t depth_min = 0;
  std::vector<double> costs;
  uint64_t seed = 1;
};

struct Accuracy {
  double mean = 0;       // In percent.
  double deviation = 0;  // Of the repetitions' accuracies (of a sample: n - 1).
  std::string chosen;    // What was chosen most often.
};

// `matrices` are those of depths 0, 1, ... `report` hears what is done, now and then.
Accuracy MeasureAccuracy(const std::vector<Matrix>& matrices, const LabelledGraphs& set,
                         const ExperimentOptions& options, const ParallelFor& parallel_for,
                         const std::function<void(const std::string&)>& report);

}  // namespace kindred::bench
