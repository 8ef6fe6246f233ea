// A certificate, its key and, for mutual TLS, the authorities whose clients are let in: read and checked
// together.
//
// Threads: free function without state.

#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace kindred::daemon {

struct TlsPaths {
  std::string certificate;  // The daemon's, and behind it those that lead to its authority.
  std::string key;
  std::string client_ca;  // Empty: clients need no certificate.
};

struct TlsMaterial {
  std::string certificate;
  std::string key;
  std::string client_ca;

  bool operator==(const TlsMaterial&) const = default;
};

// INVALID_ARGUMENT names the file and what is wrong: not PEM, a key with a passphrase, a key that is not the
// certificate's. Nothing of a key is in a message.
absl::StatusOr<TlsMaterial> ReadTlsMaterial(const TlsPaths& paths);

// The file's bytes; INVALID_ARGUMENT with the reason when it cannot be read or has more than `bytes_max`.
absl::StatusOr<std::string> ReadSmallFile(const std::string& path, size_t bytes_max);

}  // namespace kindred::daemon
