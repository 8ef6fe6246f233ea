#include "index/engine/snapshot.h"

#include <algorithm>

namespace kindred {
namespace {

// For an id whose graph was replaced after the snapshot was taken: the index of ids has only the newer one.
std::optional<GraphId> SearchSegments(const std::vector<SegmentView>& segments,
                                      std::string_view external_id) {
  for (const SegmentView& view : segments) {
    if (const auto slot = view.segment->graphs().FindExternalId(
            external_id, [&](uint32_t candidate) { return view.is_live(candidate); })) {
      return view.segment->graphs().id_of(*slot);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> Snapshot::ExternalIdOf(GraphId id) const {
  const auto view = std::ranges::lower_bound(
      segments, id, {}, [](const SegmentView& segment) { return segment.segment->graphs().last_id(); });
  if (view == segments.end()) {
    return std::nullopt;
  }
  const std::optional<uint32_t> slot = view->segment->graphs().Find(id);
  return slot && view->is_live(*slot) ? std::optional(view->segment->graphs().external_id(*slot))
                                      : std::nullopt;
}

std::optional<GraphId> Snapshot::FindGraph(std::string_view external_id) const {
  if (unfiltered != nullptr) {
    return unfiltered->FindGraph(external_id);
  }
  std::optional<GraphId> found;
  bool replaced = false;
  ids.ForEach(external_id, [&](GraphId id) {
    if (Raw(id) > Raw(sequence)) {
      replaced = true;
    } else if (ExternalIdOf(id) == external_id) {
      found = id;
    }
    return !found.has_value();
  });
  return !found && replaced ? SearchSegments(segments, external_id) : found;
}

}  // namespace kindred
