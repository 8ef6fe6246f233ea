// Tells of an external id that it was never stored: of most that a stream brings, so that the writer need not
// ask the store for each. It may take a new id for an old one (fewer than one in 100), never the other way
// round. An id that was removed counts as stored.
//
// A Bloom filter whose bits for one id lie in one cache line (Putze, Sanders, Singler, "Cache-, hash- and
// space-efficient Bloom filters", 2007), in pieces each twice as large as the one before, so that it grows
// without knowing the ids it has.
//
// Threads: one at a time.
// Cost: MayHave reads a cache line for each piece, of which there are O(log ids). 2 to 4 bytes an id.

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "index/base/memory.h"

namespace kindred {

class IdFilter {
 public:
  // Makes room for so many at once, which is quicker to ask than grown pieces. REQUIRES: nothing was added
  // yet.
  void Reserve(uint64_t ids);
  bool MayHave(std::string_view id) const;
  void Add(std::string_view id);
  void AddAll(std::span<const std::string_view> ids);
  // Lets MayHave and Add find in the processor's cache what they look at, of an id that is so many ids ahead.
  static constexpr size_t kAhead = 8;
  void Prefetch(std::string_view id) const;
  // From any thread.
  size_t memory_bytes() const { return memory_bytes_.load(std::memory_order_relaxed); }

 private:
  void AddPiece(uint64_t ids_max);

  struct alignas(64) Line {
    std::array<uint64_t, 8> words{};
  };
  struct Piece {
    LargeVector<Line> lines;
    uint64_t ids_max = 0;
    uint64_t room = 0;  // For so many more ids.
  };

  std::vector<Piece> pieces_;
  std::atomic<size_t> memory_bytes_{0};
};

}  // namespace kindred
