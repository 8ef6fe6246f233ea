// Which colours the graphs of a snapshot wear: what others there are, none of them needs any more.
//
// Colours are issued for good while a daemon runs, so those of deleted graphs stay. A graph wears the colours
// its own colours are refined from, and those of its vertices' neighbours: what is not worn is not needed by
// one that is.
//
// Threads: any.
// Cost: reads the table of features of each segment, its outsize lists and its plain graphs; a bit a colour.

#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/interrupt.h"
#include "index/engine/snapshot.h"

namespace kindred {

// Of the colours below `colour_count`. A graph that is hidden, but still in its segment, counts as one that
// wears its colours; after a compaction there are few, after a start none.
absl::StatusOr<std::vector<bool>> WornColours(const Snapshot& snapshot, uint32_t colour_count,
                                              const Interrupt& interrupt = {});

}  // namespace kindred
