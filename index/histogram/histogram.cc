#include "index/histogram/histogram.h"

#include <algorithm>

#include "index/base/check.h"
#include "index/base/status.h"

namespace kindred {

Histogram Histogram::Of(const VertexColours& colours) {
  Histogram histogram;
  histogram.vertex_count_ = colours.vertex_count();
  std::vector<ColourId> worn;
  for (Level level = 0; level <= colours.depth(); ++level) {
    const auto at_level = colours.at_level(level);
    worn.assign(at_level.begin(), at_level.end());
    std::sort(worn.begin(), worn.end());
    for (auto run = worn.begin(); run != worn.end() && *run != kUnknownColour;) {
      const auto end = std::find_if(run, worn.end(), [&](ColourId colour) { return colour != *run; });
      histogram.entries_.push_back({*run, static_cast<uint32_t>(end - run)});
      run = end;
    }
    histogram.level_ends_.push_back(static_cast<uint32_t>(histogram.entries_.size()));
  }
  return histogram;
}

absl::StatusOr<Histogram> Histogram::FromLevels(uint32_t vertex_count,
                                                const std::vector<std::vector<Entry>>& levels) {
  if (vertex_count == 0) {
    return DataLoss("a histogram of no vertices");
  }
  Histogram histogram;
  histogram.vertex_count_ = vertex_count;
  for (const std::vector<Entry>& level : levels) {
    uint64_t total = 0;
    for (size_t i = 0; i < level.size(); ++i) {
      if (level[i].count == 0 || (i > 0 && level[i].colour <= level[i - 1].colour)) {
        return DataLoss("histogram level {} is not sorted or holds a zero count",
                        histogram.level_ends_.size());
      }
      total += level[i].count;
    }
    if (total != vertex_count) {
      return DataLoss("histogram level {} counts {} vertices, not {}", histogram.level_ends_.size(), total,
                      vertex_count);
    }
    histogram.entries_.insert(histogram.entries_.end(), level.begin(), level.end());
    histogram.level_ends_.push_back(static_cast<uint32_t>(histogram.entries_.size()));
  }
  return histogram;
}

std::vector<uint32_t> LevelOverlaps(const Histogram& a, const Histogram& b) {
  KINDRED_CHECK(a.depth() == b.depth());
  std::vector<uint32_t> overlaps;
  for (Level level = 0; level <= a.depth(); ++level) {
    const auto left = a.at_level(level);
    const auto right = b.at_level(level);
    uint32_t overlap = 0;
    for (size_t i = 0, j = 0; i < left.size() && j < right.size();) {
      if (left[i].colour == right[j].colour) {
        overlap += std::min(left[i++].count, right[j++].count);
      } else if (left[i].colour < right[j].colour) {
        ++i;
      } else {
        ++j;
      }
    }
    overlaps.push_back(overlap);
  }
  return overlaps;
}

}  // namespace kindred
