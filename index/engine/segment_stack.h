// The segments of the newest snapshot, oldest first, and the policy by which they are merged.
//
// Every commit adds one small segment. While writes come in, segments are merged from the oldest on that
// is less than half as large as all newer ones together: sizes then fall by a factor of four or so, n graphs
// lie in O(log n) segments, and each graph is merged O(log n) times. When no writes come, the same holds with
// eight times as large, which leaves one segment, or one and a tail of at most an eighth of it: a merge costs
// at most nine times what is new to its oldest part. A segment of which more than half is hidden is
// rewritten.
//
// A large merge takes its time, so merges run side by side in lanes, one merge of neighbours each: a lane
// makes segments of up to so many graphs (kLaneGraphsMax). One more, the spare lane, is for a load that no
// one searches: it inverts with the time the load leaves.
//
// A compaction makes one segment of all there is, whatever the policy says: it reserves what is there when it
// begins, and lanes go on with what comes after that.
//
// Threads: none of its own; Merger guards it.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "index/base/ids.h"
#include "index/lists/segment.h"

namespace kindred {

// Plain segments are put together up to so many graphs, which are worth inverting while there are searches.
inline constexpr uint64_t kPlainGraphsMax = 1 << 12;
// At most so many are inverted at a time, and without searches at least half: few segments search faster than
// many, but what is being inverted is searched plainly until all of it is.
inline constexpr uint64_t kInvertedGraphsMax = 1 << 19;
inline constexpr uint64_t kInvertedGraphsWithSearches = 1 << 16;
inline constexpr std::array<uint64_t, 4> kLaneGraphsMax{1 << 14, 1 << 18, UINT64_MAX, UINT64_MAX};
inline constexpr size_t kSpareLane = 3;
// No merge makes a segment with more: positions in lists are 32 bits.
inline constexpr uint64_t kSegmentPostingsMax = uint64_t{1} << 31;

// Nobody writes; some write and some search; some write and nobody searches.
enum class Pace { kIdle, kBusy, kBulk };

class SegmentStack {
 public:
  enum class Work { kConcatenate, kInvert, kMerge };
  // Neighbours, oldest first, as they were when the merge was planned: plain ones, which become one plain or
  // one inverted segment, or inverted ones.
  struct Plan {
    std::vector<SegmentView> parts;
    Work work = Work::kMerge;
  };

  // REQUIRES: ascending GraphIds.
  explicit SegmentStack(std::vector<SegmentView> segments);

  // Hides graphs that were deleted or replaced. REQUIRES: each is live in some segment; sorted.
  void Hide(const std::vector<GraphId>& ids);
  // REQUIRES: GraphIds above all others.
  void Add(std::shared_ptr<const Segment> segment);

  // A merge that the policy asks for now. Its segments are busy until Finish or Abandon.
  std::optional<Plan> PlanMerge(size_t lane, Pace pace);
  // Puts the merged segment in the place of its parts. What was hidden meanwhile stays hidden.
  void Finish(const Plan& plan, std::shared_ptr<const Segment> merged);
  void Abandon(const Plan& plan);

  // Leaves everything that is there now to a compaction, until Release.
  void Reserve();
  void Release() { reserved_through_.reset(); }
  // A merge that was planned before still works on some of it.
  bool reserved_busy() const;
  // The next merge of a compaction: plain segments are inverted, then all behind `after` become one, or as
  // few as `postings_max` allows, without what is hidden. Nothing: it is done. REQUIRES: not reserved_busy().
  std::optional<Plan> PlanCompaction(GraphId after, uint64_t postings_max = kSegmentPostingsMax);

  std::vector<SegmentView> views() const;
  size_t size() const { return entries_.size(); }
  uint64_t plain_count() const;

 private:
  struct Entry {
    SegmentView view;
    bool busy = false;

    uint64_t live_count() const { return view.live_count(); }
    bool is_plain() const { return view.segment->is_plain(); }
  };

  bool reserved(const Entry& entry) const {
    return reserved_through_ && entry.view.segment->graphs().last_id() <= *reserved_through_;
  }
  // Not for the policy to plan with.
  bool taken(const Entry& entry) const { return entry.busy || reserved(entry); }
  size_t IndexOf(const Segment* segment) const;
  Plan Take(size_t first, size_t last, Work work);
  std::optional<Plan> PlanRewrite(size_t lane);
  std::optional<Plan> PlanInversion(size_t lane, Pace pace);
  std::optional<Plan> PlanReservedInversion(size_t end);
  // Runs of neighbours that are not taken, and are plain or are not.
  std::optional<Plan> PlanAmongAll(bool plain, uint64_t graphs_max, double ratio);
  std::optional<Plan> PlanAmong(size_t first, size_t last, uint64_t graphs_max, double ratio);

  std::vector<Entry> entries_;
  std::optional<GraphId> reserved_through_;
};

}  // namespace kindred
