// RocksDB's verdicts as ours.

#pragma once

#include <cerrno>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "index/base/status.h"
#include "rocksdb/status.h"

namespace kindred {

// A full disk, a quota or a limit of the size of files. RocksDB has a code only for the first.
inline bool LacksSpace(const rocksdb::Status& status) {
  const std::string message = status.ToString();
  return status.IsNoSpace() || message.find(std::strerror(EFBIG)) != std::string::npos ||
         message.find(std::strerror(EDQUOT)) != std::string::npos;
}

// `doing` says what failed: "open", "commit", ...
inline absl::Status FromRocks(const rocksdb::Status& status, std::string_view doing) {
  if (status.ok()) {
    return absl::OkStatus();
  }
  absl::StatusCode code = absl::StatusCode::kInternal;
  if (status.IsCorruption()) {
    code = absl::StatusCode::kDataLoss;
  } else if (LacksSpace(status)) {
    code = absl::StatusCode::kResourceExhausted;
  } else if (status.IsIOError()) {
    code = absl::StatusCode::kUnavailable;
  }
  return MakeStatus(code, "store: {} failed: {}", doing, status.ToString());
}

}  // namespace kindred
