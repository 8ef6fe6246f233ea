// Which standing queries have chosen a colour: lists of (query, how many of its vertices wear it).
//
// Of the colours of a graph few are in here, so a filter of bits answers for most of them; it is small enough
// to stay in a near cache.
//
// Threads: one user.
// Cost: a look-up of what is not there reads one bit, mostly. 2 to 4 bytes of filter and about 60 bytes a
// colour,
//       8 bytes a posting.

#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "index/base/ids.h"

namespace kindred {

struct ColourPosting {
  uint32_t query = 0;
  uint32_t count = 0;
};

class ColourPostings {
 public:
  std::span<const ColourPosting> Find(ColourId colour) const {
    const size_t bit = Bit(colour);
    if ((filter_[bit / 64] >> (bit % 64) & 1) == 0) {
      return {};
    }
    const auto found = lists_.find(Raw(colour));
    return found == lists_.end() ? std::span<const ColourPosting>() : std::span(found->second);
  }

  void Add(ColourId colour, ColourPosting posting);
  // REQUIRES: there is one of this query.
  void Remove(ColourId colour, uint32_t query);

  uint64_t posting_count() const { return postings_; }

 private:
  static constexpr size_t kBitsAtStart = 1024;
  static constexpr size_t kBitsAColour = 16;

  // The top bits of a product: neighbouring colours go apart.
  size_t Bit(ColourId colour) const { return (Raw(colour) * 0x9e3779b97f4a7c15u) >> shift_; }
  void SetBit(ColourId colour) { filter_[Bit(colour) / 64] |= uint64_t{1} << (Bit(colour) % 64); }

  std::unordered_map<uint32_t, std::vector<ColourPosting>> lists_;
  uint64_t postings_ = 0;
  int shift_ = 64 - std::bit_width(kBitsAtStart - 1);
  std::vector<uint64_t> filter_ = std::vector<uint64_t>(kBitsAtStart / 64);
};

}  // namespace kindred
