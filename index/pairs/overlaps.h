// What two graphs of blocks share, level by level, from their runs of features.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "index/base/limits.h"
#include "index/lists/feature_table.h"
#include "index/lists/forward_lists.h"

namespace kindred {

// I_0, I_1, ...; those beyond the features' levels are 0. Calls shared(first, count) for every colour that
// both wear, with its first feature and the smaller count.
template <typename Shared>
std::array<uint32_t, kLevelsMax> SharedRuns(const FeatureTable& features, std::span<const FeatureRun> a,
                                            std::span<const FeatureRun> b, Shared shared) {
  std::array<uint32_t, kLevelsMax> overlaps{};
  auto at = b.begin();
  Level level = 0;
  uint32_t level_end = features.level_count() == 0 ? 0 : features.at_level(0).end;
  for (const FeatureRun& run : a) {
    while (run.first >= level_end) {
      level_end = features.at_level(++level).end;
    }
    while (at != b.end() && at->first < run.first) {
      ++at;
    }
    if (at != b.end() && at->first == run.first) {
      const uint32_t count = std::min(run.count, at->count);
      overlaps[level] += count;
      shared(run.first, count);
    }
  }
  return overlaps;
}

}  // namespace kindred
