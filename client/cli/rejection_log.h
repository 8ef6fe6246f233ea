// The records that were not stored, by the reader or by the daemon: where each is, and why.
//
// Threads: everything from any thread.
// Memory: the first `kept_max` that nobody has taken yet; the others are only counted.

#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client/cli/json.h"

namespace kindred::cli {

struct RejectedRecord {
  std::string file;
  uint64_t position = 0;
  std::string id;  // Empty when it is not known.
  absl::Status status;
};

class RejectionLog {
 public:
  explicit RejectionLog(uint64_t kept_max) : kept_max_(kept_max) {}

  void Add(RejectedRecord record);

  // Those kept since the last call.
  std::vector<RejectedRecord> Take();

  uint64_t count() const;

 private:
  const uint64_t kept_max_;
  mutable std::mutex mutex_;  // Guards all below.
  uint64_t count_ = 0;
  std::vector<RejectedRecord> kept_;
};

// "FILE:POSITION: id: reason". The reason names fields of the record, not of the message it travelled in.
std::string ToLine(const RejectedRecord& record);
Json ToJson(const RejectedRecord& record);

}  // namespace kindred::cli
