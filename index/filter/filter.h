// A condition on the tags of a graph, read from text: source = demo and not exists retired
//
// docs/filters.md has the grammar. A key has one value, or the graph does not have the key; `a != x` is `not
// a = x`, which a graph without the key a matches, too.
//
// Threads: immutable once parsed, so any number of readers.
// Cost: parsing is linear in the text but for `in` lists, which are sorted; Matches is linear in conditions
// times tags.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/limits.h"
#include "index/base/tags.h"

namespace kindred {

// Fixed, since a tree of filters is walked by functions that call themselves, and every condition may cost a
// bit a stored graph.
inline constexpr uint32_t kFilterDepthMax = 32;        // `not` and parentheses around one condition.
inline constexpr uint32_t kFilterConditionsMax = 256;  // An `in` is one, however many values it has.

// A condition, or what is made of some.
struct FilterNode {
  enum class Kind {
    kIn,      // The key has one of the values. `a = x` is one of one value.
    kExists,  // The key is there.
    kNot,     // Of its one part.
    kAll,     // Of its parts,
    kAny,     // two at least.
  };

  Kind kind = Kind::kIn;
  uint32_t byte = 0;  // Where it begins in the text.
  std::string key{};
  std::vector<std::string> values{};  // Ascending, each once; at least one.
  std::vector<FilterNode> parts{};
};

class Filter {
 public:
  // Matches everything, as the filter of a text without a word does.
  Filter() = default;

  // Messages start with "filter: ". INVALID_ARGUMENT with the byte, from 0, and what was expected there; or
  // with the parts that contradict each other, of a filter that can match nothing (filter/contradiction.h).
  // RESOURCE_EXHAUSTED over filter_bytes_max.
  static absl::StatusOr<Filter> Parse(std::string_view text, const Limits& limits);

  bool matches_all() const { return !root_; }
  // REQUIRES: does not match everything.
  const FilterNode& root() const { return *root_; }

  bool Matches(const Tags& tags) const;

  // Filters that say the same in the same order have the same, however they are written; others have not.
  const std::string& key() const { return key_; }

 private:
  explicit Filter(FilterNode root);

  std::optional<FilterNode> root_;  // Nothing: matches everything.
  std::string key_;
};

}  // namespace kindred
