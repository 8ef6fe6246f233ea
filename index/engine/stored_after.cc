#include "index/engine/stored_after.h"

#include <string>
#include <vector>

#include "index/base/status.h"

namespace kindred {
namespace {

using Visitor = std::function<absl::StatusOr<bool>(const StoredAfter&)>;

// Both give false when the visitor wants no more.
absl::StatusOr<bool> VisitPlain(const SegmentView& view, GraphId after, const Visitor& visit,
                                std::vector<Histogram::Entry>& entries) {
  const GraphTable& graphs = view.segment->graphs();
  absl::StatusOr<bool> more = true;
  graphs.ForEachAfter(after, [&](GraphId id, uint32_t slot) {
    if (view.is_live(slot)) {
      more = visit({id, graphs.external_id(slot),
                    ToMatched(graphs.vertex_count(slot), view.segment->plain().packed(slot), entries)});
    }
    return more.ok() && *more;
  });
  return more;
}

absl::StatusOr<bool> VisitStored(const StoreView& store, GraphId after, GraphId last, const Visitor& visit) {
  bool ended = false;
  const absl::Status status = store.ForEachHistogram(
      GraphId{Raw(after) + 1}, GraphId{Raw(last) + 1},
      [&](GraphId id, const StoredHistogram& stored) -> absl::Status {
        KINDRED_ASSIGN_OR_RETURN(const bool more,
                                 visit({id, stored.external_id, ToMatched(stored.histogram)}));
        ended = !more;
        return ended ? absl::CancelledError() : absl::OkStatus();
      });
  if (ended) {
    return false;
  }
  KINDRED_RETURN_IF_ERROR(status);
  return true;
}

}  // namespace

absl::Status ForEachStoredAfter(const Snapshot& snapshot, CommitSequence after, const Visitor& visit) {
  GraphId last = GraphStoredAt(after);
  std::vector<Histogram::Entry> entries;
  for (const SegmentView& view : snapshot.segments) {
    const GraphTable& graphs = view.segment->graphs();
    if (graphs.graph_count() == 0 || graphs.last_id() <= last) {
      continue;
    }
    KINDRED_ASSIGN_OR_RETURN(const bool more,
                             view.segment->is_plain()
                                 ? VisitPlain(view, last, visit, entries)
                                 : VisitStored(*snapshot.store, last, graphs.last_id(), visit));
    if (!more) {
      return absl::OkStatus();
    }
    last = graphs.last_id();
  }
  return absl::OkStatus();
}

}  // namespace kindred
