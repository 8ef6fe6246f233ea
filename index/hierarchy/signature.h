// What makes a colour: at level 0 the vertex label; at level i+1 the vertex's own level-i colour and the
// sorted multiset of (edge label, neighbour's level-i colour).
//
// A signature is kept, compared and stored as its canonical bytes (drawn in docs/formats.md): two
// signatures are equal if and only if their bytes are.

#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/ids.h"

namespace kindred {

struct Arm {
  LabelId edge_label{};
  ColourId colour{};

  // NOLINTNEXTLINE(modernize-use-nullptr): takes a 0 in what is generated for a pointer.
  friend auto operator<=>(const Arm&, const Arm&) = default;
};

struct Signature {
  Level level = 0;
  LabelId label{};        // Level 0 only.
  ColourId parent{};      // Levels above 0.
  std::vector<Arm> arms;  // Levels above 0; sorted, with repetitions.
};

// Replaces `out`. REQUIRES: the arms are sorted.
void EncodeSignature(const Signature& signature, std::string& out);

// Refuses anything EncodeSignature cannot have written.
absl::StatusOr<Signature> DecodeSignature(std::string_view bytes);

// The first byte of an encoded signature. REQUIRES: `bytes` come from EncodeSignature.
inline Level SignatureLevel(std::string_view bytes) { return static_cast<Level>(bytes.front()); }

}  // namespace kindred
