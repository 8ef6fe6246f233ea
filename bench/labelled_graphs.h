// Graphs with classes, read from a file that kindred reads: the data of a classification.

#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "index/graph/graph.h"

namespace kindred::bench {

struct LabelledGraphs {
  std::string name;
  std::vector<Graph> graphs;
  std::vector<int> classes;  // 0, 1, ... in the order of first use.
  int class_count = 0;
};

// The class is the tag "class". Fails for a graph that cannot be read or has none, and for a single class.
absl::StatusOr<LabelledGraphs> ReadLabelledGraphs(const std::string& path, bool edge_labels);

}  // namespace kindred::bench
