// Numbers the features of a segment. A colour c that some graph wears t times has the features
// (c,1), (c,2), ..., (c,t), "worn at least so often": two graphs that wear c a and b times share min(a,b) of
// them, so that the kernel counts shared features and the minimum is gone.
//
// Features are numbered level by level, within a level by colour, within a colour by t: the features of
// a colour are a range, and so are those of a level.
//
// Threads: immutable, so any number of readers.
// Cost: Find reads two or three cache lines. 8 bytes a colour and up to 2 for the directory.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "index/base/ids.h"
#include "index/base/memory.h"

namespace kindred {

struct FeatureRange {
  uint32_t begin = 0;
  uint32_t end = 0;

  uint32_t size() const { return end - begin; }
  friend bool operator==(const FeatureRange&, const FeatureRange&) = default;
};

class FeatureTable {
 public:
  struct Colour {
    ColourId id{};
    uint32_t count_max = 0;  // How often one graph of the segment wears it at most.
  };

  FeatureTable() = default;
  // One vector a level, each sorted by colour.
  explicit FeatureTable(const std::vector<std::vector<Colour>>& levels);

  // Empty for a colour no graph wears.
  FeatureRange Find(Level level, ColourId colour) const;
  // Before a Find, for many colours each in turn: first one, then the other.
  void PrefetchBucket(Level level, ColourId colour) const;
  void PrefetchColours(Level level, ColourId colour) const;

  uint32_t size() const { return firsts_.empty() ? 0 : firsts_.back(); }
  Level level_count() const { return static_cast<Level>(levels_.size()); }
  FeatureRange at_level(Level level) const;
  size_t memory_bytes() const;

  // Colours by number: in the order of their features.
  uint32_t colour_count() const { return static_cast<uint32_t>(colours_.size()); }
  ColourId colour(uint32_t number) const { return colours_[number]; }
  FeatureRange features(uint32_t number) const { return {firsts_[number], firsts_[number + 1]}; }
  // The numbers of the colours of a level.
  FeatureRange colours_at(Level level) const { return {levels_[level].begin, levels_[level].end}; }

 private:
  // The colours of one level, and where to look for them: buckets_[bucket_begin + (id >> shift)] is the first
  // colour whose id is not below (id >> shift) << shift.
  struct LevelColours {
    uint32_t begin = 0;
    uint32_t end = 0;
    uint32_t bucket_begin = 0;
    uint32_t bucket_count = 0;
    uint32_t shift = 0;
  };

  // Where the bucket of a colour stands in buckets_; nothing for a colour of no bucket.
  std::optional<uint32_t> Bucket(Level level, ColourId colour) const;

  std::vector<LevelColours> levels_;
  LargeVector<ColourId> colours_;
  LargeVector<uint32_t> firsts_;  // One more than colours.
  std::vector<uint32_t> buckets_;
};

}  // namespace kindred
