// What a search for pairs finds, to be compared with tests/support/naive_pairs.h.

#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/limits.h"
#include "index/base/parallel.h"
#include "index/engine/pair_search.h"
#include "tests/support/naive_pairs.h"

namespace kindred::test {

PairsRequest ToRequest(const PairQuestion& question);

struct PairRun {
  int threads = 1;
  bool flush = false;  // After every step.
  Limits limits = {};
};

// All of them, in the order of the ids. Expects that progress goes up to all graphs.
absl::StatusOr<std::vector<IdPair>> FindPairs(std::shared_ptr<const Snapshot> snapshot,
                                              const PairQuestion& question, const PairRun& run = {});

}  // namespace kindred::test
