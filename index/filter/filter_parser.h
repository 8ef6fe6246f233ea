// Reads the text of a filter (docs/filters.md):
//
//   any       = all { "or" all }
//   all       = one { "and" one }
//   one       = "not" one | "(" any ")" | condition
//   condition = "exists" word | word "=" word | word "!=" word | word [ "not" ] "in" "(" word { "," word }
//   ")"
//
// Threads: one text each.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "index/filter/filter.h"
#include "index/filter/filter_tokens.h"

namespace kindred {

class FilterParser {
 public:
  // `text` must outlive this.
  explicit FilterParser(std::string_view text) : tokens_(text) {}

  // Nothing for a text without a word.
  absl::StatusOr<std::optional<FilterNode>> Run();

 private:
  using Read = absl::StatusOr<FilterNode> (FilterParser::*)(uint32_t depth);

  absl::StatusOr<FilterNode> Any(uint32_t depth);
  absl::StatusOr<FilterNode> All(uint32_t depth);
  absl::StatusOr<FilterNode> One(uint32_t depth);
  // One or several, with a word between them.
  absl::StatusOr<FilterNode> Several(FilterNode::Kind kind, FilterToken::Kind between, Read part,
                                     uint32_t depth);
  absl::StatusOr<FilterNode> Condition();
  absl::StatusOr<FilterNode> AfterKey(FilterNode node);
  absl::Status Values(FilterNode& node);

  absl::Status Advance();
  // The next token, which has to be of this kind; `wanted` tells of it.
  absl::StatusOr<FilterToken> Take(FilterToken::Kind kind, std::string_view wanted);
  absl::Status Unexpected(std::string_view wanted) const;

  FilterTokens tokens_;
  FilterToken next_;
  uint32_t conditions_ = 0;
};

}  // namespace kindred
