// Memory that one search after the other uses: a few bytes a group of the largest segment, and some more for
// each block that a search looks at.
//
// Threads: one search at a time.

#pragma once

#include <cstdint>
#include <vector>

#include "index/lists/block_kernels.h"

namespace kindred {

// Of blocks, or of groups; 16 for each word of the columns that was asked for.
struct BoundScratch {
  std::vector<uint16_t> rare;  // And for each level: how many rare features of the query it has.
  std::vector<uint16_t> bounds;
  std::vector<uint16_t> frequent;
  std::vector<uint16_t> most;  // One a word.
};

struct BlockScratch {
  BoundScratch groups;
  BoundScratch blocks;
  std::vector<uint32_t> group_places;  // A group each; kNowhere between searches.
  std::vector<RareHit> hits;
  std::vector<uint32_t> score_places;  // A bounded block each.
  std::vector<uint16_t> counts;        // 16 a block that is scored, and a level where levels are told apart.
  std::vector<uint16_t> largest;       // A block that is scored each: the largest of its counts.
};

// Never smaller: what lies beyond `size` is kept for a larger segment.
template <typename T>
void GrowTo(std::vector<T>& values, size_t size, T value = {}) {
  if (values.size() < size) {
    values.resize(size, value);
  }
}

}  // namespace kindred
