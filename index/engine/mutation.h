// What a client wants changed, and what became of it.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "index/base/ids.h"
#include "index/store/codec.h"

namespace kindred {

enum class WriteMode { kUpsert, kInsert, kReplace };

struct Mutation {
  std::string external_id;
  // A put stores this record; a delete has none. A record that was refused before it got here carries
  // its error, so that outcomes keep their places.
  absl::StatusOr<std::optional<StoredRecord>> record{std::nullopt};
  WriteMode mode = WriteMode::kUpsert;
};

struct Outcome {
  enum class Kind { kInserted, kReplaced, kDeleted, kRejected };
  Kind kind = Kind::kRejected;
  absl::Status status;  // Not OK if and only if rejected.
};

struct WriteResult {
  // Not OK: nothing of the request is stored, and the outcomes are empty.
  absl::Status status;
  std::vector<Outcome> outcomes;  // One a mutation, in order.
  // A snapshot at least this new shows the request's effect.
  CommitSequence sequence{};
};

struct WriteRequest {
  std::vector<Mutation> mutations;
  // The memory this request takes while it waits.
  uint64_t bytes = 0;
  // Called once, on the writer's thread, after the commit is durable and published. Must not block.
  std::function<void(WriteResult)> done;
};

}  // namespace kindred
