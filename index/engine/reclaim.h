// Reclaims what a data directory no longer needs, while no daemon serves it: colours that no stored graph
// wears, and the space of what was removed or replaced.
//
// A colour that goes leaves its id behind, which is not issued again: what an id means never changes. A graph
// that would wear it later gets a new one.
//
// Threads: one caller, which has the store for itself; the work is spread over the executor.
// Cost: as a start, then every table is rewritten. An id that was reclaimed keeps 8 bytes in memory and one
// on
//       disk, a colour takes about 40 and 14.

#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "index/engine/executor.h"
#include "index/engine/recovery.h"
#include "index/store/store.h"

namespace kindred {

struct ReclaimReport {
  uint64_t graphs = 0;
  uint64_t colours = 0;    // In use now.
  uint64_t reclaimed = 0;  // Just now.
  uint64_t disk_bytes_before = 0;
  uint64_t disk_bytes_after = 0;
};

// Reads and checks everything first, as a start does: a damaged store is refused (DATA_LOSS), unchanged.
absl::StatusOr<ReclaimReport> Reclaim(Store& store, Executor& executor, const RecoveryReporter& report = {});

}  // namespace kindred
