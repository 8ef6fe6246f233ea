#include "index/filter/filter_tokens.h"

#include <algorithm>
#include <array>
#include <utility>

#include "index/base/status.h"

namespace kindred {
namespace {

using TokenKind = FilterToken::Kind;

// So much of a long word is shown.
constexpr size_t kShownBytes = 40;

constexpr std::array<std::pair<std::string_view, TokenKind>, 5> kKeywords{{{"and", TokenKind::kAnd},
                                                                           {"or", TokenKind::kOr},
                                                                           {"not", TokenKind::kNot},
                                                                           {"in", TokenKind::kIn},
                                                                           {"exists", TokenKind::kExists}}};

constexpr std::array<std::pair<std::string_view, TokenKind>, 5> kSigns{{{"=", TokenKind::kEqual},
                                                                        {"!=", TokenKind::kUnequal},
                                                                        {"(", TokenKind::kOpen},
                                                                        {")", TokenKind::kClose},
                                                                        {",", TokenKind::kComma}}};

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Of a word without quotes. Bytes of 128 and more are of letters outside ASCII.
bool IsBare(char c) {
  return IsLetter(c) || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 128 ||
         std::string_view("_-+./:@#%").find(c) != std::string_view::npos;
}

std::string Lower(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    c = static_cast<char>(IsLetter(c) ? c | 0x20 : c);
  }
  return lower;
}

std::string ShownByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > ' ' && byte < 127 ? fmt::format("'{}'", c) : fmt::format("byte 0x{:02x}", byte);
}

}  // namespace

std::string Shown(const FilterToken& token) {
  if (token.kind == TokenKind::kEnd) {
    return "the end";
  }
  if (token.kind != TokenKind::kWord) {
    return fmt::format("'{}'", token.text);
  }
  if (token.text.size() <= kShownBytes) {
    return fmt::format("\"{}\"", token.text);
  }
  size_t size = kShownBytes;
  while (size > 0 && (static_cast<unsigned char>(token.text[size]) & 0xc0) == 0x80) {
    --size;  // Not through a letter: a status is UTF-8.
  }
  return fmt::format("\"{}...\"", std::string_view(token.text).substr(0, size));
}

absl::StatusOr<FilterToken> FilterTokens::Next() {
  while (at_ < text_.size() && IsSpace(text_[at_])) {
    ++at_;
  }
  const auto byte = static_cast<uint32_t>(at_);
  if (at_ == text_.size()) {
    return FilterToken{TokenKind::kEnd, byte};
  }
  const char c = text_[at_];
  if (c == '"' || c == '\'') {
    return Quoted(c);
  }
  for (const auto& [sign, kind] : kSigns) {
    if (text_.substr(at_).starts_with(sign)) {
      at_ += sign.size();
      return FilterToken{kind, byte, std::string(sign)};
    }
  }
  if (!IsBare(c)) {
    return InvalidArgument("filter: byte {}: {} stands outside of quotes", byte, ShownByte(c));
  }
  return Bare();
}

FilterToken FilterTokens::Bare() {
  const size_t begin = at_;
  while (at_ < text_.size() && IsBare(text_[at_])) {
    ++at_;
  }
  FilterToken token{TokenKind::kWord, static_cast<uint32_t>(begin),
                    std::string(text_.substr(begin, at_ - begin))};
  const auto* const keyword =
      std::ranges::find(kKeywords, Lower(token.text), &std::pair<std::string_view, TokenKind>::first);
  if (keyword != kKeywords.end()) {
    token.kind = keyword->second;
  }
  return token;
}

// From its opening quote on.
absl::StatusOr<FilterToken> FilterTokens::Quoted(char quote) {
  FilterToken token{TokenKind::kWord, static_cast<uint32_t>(at_)};
  for (++at_; at_ < text_.size(); ++at_) {
    char c = text_[at_];
    if (c == quote) {
      ++at_;
      return token;
    }
    if (c == '\\') {
      if (++at_ == text_.size()) {
        break;
      }
      c = text_[at_];
      if (c != '\\' && c != '"' && c != '\'') {
        return InvalidArgument(
            "filter: byte {}: after a backslash expected a quote or a backslash, but found {}", at_,
            ShownByte(c));
      }
    }
    token.text.push_back(c);
  }
  return InvalidArgument("filter: byte {}: expected a closing {} for the quote at byte {}, but found the end",
                         text_.size(), quote, token.byte);
}

}  // namespace kindred
