#include "bench/folds.h"

#include <algorithm>
#include <map>

namespace kindred::bench {

std::vector<Split> StratifiedFolds(std::span<const uint32_t> graphs, std::span<const int> classes, int folds,
                                   std::mt19937_64& random) {
  std::map<int, std::vector<uint32_t>> by_class;
  for (const uint32_t graph : graphs) {
    by_class[classes[graph]].push_back(graph);
  }
  std::vector<Split> splits(static_cast<size_t>(folds));
  size_t next = 0;  // Goes on from class to class, so that remainders do not all fall to the first folds.
  for (auto& [unused, members] : by_class) {
    std::ranges::shuffle(members, random);
    for (const uint32_t graph : members) {
      for (size_t fold = 0; fold < splits.size(); ++fold) {
        (fold == next ? splits[fold].test : splits[fold].train).push_back(graph);
      }
      next = (next + 1) % splits.size();
    }
  }
  return splits;
}

}  // namespace kindred::bench
