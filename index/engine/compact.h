// Gives back what deleted and replaced graphs still take, while the index serves and writes go on.
//
// First the lists in memory become one segment without them (Merger::Compact); then the colours are counted
// that no stored graph wears any more; then RocksDB rewrites its tables. Those colours stay: every stored
// histogram names colours by number, so they are reclaimed while no daemon runs (kindredd --compact).
//
// Threads: any that may take its time. One at a time: another one is refused.
// Invariants: answers, sequence and stored graphs stay what they are, also when it is given up.
// Cost: what merging everything takes, and reading and writing every table: as much memory again as segments
//       have, and as much disk again as tables have, for as long as it takes; with what others leave of the
//       cores.

#pragma once

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "index/base/interrupt.h"
#include "index/engine/engine.h"

namespace kindred {

enum class CompactStage { kLists, kColours, kTables };

// `after`: as it is now; at the end, how it ended.
struct CompactProgress {
  CompactStage stage = CompactStage::kLists;
  uint64_t segments_before = 0;
  uint64_t segments_after = 0;
  uint64_t graphs_dropped = 0;  // From lists: deleted, or replaced.
  uint64_t memory_bytes_before = 0;
  uint64_t memory_bytes_after = 0;
  uint64_t disk_bytes_before = 0;
  uint64_t disk_bytes_after = 0;
  uint64_t colours = 0;
  uint64_t colours_unused = 0;
};

using CompactReporter = std::function<void(const CompactProgress&)>;

// `report` is called several times a second. FAILED_PRECONDITION: another one is under way.
// RESOURCE_EXHAUSTED: the disk has not the space to write tables anew.
absl::StatusOr<CompactProgress> Compact(Engine& engine, const CompactReporter& report,
                                        const Interrupt& interrupt);

}  // namespace kindred
