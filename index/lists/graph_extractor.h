// Gets the features of a segment's graphs back from its lists, for a merge.
//
// Threads: one user.
// Cost: Load reads the rare lists of the segment once, whatever is asked for; so ask for many. 4 bytes a
//       feature of the graphs asked for, half a byte a graph of the segment.

#pragma once

#include <cstdint>
#include <vector>

#include "index/base/memory.h"
#include "index/lists/forward_lists.h"
#include "index/lists/segment.h"

namespace kindred {

class GraphExtractor {
 public:
  // `target` numbers the features that are given out; it has to have those of every graph that is asked for.
  // The segment must outlive this.
  GraphExtractor(const Segment& segment, const FeatureTable& target);

  // Forgets what was asked for.
  void Clear();
  // Asks for the graph of this slot. REQUIRES: it lies in a block.
  void Want(uint32_t slot) {
    uint16_t& lanes = wanted_[slot / kBlockGraphs];
    lanes = static_cast<uint16_t>(lanes | 1u << slot % kBlockGraphs);
  }
  // Reads the graphs that were asked for. `is_first[f]` tells whether f is the first target feature of a
  // colour. REQUIRES: the same target.
  void Load(const FeatureTable& target, const std::vector<bool>& is_first);
  // One of them.
  uint32_t run_count(uint32_t slot) const { return found_[place(slot)].runs; }
  void AddTo(ForwardLists& lists, uint32_t slot) const;

 private:
  // Where the features of one graph are. On the way: those of its block's row, then those of rare lists, each
  // ascending. In the end all ascend, and the first one of a run is marked (kFirst).
  struct Found {
    size_t begin = 0;
    uint32_t size = 0;
    uint32_t runs = 0;  // On the way: how many are of the row.
  };

  size_t place(uint32_t slot) const {
    return size_t{wanted_places_[slot / kBlockGraphs]} * kBlockGraphs + slot % kBlockGraphs;
  }
  void LoadRows();
  void LoadLists(const FeatureTable& target);
  void Scatter(uint32_t block, uint32_t lanes, uint32_t feature);
  void MarkRuns(const std::vector<bool>& is_first);

  const Segment& segment_;
  const BlockIndex& blocks_;
  std::vector<uint32_t> target_frequent_;  // The target feature of each frequent feature.
  std::vector<uint16_t> wanted_;           // A block each: the lanes asked for,
  std::vector<uint32_t> wanted_places_;    // and the number of blocks before it that are asked for.
  uint32_t blocks_end_ = 0;                // Beyond the last block of which a lane is asked for.
  std::vector<Found> found_;               // 16 for each block of which a lane is asked for.
  LargeVector<uint32_t> features_;
};

}  // namespace kindred
