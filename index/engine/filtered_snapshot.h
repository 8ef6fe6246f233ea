// A snapshot that shows only some of its graphs: those whose tags match a filter.
//
// The segments are the same; their masks hide what does not match as they hide what was deleted, so that
// whatever runs on a snapshot's segments runs on the filtered ones. The store view is the whole one: it still
// shows all graphs.
//
// With FilterLists (engine/filter_lists.h) a segment may be one of the matching graphs alone.
//
// Threads: any; the result is a Snapshot like others.
// Cost: that of lists/tag_mask.h for each segment with tags; nothing for others.

#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "index/base/interrupt.h"
#include "index/engine/filter_lists.h"
#include "index/engine/snapshot.h"
#include "index/filter/filter.h"

namespace kindred {

// `snapshot` itself for a filter that matches everything. Segments without a matching graph are left out.
// CANCELLED or DEADLINE_EXCEEDED when interrupted.
absl::StatusOr<std::shared_ptr<const Snapshot>> Filtered(std::shared_ptr<const Snapshot> snapshot,
                                                         const Filter& filter, const Interrupt& interrupt,
                                                         FilterLists* lists = nullptr);

}  // namespace kindred
