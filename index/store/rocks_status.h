// RocksDB's verdicts as ours.

#pragma once

#include "absl/status/status.h"
#include "index/base/status.h"
#include "rocksdb/status.h"

namespace kindred {

// `doing` says what failed: "open", "commit", ...
inline absl::Status FromRocks(const rocksdb::Status& status, std::string_view doing) {
  if (status.ok()) {
    return absl::OkStatus();
  }
  absl::StatusCode code = absl::StatusCode::kInternal;
  if (status.IsCorruption()) {
    code = absl::StatusCode::kDataLoss;
  } else if (status.IsNoSpace()) {
    code = absl::StatusCode::kResourceExhausted;
  } else if (status.IsIOError()) {
    code = absl::StatusCode::kUnavailable;
  }
  return MakeStatus(code, "store: {} failed: {}", doing, status.ToString());
}

}  // namespace kindred
