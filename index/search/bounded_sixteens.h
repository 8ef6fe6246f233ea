// Bounds of blocks, 16 of a group at a time, or of groups, 16 of a shelf at a time.
//
// A bounded one has a place: 16 i + lane, for the i-th word of the columns that was asked for.
//
// Threads: one search; the segment is shared.

#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "index/lists/block_kernels.h"
#include "index/search/block_scratch.h"
#include "index/search/interrupt.h"

namespace kindred {

class BoundedSixteens {
 public:
  // The vertex counts of what is bounded.
  struct Sizes {
    uint32_t count = 0;                       // Of blocks, or groups.
    const uint16_t* smallest = nullptr;       // One each,
    const uint16_t* largest = nullptr;        // padded,
    const uint16_t* word_smallest = nullptr;  // and one for the 16 of a word.
  };

  BoundedSixteens(const Sizes& sizes, BoundScratch& scratch) : sizes_(sizes), scratch_(scratch) {}

  // The words to bound. rare(place, level) are then 0.
  void Reset(std::vector<uint32_t> words, size_t levels);
  uint16_t& rare(uint32_t place, size_t level) {
    return scratch_.rare[(place / 16 * level_count_ + level) * 16 + place % 16];
  }
  // After the rare ones were counted.
  absl::Status Bound(std::span<const LevelTerms> levels, const Interrupt& interrupt);

  const std::vector<uint32_t>& words() const { return words_; }
  // The number of the block or group.
  uint32_t number(uint32_t place) const { return words_[place / 16] * 16 + place % 16; }
  uint32_t bound(uint32_t place) const { return scratch_.bounds[place]; }
  // How many frequent features of the query it has, or more; saturates.
  uint32_t frequent(uint32_t place) const { return scratch_.frequent[place]; }
  // At least the bound of each of the i-th word.
  uint32_t most(size_t i) const { return scratch_.most[i]; }

  uint32_t smallest(uint32_t place) const { return sizes_.smallest[number(place)]; }
  uint32_t smallest_of_word(size_t i) const { return sizes_.word_smallest[words_[i]]; }

  // How many there are in the i-th word: 16, or fewer in the last one.
  uint32_t count_in(size_t i) const { return std::min(16u, sizes_.count - words_[i] * 16); }
  // Calls visit(place) for each of them.
  template <typename Visit>
  void ForEachIn(size_t i, Visit visit) const {
    for (uint32_t lane = 0; lane < count_in(i); ++lane) {
      visit(static_cast<uint32_t>(i) * 16 + lane);
    }
  }

  // The places with a bound of at least least(smallest), in order, of those that shown(word) has a bit for.
  // `word_least` does the same for the 16 of a word, of which none is taken if it fails: it may be less
  // strict. Both grow with the vertex count.
  template <typename Least, typename WordLeast, typename Shown>
  std::vector<uint32_t> Select(Least least, WordLeast word_least, Shown shown) const {
    std::vector<uint32_t> places(words_.size() * 16);
    size_t count = 0;
    for (size_t i = 0; i < words_.size(); ++i) {
      if (most(i) < word_least(smallest_of_word(i))) {
        continue;
      }
      for (uint32_t left = shown(words_[i]) & ((1u << count_in(i)) - 1); left != 0; left &= left - 1) {
        const auto place = static_cast<uint32_t>(i * 16) + static_cast<uint32_t>(std::countr_zero(left));
        // Without a branch, which nobody could foretell.
        places[count] = place;
        count += static_cast<size_t>(bound(place) >= least(smallest(place)));
      }
    }
    places.resize(count);
    return places;
  }

 private:
  const Sizes sizes_;
  BoundScratch& scratch_;
  std::vector<uint32_t> words_;
  size_t level_count_ = 0;
};

}  // namespace kindred
