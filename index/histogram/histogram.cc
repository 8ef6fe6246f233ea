#include "index/histogram/histogram.h"

#include <algorithm>
#include <array>

#include "index/base/check.h"
#include "index/base/status.h"
#include "index/histogram/ranks.h"

namespace kindred {

namespace {

// Appends the runs of equal colours among `worn` in ascending order, kUnknownColour left out.
void CountByRank(std::span<const ColourId> worn, std::vector<Histogram::Entry>& entries) {
  // With the top bit flipped the order of signed numbers, which vectors know, is that of colours.
  std::array<int32_t, kRankedMax> colours{};
  for (size_t i = 0; i < worn.size(); ++i) {
    colours[i] = static_cast<int32_t>(Raw(worn[i]) ^ 0x80000000);
  }
  // A colour's rank is the number of smaller ones: equal colours share it, and with it a count.
  std::array<int32_t, kRankedMax> ranks;
  FindRanks(colours, worn.size(), ranks);
  std::array<Histogram::Entry, kRankedMax> runs{};
  for (size_t i = 0; i < worn.size(); ++i) {
    Histogram::Entry& run = runs[static_cast<size_t>(ranks[i])];
    run.colour = worn[i];
    ++run.count;
  }
  for (size_t rank = 0; rank < worn.size() && runs[rank].colour != kUnknownColour; rank += runs[rank].count) {
    entries.push_back(runs[rank]);
  }
}

void CountBySorting(std::span<const ColourId> at_level, std::vector<Histogram::Entry>& entries) {
  std::vector<ColourId> worn(at_level.begin(), at_level.end());
  std::sort(worn.begin(), worn.end());
  for (auto run = worn.begin(); run != worn.end() && *run != kUnknownColour;) {
    const auto end = std::find_if(run, worn.end(), [&](ColourId colour) { return colour != *run; });
    entries.push_back({*run, static_cast<uint32_t>(end - run)});
    run = end;
  }
}

}  // namespace

Histogram Histogram::Of(const VertexColours& colours) {
  Histogram histogram;
  histogram.vertex_count_ = colours.vertex_count();
  const size_t levels = colours.depth() + 1u;
  histogram.entries_.reserve(levels * std::min<size_t>(colours.vertex_count(), kRankedMax));
  for (Level level = 0; level <= colours.depth(); ++level) {
    const auto worn = colours.at_level(level);
    worn.size() <= kRankedMax ? CountByRank(worn, histogram.entries_)
                              : CountBySorting(worn, histogram.entries_);
    histogram.EndLevel();
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
        return DataLoss("histogram level {} is not sorted or holds a zero count", histogram.level_count_);
      }
      total += level[i].count;
    }
    if (total != vertex_count) {
      return DataLoss("histogram level {} counts {} vertices, not {}", histogram.level_count_, total,
                      vertex_count);
    }
    histogram.entries_.insert(histogram.entries_.end(), level.begin(), level.end());
    histogram.EndLevel();
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
