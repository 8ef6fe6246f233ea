// The features of some graphs side by side, read back from the lists, to compare them exactly.
//
// Threads: once made, any number of readers.
// Cost: reads all rare lists of the parts, once for each shard; 4 bytes a vertex and level of each graph.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/base/parallel.h"
#include "index/lists/forward_lists.h"
#include "index/lists/graph_extractor.h"
#include "index/pairs/pair_parts.h"

namespace kindred {

class ForwardGraphs {
 public:
  // `numbers`: each in a block, in any order and any number of times. `parts` must outlive this.
  ForwardGraphs(const PairParts& parts, std::span<const uint32_t> numbers, const ParallelFor& parallel_for);

  // What it takes for a graph of so many vertices.
  static size_t Bytes(const PairParts& parts, uint32_t vertices) {
    return size_t{vertices} * parts.features().level_count() * sizeof(uint32_t);
  }

  // Adds one of them: runs of features as all parts number them, ascending.
  void AddTo(ForwardLists& lists, uint32_t number) const {
    const PairParts::Place place = parts_.Locate(number);
    shards_[Shard(number)][place.part].AddTo(lists, place.slot);
  }

 private:
  size_t Shard(uint32_t number) const { return uint64_t{number} * shards_.size() / parts_.number_end(); }

  const PairParts& parts_;
  std::vector<std::vector<GraphExtractor>> shards_;  // Each has graphs of numbers in a row, a part each.
};

}  // namespace kindred
