// Assigns one colour to each distinct neighbourhood ever seen: the one hierarchy all graphs share.
//
// This is where a colour is issued (Intern). Labels are interned here too, since signatures name them.
//
// Threads: one writer (Intern..., Restore...); any number of readers (View, level, ...) at the same time.
//          A reader asks only about colours it found through a View, that are below colour_count(), or that
//          it was handed with a snapshot.
// Invariants: (1) an issued ColourId never changes its meaning; (2) a colour's parent was issued before
//             it and lies exactly one level above; (3) equal signatures have equal colours, unequal
//             ones unequal: a hash locates, the full signature decides.
// Cost: Find is O(degree) expected; Intern adds one stored signature, about 40 bytes for a molecule's.

#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "index/base/ids.h"
#include "index/base/limits.h"
#include "index/hierarchy/intern_table.h"
#include "index/hierarchy/signature.h"

namespace kindred {

class ColourHierarchy {
 public:
  // What a query or a parallel refinement looks up in: grows nothing.
  class View {
   public:
    std::optional<LabelId> FindLabel(std::string_view label) const;
    // `signature` is encoded.
    std::optional<ColourId> FindColour(std::string_view signature) const;
    // found[i] = FindColour(signatures[i]) or kUnknownColour, sooner than one by one. REQUIRES: as many
    // places as signatures.
    void FindColours(std::span<const std::string_view> signatures, std::span<ColourId> found) const;

   private:
    friend class ColourHierarchy;
    View(InternTable::View labels, InternTable::View colours);

    InternTable::View labels_;
    InternTable::View colours_;
  };

  explicit ColourHierarchy(HashKey key = HashKey::Random());

  View view() const { return {labels_.view(), colours_.view()}; }

  std::string_view label(LabelId id) const { return labels_.Get(Raw(id)); }
  std::string_view signature(ColourId id) const { return colours_.Get(Raw(id)); }
  // No graph wears it, and none will: its id is not issued again, and it has no signature, level or parent.
  bool reclaimed(ColourId id) const { return signature(id).empty(); }
  Level level(ColourId id) const { return SignatureLevel(signature(id)); }
  // Nothing at level 0.
  std::optional<ColourId> parent(ColourId id) const;

  uint32_t label_count() const { return labels_.size(); }
  // Ever issued; of these, reclaimed.
  uint32_t colour_count() const { return colours_.size(); }
  uint32_t reclaimed_count() const { return reclaimed_count_.load(std::memory_order_relaxed); }
  uint32_t colour_count(Level level) const { return level_counts_[level].load(std::memory_order_relaxed); }
  size_t memory_bytes() const { return labels_.memory_bytes() + colours_.memory_bytes(); }

  // Writer: the id, issued now if it is new.
  LabelId InternLabel(std::string_view label);
  ColourId InternColour(std::string_view signature);

  // Writer, at recovery: adds what the store holds, in the order of the ids. Refuses (DATA_LOSS) an id out
  // of order, a label or signature that was there already, a signature that names what does not exist or
  // lies at the wrong level. Of a colour that was reclaimed the store holds an empty signature.
  absl::Status RestoreLabel(LabelId id, std::string_view label);
  absl::Status RestoreColour(ColourId id, std::string_view signature);

 private:
  absl::Status CheckReferences(ColourId id, const Signature& signature) const;

  InternTable labels_;
  InternTable colours_;
  std::array<std::atomic<uint32_t>, kLevelsMax> level_counts_{};
  std::atomic<uint32_t> reclaimed_count_{0};
};

}  // namespace kindred
