// The tokens a daemon knows, as their hashes.
//
// A file of lines NAME ROLE SHA256; what follows # and empty lines are not looked at:
//
//     # for the dashboards
//     dashboards  read-only   9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
//     loader      read-write  ...
//
// ROLE is read-only, read-write or admin. SHA256 is the hash of the token in 64 hexadecimal digits: who reads
// the file learns no token. A name may stand several times, with several tokens (that is how one is replaced
// by another). Tokens are long and random (`kindred token` makes them), so a hash without salt or stretching
// hides them.
//
// Threads: immutable once parsed.
// Cost: Find hashes the token and compares with every hash in the table, whatever it finds on the way.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "daemon/edge/role.h"

namespace kindred::daemon {

class TokenTable {
 public:
  struct Token {
    std::string name;
    Role role;
    std::array<uint8_t, 32> hash;
  };

  // Tokens of one table, at most: a call is compared with each.
  static constexpr size_t kTokensMax = 1'024;
  // Bytes of a token that is sent, at most: it is hashed before anything is known of the caller.
  static constexpr size_t kTokenBytesMax = 512;

  // INVALID_ARGUMENT names the line and what is wrong with it, but shows nothing of it: it may hold a secret
  // that is in the wrong place. `name` is the file's.
  static absl::StatusOr<TokenTable> Parse(std::string_view text, std::string_view name);

  // Null when there is no such token.
  const Token* Find(std::string_view token) const;

  size_t size() const { return tokens_.size(); }

 private:
  std::vector<Token> tokens_;
};

}  // namespace kindred::daemon
