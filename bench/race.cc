#include "bench/race.h"

#include <algorithm>
#include <functional>

namespace kindred::bench {
namespace {

bool IsCut(size_t rounds) { return rounds == 1 || rounds == 2 || rounds == 4; }

}  // namespace

Race::Race(size_t settings, bool drops) : drops_(drops), in_(settings, true), right_(settings, 0) {}

void Race::EndRound() {
  ++rounds_;
  if (!drops_ || !IsCut(rounds_)) {
    return;
  }
  std::vector<uint32_t> of_those_in;
  for (size_t setting = 0; setting < in_.size(); ++setting) {
    if (in_[setting]) {
      of_those_in.push_back(right_[setting]);
    }
  }
  if (of_those_in.empty()) {
    return;
  }
  std::ranges::sort(of_those_in, std::greater<>());
  const uint32_t last = of_those_in[(of_those_in.size() - 1) / 2];
  for (size_t setting = 0; setting < in_.size(); ++setting) {
    in_[setting] = in_[setting] && right_[setting] >= last;
  }
}

size_t Race::Best() const {
  size_t best = 0;
  for (size_t setting = 1; setting < in_.size(); ++setting) {
    if (in_[setting] && (!in_[best] || right_[setting] > right_[best])) {
      best = setting;
    }
  }
  return best;
}

}  // namespace kindred::bench
