#include "bench/tournament.h"

#include <algorithm>

namespace kindred::bench {

// The circle method: the last one stays in its place and the others go round it.
std::vector<std::vector<FoldPair>> Rounds(size_t folds) {
  const size_t places = folds + folds % 2;
  std::vector<std::vector<FoldPair>> rounds;
  for (size_t round = 0; round + 1 < places; ++round) {
    std::vector<FoldPair>& pairs = rounds.emplace_back();
    const size_t circle = places - 1;
    for (size_t i = 0; i < places / 2; ++i) {
      const size_t one = (round + i) % circle;
      const size_t other = i == 0 ? circle : (round + circle - i) % circle;
      if (other < folds) {  // Else it is the empty place of an odd number.
        pairs.emplace_back(std::min(one, other), std::max(one, other));
      }
    }
  }
  return rounds;
}

}  // namespace kindred::bench
