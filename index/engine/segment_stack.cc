#include "index/engine/segment_stack.h"

#include <algorithm>
#include <span>
#include <utility>

#include "index/base/check.h"

namespace kindred {

SegmentStack::SegmentStack(std::vector<SegmentView> segments) : segments_(std::move(segments)) {
  std::erase_if(segments_, [](const SegmentView& view) { return view.segment->size() == 0; });
}

void SegmentStack::Hide(const std::vector<GraphId>& ids) {
  auto id = ids.begin();
  for (SegmentView& view : segments_) {
    const GraphId last = view.segment->graph_id(view.segment->size() - 1);
    if (id == ids.end() || *id > last) {
      continue;
    }
    auto mask =
        view.live ? std::make_shared<LiveMask>(*view.live) : std::make_shared<LiveMask>(view.segment->size());
    for (; id != ids.end() && *id <= last; ++id) {
      const auto graph = view.segment->Find(*id);
      KINDRED_CHECK(graph.has_value() && mask->Test(*graph));
      mask->Clear(*graph);
    }
    view.live = std::move(mask);
  }
  KINDRED_CHECK(id == ids.end());
}

void SegmentStack::Add(std::shared_ptr<const Segment> segment) {
  segments_.push_back({std::move(segment), nullptr});
}

void SegmentStack::Merge() {
  for (SegmentView& view : segments_) {
    if (uint64_t{view.live_count()} * 2 < view.segment->size()) {
      view = {MergeSegments(std::span(&view, 1)), nullptr};
    }
  }
  std::erase_if(segments_, [](const SegmentView& view) { return view.segment->size() == 0; });
  // From the oldest that breaks the rule on: then all before it keep it.
  size_t first = segments_.size();
  uint64_t behind = 0;
  for (size_t i = segments_.size(); i-- > 0;) {
    if (segments_[i].live_count() < 2 * behind) {
      first = i;
    }
    behind += segments_[i].live_count();
  }
  if (first < segments_.size()) {
    MergeFrom(first);
  }
}

void SegmentStack::MergeFrom(size_t first) {
  SegmentView merged{MergeSegments(std::span(segments_).subspan(first)), nullptr};
  segments_.resize(first);
  segments_.push_back(std::move(merged));
}

}  // namespace kindred
