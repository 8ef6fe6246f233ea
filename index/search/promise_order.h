// Puts blocks into the order they are scored in: those that promise most first, since they raise the
// threshold for all others.
//
// Threads: a pure function.
// Cost: linear. The order is rough where promises differ much: it has 256 ranks.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace kindred {

// The places, by the promise of each; those of one rank keep their order.
inline std::vector<uint32_t> MostPromisingFirst(const std::vector<uint32_t>& places,
                                                const std::vector<int32_t>& promises) {
  if (places.empty()) {
    return {};
  }
  const int32_t worst = *std::ranges::min_element(promises);
  const int32_t best = *std::ranges::max_element(promises);
  constexpr int kRankBits = 8;
  const int width = static_cast<int>(std::bit_width(static_cast<uint32_t>(best - worst)));
  const int shift = std::max(0, width - kRankBits);
  const auto rank = [&](int32_t promise) { return static_cast<uint32_t>(best - promise) >> shift; };
  std::array<uint32_t, (1 << kRankBits) + 1> begins{};
  for (const int32_t promise : promises) {
    ++begins[rank(promise) + 1];
  }
  for (size_t i = 1; i < begins.size(); ++i) {
    begins[i] += begins[i - 1];
  }
  std::vector<uint32_t> sorted(places.size());
  for (size_t i = 0; i < places.size(); ++i) {
    sorted[begins[rank(promises[i])]++] = places[i];
  }
  return sorted;
}

}  // namespace kindred
