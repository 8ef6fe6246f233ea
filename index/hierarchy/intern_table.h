// Gives each distinct byte string a dense id, 0, 1, 2, ... in the order of first sight.
//
// A keyed hash locates, the bytes decide: two strings share an id if and only if they are equal. The key
// keeps clients from choosing strings that collide; it does not influence the ids.
//
// Threads: one writer (Intern); any number of readers (View, Get) at the same time, without waiting for
//          the writer. A reader may Get an id it found through a View, one below size(), or one it was handed
//          by something that synchronises with the writer.
// Invariants: (1) an id never changes its bytes; (2) the bytes of an id never move.
// Cost: Find and Intern are O(length) expected; of many strings FindAll waits for memory a few times, not
//       three times for each. 8 bytes, the string and 11 to 21 bytes of table an entry.

#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>

#include "index/hierarchy/arena.h"

namespace kindred {

struct HashKey {
  std::array<uint64_t, 2> words{};
  // Tests clear bits of it to make strings collide.
  uint32_t mask = UINT32_MAX;

  // Differs in every process.
  static HashKey Random();
};

class InternTable {
 private:
  struct Slots;

 public:
  // Finds what was interned before the view was taken (and perhaps some of what came after).
  class View {
   public:
    std::optional<uint32_t> Find(std::string_view bytes) const;
    // found[i] = Find(strings[i]), for all of them. REQUIRES: as many places as strings.
    void FindAll(std::span<const std::string_view> strings, std::span<std::optional<uint32_t>> found) const;

   private:
    friend class InternTable;
    View(const InternTable* table, std::shared_ptr<const Slots> slots);

    const InternTable* table_;
    std::shared_ptr<const Slots> slots_;
  };

  explicit InternTable(HashKey key);
  InternTable(const InternTable&) = delete;
  InternTable& operator=(const InternTable&) = delete;

  View view() const;
  std::string_view Get(uint32_t id) const;
  uint32_t size() const { return size_.load(std::memory_order_acquire); }
  size_t memory_bytes() const { return arena_.memory_bytes() + slots_bytes_.load(std::memory_order_relaxed); }

  // The id of `bytes`, issued now if they are new. Writer only. Stops the program at 2^32 - 2 entries:
  // the caller keeps to a limit below that.
  uint32_t Intern(std::string_view bytes);
  // The next id is of nothing: Get gives no bytes, and Find never gives it. Writer only; as above.
  void Skip();

 private:
  static constexpr uint32_t kChunkBits = 14;
  static constexpr uint32_t kChunkSize = 1 << kChunkBits;
  static constexpr size_t kChunksMax = size_t{1} << (32 - kChunkBits);

  using Chunk = std::array<const char*, kChunkSize>;

  // The strings FindAll has under way: a level of most molecules.
  static constexpr size_t kGroupMax = 32;

  // Where the search for one string of a group has got to.
  struct Probe {
    uint32_t hash;
    size_t at;                // The slot to look at next.
    uint32_t id;              // The first one that may be the string's,
    const char* const* cell;  // and where its bytes are; null when there is none.
  };

  uint32_t Hash(std::string_view bytes) const;
  const char* const* Cell(uint32_t id) const;
  void FindGroup(const Slots& slots, std::span<const std::string_view> strings,
                 std::span<std::optional<uint32_t>> found) const;
  // Looks at the slots from `at` on.
  std::optional<uint32_t> Find(const Slots& slots, size_t at, uint32_t hash, std::string_view bytes) const;
  const char* StoreBytes(std::string_view bytes);
  void Append(uint32_t id, const char* stored);
  void Grow();

  const HashKey key_;
  std::atomic<uint32_t> size_{0};
  std::atomic<size_t> slots_bytes_;

  mutable std::mutex slots_mutex_;  // Guards the pointer slots_, not what it points to.
  std::shared_ptr<Slots> slots_;

  // id -> its bytes, in chunks that never move. A chunk pointer is written once.
  std::unique_ptr<std::atomic<Chunk*>[]> chunks_;

  Arena arena_;  // Of the bytes and the chunks.
};

}  // namespace kindred
