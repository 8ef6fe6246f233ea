// The segments of the newest snapshot, and the policy by which they are merged.
//
// Every commit adds one small segment. A segment is merged with those after it as soon as it is less
// than twice as large as all of them together, so that sizes fall geometrically: n graphs lie in at most
// log2(n) + 1 segments, and each graph is merged at most log2(n) times. A segment of which more than half
// is hidden is rewritten without it.
//
// Threads: the writer's.

#pragma once

#include <memory>
#include <vector>

#include "index/base/ids.h"
#include "index/lists/segment.h"

namespace kindred {

class SegmentStack {
 public:
  // REQUIRES: ascending GraphIds.
  explicit SegmentStack(std::vector<SegmentView> segments);

  // Hides graphs that were deleted or replaced. REQUIRES: each is live in some segment; sorted.
  void Hide(const std::vector<GraphId>& ids);
  // REQUIRES: GraphIds above all others.
  void Add(std::shared_ptr<const Segment> segment);
  // Restores the policy.
  void Merge();

  const std::vector<SegmentView>& segments() const { return segments_; }

 private:
  void MergeFrom(size_t first);

  std::vector<SegmentView> segments_;
};

}  // namespace kindred
