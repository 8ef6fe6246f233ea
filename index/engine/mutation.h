// What a client wants changed, and what became of it.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "index/base/ids.h"
#include "index/engine/novelty.h"
#include "index/store/codec.h"

namespace kindred {

enum class WriteMode { kUpsert, kInsert, kReplace };

struct Mutation {
  std::string external_id;
  // A put stores this record; a delete has none. A record that was refused before it got here carries
  // its error, so that outcomes keep their places.
  absl::StatusOr<std::optional<StoredRecord>> record{std::nullopt};
  WriteMode mode = WriteMode::kUpsert;
  // How the record's molecule became its graph; empty: it is none. REQUIRES: the record says that it is one.
  std::string molecule_scheme{};
};

struct Outcome {
  enum class Kind { kInserted, kReplaced, kDeleted, kRejected, kNotNovel };
  Kind kind = Kind::kRejected;
  absl::Status status;                                    // Not OK if and only if rejected.
  std::string external_id{};                              // Of what was not stored.
  std::shared_ptr<const ClosestGraph> closest = nullptr;  // Of what is not novel.
};

// Which frame of which client a request is.
struct FrameOrigin {
  std::string client_id;
  uint64_t client_sequence = 0;
  uint64_t fingerprint = 0;  // Of its content.
};

struct WriteResult {
  // Not OK: nothing of the request is stored, and the outcomes are empty. FAILED_PRECONDITION: a frame
  // between this one and the client's last is missing. ABORTED: a frame of this number had other content.
  absl::Status status;
  std::vector<Outcome> outcomes;  // One a mutation, in order.
  // A snapshot at least this new shows the request's effect.
  CommitSequence sequence{};
  // The last durable frame of the client; 0 for a request without an origin.
  uint64_t client_sequence = 0;
  // The frame was applied before, and changed nothing now. There are no outcomes.
  bool repeated = false;
};

struct WriteRequest {
  std::vector<Mutation> mutations;
  // The memory this request takes while it waits.
  uint64_t bytes = 0;
  // Called once, on the writer's thread, after the commit is durable and published. Must not block.
  std::function<void(WriteResult)> done;
  // Of a frame that must be applied once, and in the order of its client's numbers.
  std::optional<FrameOrigin> origin{};
  // Fills in mutations and origin when they are not there yet. Called once, on a thread of the executor.
  std::function<void(WriteRequest&)> read{};
  // Puts store only what is novel by this rule, as things stand when their turn comes. None: they store all.
  std::shared_ptr<const NoveltyRule> novelty = nullptr;
};

}  // namespace kindred
