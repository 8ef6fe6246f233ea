// The search over graphs that are not inverted: each is scored, level by level, until it cannot matter any
// more.
//
//   [PlainBound] after levels 0..l, with overlaps I_0..I_l, a graph has at most
//   w_0 I_0 + ... + w_l I_l + (w_(l+1) + ... + w_d) I_l units, since no deeper level has more than I_l; and
//   before all of them, every level at most as many as the smaller one of graph and query has vertices.
//
// Threads: a value of one query; any number of readers.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "index/lists/segment.h"
#include "index/search/bound_units.h"
#include "index/search/bounded_groups.h"
#include "index/search/top_k.h"

namespace kindred {

class PlainSearch {
 public:
  // Both must outlive this.
  PlainSearch(const Query& query, const BoundUnits& units);

  // Offers to `top` every graph of this part of the segment's plain graphs that could be admitted.
  absl::Status Search(const SegmentView& view, BlockPart part, const Interrupt& interrupt, TopK& top,
                      SearchStats& stats) const;

 private:
  // How often the query wears a colour of one level, by open addressing.
  class Counts {
   public:
    explicit Counts(std::span<const Histogram::Entry> entries);
    // 0 if it does not.
    uint32_t operator()(uint32_t colour) const {
      for (size_t at = Hash(colour);; at = (at + 1) & mask_) {
        if (slots_[at].colour == colour || slots_[at].count == 0) {
          return slots_[at].colour == colour ? slots_[at].count : 0;
        }
      }
    }

   private:
    struct Slot {
      uint32_t colour = 0;
      uint32_t count = 0;  // 0: free.
    };

    size_t Hash(uint32_t colour) const { return (colour * 0x9e3779b1u >> 16) & mask_; }

    size_t mask_ = 0;
    std::vector<Slot> slots_;
  };

  const Query& query_;
  const BoundUnits& units_;
  std::vector<Counts> counts_;    // A level each.
  std::vector<uint64_t> deeper_;  // The units of one vertex at all deeper levels, a level each;
  uint64_t all_ = 0;              // and at all.
};

}  // namespace kindred
