// Divides graphs into folds that have each class in the same proportion, by chance.

#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace kindred::bench {

struct Split {
  std::vector<uint32_t> train;
  std::vector<uint32_t> test;
};

// Splits of `graphs` with every graph in the test part of exactly one of them. The folds' sizes differ by one
// at most, and so does how many of a class they have.
std::vector<Split> StratifiedFolds(std::span<const uint32_t> graphs, std::span<const int> classes, int folds,
                                   std::mt19937_64& random);

}  // namespace kindred::bench
