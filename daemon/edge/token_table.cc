#include "daemon/edge/token_table.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "index/base/status.h"

namespace kindred::daemon {
namespace {

constexpr size_t kNameBytesMax = 64;
constexpr std::string_view kBlanks = " \t\r";

std::string_view NextWord(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::optional<std::array<uint8_t, 32>> ParseHash(std::string_view word) {
  std::array<uint8_t, 32> hash{};
  if (word.size() != 2 * hash.size()) {
    return std::nullopt;
  }
  for (size_t i = 0; i < hash.size(); ++i) {
    const int high = HexDigit(word[2 * i]);
    const int low = HexDigit(word[2 * i + 1]);
    if (high < 0 || low < 0) {
      return std::nullopt;
    }
    hash[i] = static_cast<uint8_t>(high << 4 | low);
  }
  return hash;
}

// It is logged and sent back, so it is short and plain.
bool IsName(std::string_view word) {
  return word.size() <= kNameBytesMax && std::ranges::all_of(word, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  std::string_view("-._@").find(c) != std::string_view::npos;
         });
}

absl::StatusOr<TokenTable::Token> ParseLine(std::string_view line) {
  const std::string_view name = NextWord(line);
  const std::string_view role_name = NextWord(line);
  const std::string_view hash_text = NextWord(line);
  if (hash_text.empty() || !NextWord(line).empty()) {
    return InvalidArgument("is not NAME ROLE SHA256");
  }
  if (!IsName(name)) {
    return InvalidArgument("the name has to be 1 to {} letters, digits and -._@", kNameBytesMax);
  }
  const std::optional<Role> role = RoleOfName(role_name);
  if (!role) {
    return InvalidArgument("the role has to be read-only, read-write or admin");
  }
  const auto hash = ParseHash(hash_text);
  if (!hash) {
    return InvalidArgument(
        "the hash has to be 64 hexadecimal digits (the SHA-256 of a token, not the token)");
  }
  return TokenTable::Token{std::string(name), *role, *hash};
}

}  // namespace

absl::StatusOr<TokenTable> TokenTable::Parse(std::string_view text, std::string_view name) {
  TokenTable table;
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(kBlanks) == std::string_view::npos) {
      continue;
    }
    auto token = ParseLine(line);
    if (!token.ok()) {
      return Annotate(token.status(), fmt::format("{}:{}: ", name, number));
    }
    if (std::ranges::any_of(table.tokens_, [&](const Token& other) { return other.hash == token->hash; })) {
      return InvalidArgument("{}:{}: the hash stands there twice", name, number);
    }
    if (table.size() == kTokensMax) {
      return InvalidArgument("{}:{}: there are more than {} tokens", name, number, kTokensMax);
    }
    table.tokens_.push_back(*std::move(token));
  }
  return table;
}

const TokenTable::Token* TokenTable::Find(std::string_view token) const {
  if (token.size() > kTokenBytesMax) {
    return nullptr;
  }
  std::array<uint8_t, 32> hash{};
  ::SHA256(reinterpret_cast<const uint8_t*>(token.data()), token.size(), hash.data());
  // Neither how much of a hash agrees nor which one does shows in the time it takes.
  const Token* found = nullptr;
  for (const Token& known : tokens_) {
    const bool equal = ::CRYPTO_memcmp(known.hash.data(), hash.data(), hash.size()) == 0;
    found = equal ? &known : found;
  }
  return found;
}

}  // namespace kindred::daemon
