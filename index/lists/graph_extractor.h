// Gets the features of a segment's graphs back from its lists, for a merge.
//
// Threads: one user.
// Cost: Load reads every rare list of the segment once, whatever is asked for; so ask for many.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/lists/forward_lists.h"
#include "index/lists/segment.h"

namespace kindred {

class GraphExtractor {
 public:
  // `target` numbers the features that are given out; it has to have those of every graph that is asked for.
  // The segment must outlive this.
  GraphExtractor(const Segment& segment, const FeatureTable& target);

  // Reads the graphs of these slots. REQUIRES: the slots lie in blocks, none stands twice.
  void Load(std::span<const uint32_t> slots);
  // Adds the i-th of them; `is_first[f]` tells whether f is the first feature of a colour.
  void AddTo(ForwardLists& lists, size_t i, const std::vector<bool>& is_first) const;
  // Gives back the memory of what was read.
  void Clear();

 private:
  // Where the features of one graph are on the way: those of its block's row, then those of rare lists, each
  // ascending.
  struct Found {
    size_t begin = 0;
    size_t frequent_end = 0;
    size_t end = 0;
  };

  void LoadRows();
  void LoadLists();
  void Scatter(uint32_t block, uint32_t mask, uint32_t feature);

  const Segment& segment_;
  const BlockIndex& blocks_;
  std::vector<uint32_t> target_firsts_;    // The first target feature of each colour of the segment.
  std::vector<uint32_t> target_frequent_;  // The target feature of each frequent feature.
  std::vector<uint16_t> wanted_;           // A block each: the lanes asked for.
  std::vector<uint32_t> places_;           // A slot each: which of those asked for it is.
  std::vector<Found> found_;
  std::vector<uint32_t> features_;
};

}  // namespace kindred
