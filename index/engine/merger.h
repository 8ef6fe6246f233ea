// Publishes snapshots, and merges their segments in the background.
//
// A commit is published at once, as one more plain segment. A finished merge is published too: the same
// graphs at the same commit sequence, in fewer segments.
//
// While someone searches, plain graphs are inverted as they come, and writes slow down when that falls
// behind. While graphs come and nobody searches they are inverted in large pieces, which costs least, and
// only with the time that writes leave; the first search, or the first second without a write, brings the
// rest and the merges on.
//
// A compaction makes one segment of everything, beside all that, when someone asks for it.
//
// Threads: Publish from the writer's thread; the rest from any. One thread of its own a lane.

#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/ids.h"
#include "index/base/interrupt.h"
#include "index/engine/segment_stack.h"
#include "index/engine/snapshot.h"
#include "index/lists/segment.h"

namespace kindred {

class Merger {
 public:
  // `published` must outlive this.
  explicit Merger(PublishedSnapshot& published);
  // Gives up running merges.
  ~Merger();
  Merger(const Merger&) = delete;
  Merger& operator=(const Merger&) = delete;

  // After a commit: the graphs it hid (sorted), those it stored, and the store and the index of ids
  // as they are now.
  void Publish(CommitSequence sequence, const std::vector<GraphId>& hidden,
               std::shared_ptr<const Segment> segment, std::shared_ptr<const StoreView> store,
               IdIndex::View ids);

  // Someone searches: merges are worth their time, also while writes come.
  void NoteSearch() { last_search_.store(Clock::now(), std::memory_order_relaxed); }
  // While there are searches and inverting falls behind, waits a while for it, longer the more graphs it was:
  // for the writer, after a commit of them. No longer, so that writes go on beside a large backlog, as after
  // a start. Stops waiting for good with StopWaiting.
  void WaitForRoom(uint64_t graphs);
  void StopWaiting();

  // Waits until there is nothing left to merge, without waiting for writes to pause first. For tests and
  // benchmarks.
  void Settle();

  // Makes one segment of all there is when it begins, or as few as kSegmentPostingsMax allows, without graphs
  // that were deleted or replaced by then; returns how many of these it left out. Commits and other merges go
  // on. Given up, it leaves segments as they are, and merges it has finished. `beat` is called now and then.
  // REQUIRES: one at a time.
  absl::StatusOr<uint64_t> Compact(
      const Interrupt& interrupt, const std::function<void()>& beat = [] {});

  struct Stats {
    uint64_t merges = 0;
    uint64_t graphs_merged = 0;
    uint64_t merging = 0;  // Now.
  };
  Stats stats() const;

 private:
  using Clock = std::chrono::steady_clock;

  void Run(size_t lane, const std::stop_token& stop);
  void Wait(std::unique_lock<std::mutex>& lock, size_t lane, const std::stop_token& stop);
  Pace pace() const;
  void Changed();
  // REQUIRES, both: mutex_ is held.
  absl::Status WaitForReserved(std::unique_lock<std::mutex>& lock, const Interrupt& interrupt,
                               const std::function<void()>& beat);
  void Complete(const SegmentStack::Plan& plan, std::shared_ptr<const Segment> merged);
  absl::StatusOr<uint64_t> CompactReserved(const Interrupt& interrupt, const std::function<void()>& beat);
  std::stop_token StopOf(size_t lane, const std::stop_token& stop);
  std::shared_ptr<const Segment> Merge(const SegmentStack::Plan& plan, const std::stop_token& stop) const;

  PublishedSnapshot& published_;
  std::atomic<Clock::time_point> last_search_{Clock::time_point()};
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  SegmentStack stack_;
  Clock::time_point last_commit_;
  uint64_t changes_ = 1;  // Of the stack, or of the pace.
  std::array<uint64_t, kLaneGraphsMax.size()>
      quiet_{};             // A lane each: the value of changes_ when it found nothing to do.
  std::stop_source spare_;  // Of the spare lane's merge: it is given up when someone searches.
  bool settle_ = false;
  bool waiting_ends_ = false;
  Stats stats_;

  std::vector<std::jthread> lanes_;  // Last: they end before anything above goes.
};

}  // namespace kindred
