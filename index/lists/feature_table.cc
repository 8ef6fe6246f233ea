#include "index/lists/feature_table.h"

namespace kindred {

FeatureTable::FeatureTable(const std::vector<std::vector<Colour>>& levels) {
  size_t colours = 0;
  for (const auto& level : levels) {
    colours += level.size();
  }
  colours_.reserve(colours);
  firsts_.reserve(colours + 1);
  firsts_.push_back(0);
  for (const auto& level : levels) {
    LevelColours& here = levels_.emplace_back();
    here.begin = colour_count();
    for (const Colour& colour : level) {
      colours_.push_back(colour.id);
      firsts_.push_back(firsts_.back() + colour.count_max);
    }
    here.end = colour_count();
    if (level.empty()) {
      continue;
    }
    // About eight colours a bucket, if ids were spread evenly. Two buckets at least where ids take 32 bits.
    const uint32_t id_max = Raw(level.back().id);
    while (here.shift < 31 && (id_max >> here.shift) > level.size() / 8) {
      ++here.shift;
    }
    here.bucket_begin = static_cast<uint32_t>(buckets_.size());
    here.bucket_count = (id_max >> here.shift) + 1;
    uint32_t number = here.begin;
    for (uint32_t bucket = 0; bucket < here.bucket_count; ++bucket) {
      while (Raw(colours_[number]) >> here.shift < bucket) {
        ++number;
      }
      buckets_.push_back(number);
    }
  }
  buckets_.shrink_to_fit();
}

std::optional<uint32_t> FeatureTable::Bucket(Level level, ColourId colour) const {
  if (level >= levels_.size()) {
    return std::nullopt;
  }
  const uint32_t bucket = Raw(colour) >> levels_[level].shift;
  return bucket < levels_[level].bucket_count ? std::optional(levels_[level].bucket_begin + bucket)
                                              : std::nullopt;
}

void FeatureTable::PrefetchBucket(Level level, ColourId colour) const {
  if (const auto bucket = Bucket(level, colour)) {
    __builtin_prefetch(&buckets_[*bucket]);
  }
}

void FeatureTable::PrefetchColours(Level level, ColourId colour) const {
  if (const auto bucket = Bucket(level, colour)) {
    __builtin_prefetch(&colours_[buckets_[*bucket]]);
    __builtin_prefetch(&firsts_[buckets_[*bucket]]);
  }
}

FeatureRange FeatureTable::Find(Level level, ColourId colour) const {
  const auto bucket = Bucket(level, colour);
  if (!bucket) {
    return {};
  }
  const LevelColours& here = levels_[level];
  uint32_t low = buckets_[*bucket];
  uint32_t high = *bucket + 1 < here.bucket_begin + here.bucket_count ? buckets_[*bucket + 1] : here.end;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (colours_[middle] < colour) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < here.end && colours_[low] == colour ? features(low) : FeatureRange{};
}

FeatureRange FeatureTable::at_level(Level level) const {
  return {firsts_[levels_[level].begin], firsts_[levels_[level].end]};
}

size_t FeatureTable::memory_bytes() const {
  return colours_.capacity() * sizeof(ColourId) + firsts_.capacity() * sizeof(uint32_t) +
         buckets_.capacity() * sizeof(uint32_t);
}

}  // namespace kindred
