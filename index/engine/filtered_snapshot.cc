#include "index/engine/filtered_snapshot.h"

#include <utility>

#include "index/base/status.h"

namespace kindred {
namespace {

constexpr uint64_t kGraphsBetweenChecks = 1024;

// `view` with a mask of the graphs that are live and match.
absl::StatusOr<SegmentView> Masked(const SegmentView& view, const StoreView& store, const Filter& filter,
                                   const Interrupt& interrupt) {
  const GraphTable& graphs = view.segment->graphs();
  auto mask = view.live == nullptr ? std::make_shared<LiveMask>(graphs.slot_count())
                                   : std::make_shared<LiveMask>(*view.live);
  absl::Status status;
  uint64_t looked_at = 0;
  graphs.ForEach([&](GraphId id, uint32_t slot) {
    if (!status.ok() || !view.is_live(slot)) {
      return;
    }
    if (looked_at++ % kGraphsBetweenChecks == 0) {
      status = interrupt.Check();
    }
    const auto record = store.ReadRecord(id);
    status.Update(record.status());
    if (record.ok() && !filter.Matches(record->tags)) {
      mask->Hide(slot);
    }
  });
  KINDRED_RETURN_IF_ERROR(status);
  return SegmentView{view.segment, std::move(mask)};
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Snapshot>> Filtered(std::shared_ptr<const Snapshot> snapshot,
                                                         const Filter& filter, const Interrupt& interrupt) {
  if (filter.matches_all()) {
    return snapshot;
  }
  auto filtered = std::make_shared<Snapshot>();
  filtered->sequence = snapshot->sequence;
  filtered->store = snapshot->store;
  for (const SegmentView& view : snapshot->segments) {
    KINDRED_ASSIGN_OR_RETURN(SegmentView masked, Masked(view, *snapshot->store, filter, interrupt));
    if (masked.live_count() > 0) {
      filtered->segments.push_back(std::move(masked));
    }
  }
  return filtered;
}

}  // namespace kindred
