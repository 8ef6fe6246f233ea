// A filter's text, word by word.
//
// Threads: a value.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace kindred {

struct FilterToken {
  enum class Kind { kWord, kAnd, kOr, kNot, kIn, kExists, kEqual, kUnequal, kOpen, kClose, kComma, kEnd };

  Kind kind = Kind::kEnd;
  uint32_t byte = 0;   // Where it begins.
  std::string text{};  // Of a word, without quotes and escapes; of others as it stands.
};

// The token as a message shows it.
std::string Shown(const FilterToken& token);

class FilterTokens {
 public:
  // `text` must outlive this.
  explicit FilterTokens(std::string_view text) : text_(text) {}

  // kEnd again and again at the end.
  absl::StatusOr<FilterToken> Next();

 private:
  absl::StatusOr<FilterToken> Quoted(char quote);
  FilterToken Bare();

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace kindred
