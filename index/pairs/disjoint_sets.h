// Which things belong together, of things that are joined two at a time.
//
// Threads: one user.
// Invariant: the one that stands for a group is its smallest: it does not depend on the order of joins.
// Cost: 4 bytes a thing; a join or a look-up is as good as constant.

#pragma once

#include <cstdint>
#include <utility>

#include "index/base/memory.h"

namespace kindred {

class DisjointSets {
 public:
  // Each alone.
  explicit DisjointSets(uint32_t count) : parents_(count) {
    for (uint32_t i = 0; i < count; ++i) {
      parents_[i] = i;
    }
  }

  uint32_t Find(uint32_t i) {
    while (parents_[i] != i) {
      parents_[i] = parents_[parents_[i]];  // Halves the way for the next one.
      i = parents_[i];
    }
    return i;
  }

  void Join(uint32_t a, uint32_t b) {
    a = Find(a);
    b = Find(b);
    parents_[a < b ? b : a] = a < b ? a : b;
  }

 private:
  LargeVector<uint32_t> parents_;
};

}  // namespace kindred
