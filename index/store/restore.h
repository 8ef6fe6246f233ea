// Makes a data directory of a backup, in a new place.
//
// Threads: one user.
// Invariant: a directory that was not restored to the end is not taken for a store: its witness comes last.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "index/base/ids.h"
#include "index/base/interrupt.h"

namespace rocksdb {
class Env;
}  // namespace rocksdb

namespace kindred {

struct RestoreRequest {
  std::string from;            // A directory of backups, or one backup.
  std::optional<uint64_t> id;  // Of which one; default: the newest. Not for one backup.
  std::string to;              // Missing or empty.
};

struct RestoreSummary {
  std::string backup;
  std::string created;
  CommitSequence sequence{};
  uint64_t graphs = 0;
  uint64_t files = 0;
  uint64_t bytes = 0;
};

// FAILED_PRECONDITION: `to` is not empty. NOT_FOUND: no such backup. DATA_LOSS: a file of it is damaged or
// missing; the message names it. After a failure `to` is empty.
// `env`: whose files; nullptr: the machine's.
absl::StatusOr<RestoreSummary> Restore(const RestoreRequest& request, rocksdb::Env* env = nullptr,
                                       const Interrupt& interrupt = {});

}  // namespace kindred
