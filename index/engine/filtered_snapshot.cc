#include "index/engine/filtered_snapshot.h"

#include <optional>
#include <utility>

#include "index/base/status.h"
#include "index/lists/tag_mask.h"

namespace kindred {

absl::StatusOr<std::shared_ptr<const Snapshot>> Filtered(std::shared_ptr<const Snapshot> snapshot,
                                                         const Filter& filter, const Interrupt& interrupt,
                                                         FilterLists* lists) {
  if (filter.matches_all()) {
    return snapshot;
  }
  const bool matches_untagged = filter.Matches({});
  auto filtered = std::make_shared<Snapshot>();
  filtered->sequence = snapshot->sequence;
  filtered->store = snapshot->store;
  filtered->unfiltered = snapshot->unfiltered != nullptr ? snapshot->unfiltered : snapshot;
  for (const SegmentView& view : snapshot->segments) {
    KINDRED_RETURN_IF_ERROR(interrupt.Check());
    SegmentView shown = view;
    if (!view.segment->tags().empty()) {
      if (auto found = lists == nullptr ? std::nullopt : lists->Find(view, filter)) {
        shown = *std::move(found);
      } else {
        shown.live = MatchingMask(view, filter);
        if (lists != nullptr) {
          lists->Note(view, filter, shown.live_count());
        }
      }
    } else if (!matches_untagged) {
      continue;
    }
    if (shown.live_count() > 0) {
      filtered->segments.push_back(std::move(shown));
    }
  }
  return filtered;
}

}  // namespace kindred
