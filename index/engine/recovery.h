// Brings the index back into memory from the store: the hierarchy first, then the segments, on all
// threads. Everything read is checked; what does not fit is DATA_LOSS, never left out.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "index/engine/executor.h"
#include "index/engine/id_index.h"
#include "index/engine/snapshot.h"
#include "index/hierarchy/colour_hierarchy.h"
#include "index/store/store.h"

namespace kindred {

struct RecoveryProgress {
  uint64_t colours = 0;
  uint64_t graphs = 0;
  bool done = false;
};

// Called from time to time, from any thread, one call at a time.
using RecoveryReporter = std::function<void(const RecoveryProgress&)>;

// Fills an empty hierarchy and an empty index of ids; returns the snapshot of the last commit.
absl::StatusOr<std::shared_ptr<const Snapshot>> Recover(const Store& store, ColourHierarchy& hierarchy,
                                                        IdIndex& ids, Executor& executor,
                                                        const RecoveryReporter& report);

}  // namespace kindred
