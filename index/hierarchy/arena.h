// Memory handed out piece by piece and freed all at once, for what never moves and never goes.
//
// Threads: one writer (Allocate); memory_bytes at any time.
// Invariants: a piece stays where it is until the arena goes.
// Cost: O(1) a piece. Blocks are small at first, then of pages of their own (memory.h).

#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

namespace kindred {

class Arena {
 public:
  Arena() = default;
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // REQUIRES: `alignment` is a power of two, at most that of std::max_align_t.
  char* Allocate(size_t bytes, size_t alignment = 1);

  size_t memory_bytes() const { return memory_bytes_.load(std::memory_order_relaxed); }

 private:
  void AddBlock(size_t bytes);

  std::vector<std::span<char>> blocks_;
  std::span<char> left_;  // Of the last block.
  std::atomic<size_t> memory_bytes_{0};
};

}  // namespace kindred
