#include "index/engine/worn_colours.h"

#include <span>
#include <vector>

#include "index/base/check.h"
#include "index/base/status.h"
#include "index/histogram/packed.h"

namespace kindred {
namespace {

class WornColours {
 public:
  explicit WornColours(uint32_t colour_count) : worn_(colour_count, false) {}

  void Note(uint32_t colour) {
    KINDRED_CHECK(colour < worn_.size());
    count_ += worn_[colour] ? 0 : 1;
    worn_[colour] = true;
  }
  uint64_t count() const { return count_; }

 private:
  std::vector<bool> worn_;
  uint64_t count_ = 0;
};

void NoteColours(const Segment& segment, WornColours& worn) {
  const FeatureTable& features = segment.blocks().features();
  for (uint32_t number = 0; number < features.colour_count(); ++number) {
    worn.Note(Raw(features.colour(number)));
  }
  segment.outsize().ForEach([&](ColourId colour, std::span<const Posting>) { worn.Note(Raw(colour)); });
  for (uint32_t graph = 0; graph < segment.plain().graph_count(); ++graph) {
    ForEachPackedEntry(segment.plain().packed(graph),
                       [&](Level, uint32_t colour, uint32_t) { worn.Note(colour); });
  }
}

}  // namespace

absl::StatusOr<uint64_t> CountWornColours(const Snapshot& snapshot, uint32_t colour_count,
                                          const Interrupt& interrupt) {
  WornColours worn(colour_count);
  for (const SegmentView& view : snapshot.segments) {
    KINDRED_RETURN_IF_ERROR(interrupt.Check());
    NoteColours(*view.segment, worn);
  }
  return worn.count();
}

}  // namespace kindred
