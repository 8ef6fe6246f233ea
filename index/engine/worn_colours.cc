#include "index/engine/worn_colours.h"

#include <span>

#include "index/base/check.h"
#include "index/base/status.h"
#include "index/histogram/packed.h"

namespace kindred {
namespace {

void NoteColours(const Segment& segment, std::vector<bool>& worn) {
  const auto note = [&](uint32_t colour) {
    KINDRED_CHECK(colour < worn.size());
    worn[colour] = true;
  };
  const FeatureTable& features = segment.blocks().features();
  for (uint32_t number = 0; number < features.colour_count(); ++number) {
    note(Raw(features.colour(number)));
  }
  segment.outsize().ForEach([&](ColourId colour, std::span<const Posting>) { note(Raw(colour)); });
  for (uint32_t graph = 0; graph < segment.plain().graph_count(); ++graph) {
    ForEachPackedEntry(segment.plain().packed(graph),
                       [&](Level, uint32_t colour, uint32_t) { note(colour); });
  }
}

}  // namespace

absl::StatusOr<std::vector<bool>> WornColours(const Snapshot& snapshot, uint32_t colour_count,
                                              const Interrupt& interrupt) {
  std::vector<bool> worn(colour_count);
  for (const SegmentView& view : snapshot.segments) {
    KINDRED_RETURN_IF_ERROR(interrupt.Check());
    NoteColours(*view.segment, worn);
  }
  return worn;
}

}  // namespace kindred
