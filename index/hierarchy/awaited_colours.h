// Who waits for which labels and signatures to be issued: for queries that wear colours no stored graph has
// worn yet, and that a graph may bring along any day.
//
// Threads: one user; beside a growing writer.
// Invariant: whatever is issued after a Missing was found and before it is awaited, is told of all the same:
// what
//            was issued since construction is looked at once, after it is awaited.
// Cost: one look-up for each label and colour that is issued while someone waits; the bytes of what is
// awaited.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/hierarchy/colour_hierarchy.h"

namespace kindred {

class AwaitedColours {
 public:
  // `hierarchy` must outlive this.
  explicit AwaitedColours(const ColourHierarchy& hierarchy);

  void AwaitLabel(std::string_view label, uint32_t waiter) { Add(labels_, label, waiter); }
  void AwaitSignature(std::string_view signature, uint32_t waiter) { Add(colours_, signature, waiter); }

  // What is issued by now is to be looked at.
  void NoteIssued();
  // Looks at what was noted, at most `most` of it, and appends those who waited for it, some perhaps more
  // than once. False: there is more to look at.
  bool LookAtNoted(uint32_t most, std::vector<uint32_t>& waiters);

 private:
  // Clients choose the bytes; without a key they could choose some that collide.
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view bytes) const;
    std::array<uint64_t, 2> key;
  };
  using Waiters = std::unordered_map<std::string, std::vector<uint32_t>, Hash, std::equal_to<>>;

  static void Add(Waiters& waiters, std::string_view bytes, uint32_t waiter);
  static void Take(Waiters& waiters, std::string_view bytes, std::vector<uint32_t>& taken);

  const ColourHierarchy& hierarchy_;
  // Seen are those below the first, noted those below the second.
  uint32_t labels_seen_;
  uint32_t labels_noted_;
  uint32_t colours_seen_;
  uint32_t colours_noted_;
  Waiters labels_;
  Waiters colours_;
};

}  // namespace kindred
