// Plain inverted colour lists: for each colour the graphs that wear it and how often, with full counts.
//
// For graphs too large for blocks (lists/block_index.h), and for kernel matrices.
//
// Threads: immutable, so any number of readers.
// Invariants: (1) a list is sorted by graph and names no graph twice; (2) counts are positive.
// Cost: a list is found in O(log colours); 8 bytes a posting, 12 bytes a colour.

#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "index/base/ids.h"
#include "index/histogram/histogram.h"

namespace kindred {

struct Posting {
  uint32_t graph = 0;
  uint32_t count = 0;
};

class ColourLists {
 public:
  class Builder;

  uint32_t graph_count() const { return graph_count_; }
  uint64_t posting_count() const { return postings_.size(); }
  size_t memory_bytes() const;

  // Empty for a colour no graph wears.
  std::span<const Posting> list(ColourId colour) const;
  // Every list, colours ascending.
  template <typename Visit>  // void(ColourId, std::span<const Posting>)
  void ForEach(Visit visit) const {
    for (size_t i = 0; i < colours_.size(); ++i) {
      visit(colours_[i], at(i));
    }
  }

 private:
  std::span<const Posting> at(size_t i) const {
    const uint64_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span(postings_).subspan(begin, ends_[i] - begin);
  }

  uint32_t graph_count_ = 0;
  std::vector<ColourId> colours_;  // Sorted.
  std::vector<uint64_t> ends_;
  std::vector<Posting> postings_;
};

class ColourLists::Builder {
 public:
  // Graphs are numbered from 0 in the order of adding.
  void Add(std::span<const Histogram::Entry> entries);
  ColourLists Build() &&;

 private:
  uint32_t graph_count_ = 0;
  std::vector<std::pair<ColourId, Posting>> postings_;
};

}  // namespace kindred
