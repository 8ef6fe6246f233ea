// Connected groups of similar graphs by definition, with their medoids.

#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/naive_pairs.h"

namespace kindred::test {

struct IdCluster {
  std::string representative;
  std::vector<std::string> members;  // Ascending.

  friend bool operator==(const IdCluster&, const IdCluster&) = default;
  friend void PrintTo(const IdCluster& cluster, std::ostream* out) {
    *out << cluster.representative << " of " << ::testing::PrintToString(cluster.members);
  }
};

// The largest first, of equal size the one with the smaller first member. Of groups larger than `medoid_max`
// only similarities of pairs are added up.
std::vector<IdCluster> NaiveClusters(const NaivePairs& graphs, const PairQuestion& question, size_t size_min,
                                     size_t medoid_max);

}  // namespace kindred::test
