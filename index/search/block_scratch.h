// Memory that one search after the other uses: a few bytes a block of the largest segment.
//
// Threads: one search at a time.

#pragma once

#include <cstdint>
#include <vector>

namespace kindred {

struct BlockScratch {
  // T: what a bound fits in.
  template <typename T>
  struct Counters {
    std::vector<T> bounds;             // A block each.
    std::vector<T> frequent;           // A block each.
    std::vector<T> chunk_bounds;       // A chunk each.
    std::vector<T> chunk_least;        // A chunk each.
    std::vector<std::vector<T>> rare;  // A level of the query, then a block each.
  };

  Counters<uint8_t> bytes;
  Counters<uint16_t> words;
  std::vector<uint64_t> selected;  // A bit a block.
  std::vector<uint64_t> wanted;    // A bit a block; all clear between searches.
  std::vector<uint32_t> places;    // A block each.
  std::vector<uint16_t> counts;    // 16 a block that is scored, and a level where levels are told apart.
  std::vector<uint16_t> largest;   // A block that is scored each: the largest of its counts.

  template <typename T>
  Counters<T>& counters() {
    if constexpr (sizeof(T) == 1) {
      return bytes;
    } else {
      return words;
    }
  }
};

// Never smaller: what lies beyond `size` is kept for a larger segment.
template <typename T>
void GrowTo(std::vector<T>& values, size_t size) {
  if (values.size() < size) {
    values.resize(size);
  }
}

}  // namespace kindred
