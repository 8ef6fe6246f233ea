// The experiment of the paper: the accuracy of a C-SVM on a kernel, by repeated cross-validation.
//
// Everything that is chosen (cost, depth, whether to normalize) is chosen by cross-validation inside the
// training folds, for each test fold anew (choosing.h); a test fold is looked at once, when all is chosen.
// Choosing trains with Smo, which is faster; what is then tested, and so every figure, is LIBSVM's.

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
  // See ChoosingOptions.
  bool race = false;
  int inner_rounds = 1000;
  // A training of more steps is given up while choosing, and its setting not chosen.
  uint64_t steps_max = 1'000'000;
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

// The accuracy of every setting, nothing chosen: by matrix (MatrixSettings) and cost, in percent, the mean of
// the repetitions; NaN where a training was given up. It explains what MeasureAccuracy says, and must not be
// chosen from: whoever takes the best of it has tuned on the test folds.
std::vector<std::vector<double>> MeasureEachSetting(const std::vector<Matrix>& matrices,
                                                    const LabelledGraphs& set,
                                                    const ExperimentOptions& options,
                                                    const ParallelFor& parallel_for,
                                                    const std::function<void(const std::string&)>& report);

}  // namespace kindred::bench
