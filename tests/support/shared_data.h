// The real data of shared/data, which is not part of the project: tests that need it skip without it.
//
// It is looked for in $KINDRED_SHARED_DIR, then beside the source tree. Parsers here are small and
// independent of client/formats: they check the product, so they do not share its readers.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/graph/graph.h"

namespace kindred::test {

// The directory shared/data, if it is there.
std::optional<std::filesystem::path> SharedData();

// A classification set in the TU text format.
struct TuDataset {
  std::vector<Graph> graphs;
  std::vector<std::string> classes;
};

// `edge_labels`: false leaves all edges unlabelled. Where the set has no vertex labels, all are "". REQUIRES:
// SharedData().
TuDataset LoadTu(const std::string& name, bool edge_labels);

// A kernel matrix in LIBSVM's precomputed format: `class 0:index 1:K 2:K ...`, one line a graph.
struct GramMatrix {
  std::vector<std::string> classes;
  std::vector<std::vector<double>> rows;
};

// REQUIRES: SharedData().
GramMatrix LoadGram(const std::string& dataset, const std::string& kernel);

}  // namespace kindred::test

#define KINDRED_SKIP_WITHOUT_SHARED_DATA()                                                            \
  if (!::kindred::test::SharedData()) {                                                               \
    GTEST_SKIP() << "the reference data is not here: set KINDRED_SHARED_DIR to the directory shared"; \
  }                                                                                                   \
  static_assert(true)
