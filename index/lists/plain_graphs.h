// Graphs as they came, one packed histogram after the other: the newest ones of an index, which are not worth
// inverting yet, or wait for it. A search reads all of them (search/plain_search.h).
//
// Threads: immutable once built, so any number of readers.
// Cost: adding is a copy; 4 bytes and the packed histogram a graph.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "index/base/memory.h"
#include "index/histogram/packed.h"

namespace kindred {

class PlainGraphs {
 public:
  uint32_t graph_count() const { return static_cast<uint32_t>(ends_.size()); }
  // As many as inverted they would have: one a vertex and level.
  uint64_t posting_count() const { return vertices_ * levels_; }
  size_t memory_bytes() const { return ends_.capacity() * sizeof(uint32_t) + bytes_.capacity(); }

  // histogram/packed.h
  std::string_view packed(uint32_t graph) const {
    const uint32_t begin = graph == 0 ? 0 : ends_[graph - 1];
    return {bytes_.data() + begin, ends_[graph] - begin};
  }

  size_t packed_bytes() const { return bytes_.size(); }

  // REQUIRES: less than 4 GiB in all.
  void Reserve(size_t graphs, size_t bytes) {
    ends_.reserve(graphs);
    bytes_.reserve(bytes);
  }
  // REQUIRES: all have as many levels.
  void Add(uint32_t vertex_count, std::string_view packed) {
    if (levels_ == 0) {
      levels_ = LevelCount(packed);
    }
    bytes_.append(packed);
    ends_.push_back(static_cast<uint32_t>(bytes_.size()));
    vertices_ += vertex_count;
  }

  // All of another one.
  void Append(const PlainGraphs& other) {
    const auto begin = static_cast<uint32_t>(bytes_.size());
    bytes_.append(other.bytes_);
    for (const uint32_t end : other.ends_) {
      ends_.push_back(begin + end);
    }
    vertices_ += other.vertices_;
    levels_ = other.levels_;
  }

 private:
  std::vector<uint32_t> ends_;
  LargeString bytes_;
  uint64_t vertices_ = 0;
  uint64_t levels_ = 0;  // Of each histogram.
};

}  // namespace kindred
