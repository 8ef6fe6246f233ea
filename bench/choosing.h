// Chooses, for each fold of a division as the test fold, a setting by the other folds alone.
//
// A setting is a matrix (a depth, normalized or not) and a cost. For test fold t it is validated on each
// other fold v, after training on all folds but t and v. What is chosen for t rests on nothing that was
// learnt from t or of t.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bench/verdict.h"
#include "index/base/parallel.h"

namespace kindred::bench {

// Trains on `train` with the matrix and the costs (by number, ascending), and classifies the two folds.
using Judge = std::function<std::vector<Verdict>(
    size_t matrix, std::span<const uint32_t> train, std::span<const uint32_t> first,
    std::span<const uint32_t> second, std::span<const size_t> costs)>;

struct ChoosingOptions {
  size_t matrices = 0;
  size_t costs = 0;
  // Whether the worse settings drop out on the way (race.h), and of costs that have the same solution the
  // higher ones.
  bool race = false;
  // Of the other folds so many are validated on; fewer save time, and choose less surely.
  size_t rounds = SIZE_MAX;
};

struct Choice {
  size_t matrix = 0;
  size_t cost = 0;
};

struct Choices {
  std::vector<Choice> of_folds;
  size_t trained = 0;   // Settings times pairs of folds.
  size_t given_up = 0;  // Of those: a setting that is given up once is not chosen.
};

// Ties go to the earlier matrix, then to the lower cost. REQUIRES: three folds at least.
Choices Choose(std::span<const std::vector<uint32_t>> folds, const ChoosingOptions& options,
               const Judge& judge, const ParallelFor& parallel_for);

}  // namespace kindred::bench
