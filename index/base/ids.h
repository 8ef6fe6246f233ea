// Ids as types, so that one kind cannot be passed for another.

#pragma once

#include <cstdint>
#include <type_traits>

namespace kindred {

// A colour of the hierarchy. Dense from 0, in the order of issue; never changes its meaning.
enum class ColourId : uint32_t {};

// A vertex or edge label. Dense from 0, in the order of first use.
enum class LabelId : uint32_t {};

// The position of one applied write in the history of the index: 1 for the first.
enum class CommitSequence : uint64_t {};

// A stored graph. Equal to the CommitSequence of the put that stored it; never reused.
enum class GraphId : uint64_t {};

// The level of a colour in the hierarchy.
using Level = uint8_t;

// Stands for a colour no stored graph has ever worn: it matches nothing, not even itself.
inline constexpr ColourId kUnknownColour{UINT32_MAX};

template <typename Id>
constexpr auto Raw(Id id) {
  return static_cast<std::underlying_type_t<Id>>(id);
}

constexpr GraphId GraphStoredAt(CommitSequence sequence) { return GraphId{Raw(sequence)}; }

}  // namespace kindred
