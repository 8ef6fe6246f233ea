// A whole kernel matrix at once, for tests.

#pragma once

#include <vector>

#include "index/kernels/graph_features.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {

inline std::vector<std::vector<double>> RowsOf(const Gram& gram, bool normalize = false) {
  std::vector<std::vector<double>> rows;
  for (size_t row = 0; row < gram.size(); ++row) {
    std::vector<double>& values = rows.emplace_back(gram.size());
    EXPECT_THAT(gram.Row(row, 0, values, Interrupt()), IsOk());
    if (normalize) {
      gram.Normalize(row, 0, values);
    }
  }
  return rows;
}

// Counts features in batches of `batch`, on `threads` threads.
inline Gram GramOf(KernelKind kind, Level depth, const std::vector<Graph>& graphs, size_t batch = 512,
                   int threads = 1) {
  GraphFeatures features(kind, depth);
  Gram::Builder builder(TraitsOf(kind).combination, UINT64_MAX);
  std::vector<const Graph*> some;
  for (const Graph& graph : graphs) {
    some.push_back(&graph);
    if (some.size() == batch || &graph == &graphs.back()) {
      EXPECT_THAT(features.Add(some, ForEachOnThreads(threads), Interrupt(), builder), IsOk());
      some.clear();
    }
  }
  return std::move(builder).Build();
}

}  // namespace kindred::test
