#include "index/engine/merger.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "index/base/memory.h"
#include "index/base/priority.h"
#include "index/base/status.h"
#include "index/base/watched_work.h"

namespace kindred {
namespace {

// Without a commit for so long, there is time for larger merges.
constexpr std::chrono::milliseconds kIdleAfter{1000};

// So long after a search another one is expected.
constexpr std::chrono::seconds kSearchedFor{2};

// More plain graphs would make a search too slow.
constexpr uint64_t kBacklogMax = 2 * kPlainGraphsMax;

// Several times what it takes one lane, so that a backlog shrinks soon; writes go on all the same.
constexpr std::chrono::microseconds kWaitAGraph{200};

// A merge of so many graphs leaves enough behind to give it back to the system.
constexpr uint32_t kGraphsWorthReturning = 1 << 17;

}  // namespace

Merger::Merger(PublishedSnapshot& published)
    : published_(published), stack_(published.get()->segments), last_commit_(Clock::now()) {
  for (size_t lane = 0; lane < kLaneGraphsMax.size(); ++lane) {
    lanes_.emplace_back([this, lane](const std::stop_token& stop) {
      SetPriority(lane == kSpareLane ? Priority::kLast : Priority::kSecond);
      Run(lane, stop);
    });
  }
}

Merger::~Merger() {
  for (std::jthread& lane : lanes_) {
    lane.request_stop();
  }
  const std::scoped_lock lock(mutex_);
  spare_.request_stop();
}

void Merger::Publish(CommitSequence sequence, const std::vector<GraphId>& hidden,
                     std::shared_ptr<const Segment> segment, std::shared_ptr<const StoreView> store,
                     IdIndex::View ids) {
  const std::scoped_lock lock(mutex_);
  stack_.Hide(hidden);
  stack_.Add(std::move(segment));
  published_.Publish(
      std::make_shared<Snapshot>(Snapshot{sequence, stack_.views(), std::move(store), std::move(ids)}));
  last_commit_ = Clock::now();
  if (pace() == Pace::kBusy) {
    spare_.request_stop();  // The other lanes take over, and have the time.
  }
  Changed();
}

void Merger::Changed() {
  ++changes_;
  wake_.notify_all();
}

void Merger::Settle() {
  std::unique_lock lock(mutex_);
  settle_ = true;
  Changed();
  wake_.wait(lock, [&] {
    return stats_.merging == 0 &&
           std::ranges::all_of(quiet_, [&](uint64_t seen) { return seen == changes_; });
  });
  settle_ = false;
}

Merger::Stats Merger::stats() const {
  const std::scoped_lock lock(mutex_);
  return stats_;
}

Pace Merger::pace() const {
  const Clock::time_point now = Clock::now();
  if (settle_ || now - last_commit_ >= kIdleAfter) {
    return Pace::kIdle;
  }
  return last_search_.load(std::memory_order_relaxed) + kSearchedFor >= now ? Pace::kBusy : Pace::kBulk;
}

void Merger::WaitForRoom(uint64_t graphs) {
  const Clock::time_point end = Clock::now() + graphs * kWaitAGraph;
  std::unique_lock lock(mutex_);
  const auto room = [&] {
    return waiting_ends_ || stack_.plain_count() <= kBacklogMax || pace() != Pace::kBusy;
  };
  wake_.wait_until(lock, end, room);
}

void Merger::StopWaiting() {
  const std::scoped_lock lock(mutex_);
  waiting_ends_ = true;
  wake_.notify_all();
}

// Until something changed, or writes have paused for long enough.
void Merger::Wait(std::unique_lock<std::mutex>& lock, size_t lane, const std::stop_token& stop) {
  const uint64_t seen = changes_;
  const auto changed = [&] { return changes_ != seen; };
  if (pace() != Pace::kIdle) {
    wake_.wait_until(lock, stop, last_commit_ + kIdleAfter, changed);
    return;
  }
  quiet_[lane] = changes_;
  wake_.notify_all();  // Settle may wait for this.
  wake_.wait(lock, stop, changed);
}

std::shared_ptr<const Segment> Merger::Merge(const SegmentStack::Plan& plan,
                                             const std::stop_token& stop) const {
  switch (plan.work) {
    case SegmentStack::Work::kConcatenate:
      return ConcatenatePlain(plan.parts);
    case SegmentStack::Work::kInvert:
      return InvertPlain(plan.parts, Ordering::kBySimilarity, stop);
    case SegmentStack::Work::kMerge:
      break;
  }
  return MergeSegments(plan.parts, Ordering::kBySimilarity, stop);
}

// REQUIRES: mutex_ is held, and the lane is about to merge.
std::stop_token Merger::StopOf(size_t lane, const std::stop_token& stop) {
  if (lane != kSpareLane) {
    return stop;
  }
  spare_ = std::stop_source();
  return spare_.get_token();
}

void Merger::Run(size_t lane, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    std::optional<SegmentStack::Plan> plan = stack_.PlanMerge(lane, pace());
    if (!plan) {
      Wait(lock, lane, stop);
      continue;
    }
    ++stats_.merging;
    const std::stop_token merge_stop = StopOf(lane, stop);
    lock.unlock();
    std::shared_ptr<const Segment> merged = Merge(*plan, merge_stop);
    if (merged != nullptr && merged->size() >= kGraphsWorthReturning) {
      ReturnFreeMemory();
    }
    lock.lock();
    --stats_.merging;
    if (merged == nullptr) {
      stack_.Abandon(*plan);
      continue;
    }
    Complete(*plan, std::move(merged));
  }
}

void Merger::Complete(const SegmentStack::Plan& plan, std::shared_ptr<const Segment> merged) {
  ++stats_.merges;
  stats_.graphs_merged += merged->size();
  stack_.Finish(plan, std::move(merged));
  const std::shared_ptr<const Snapshot> newest = published_.get();
  published_.Publish(
      std::make_shared<Snapshot>(Snapshot{newest->sequence, stack_.views(), newest->store, newest->ids}));
  Changed();
}

absl::StatusOr<uint64_t> Merger::Compact(const Interrupt& interrupt, const std::function<void()>& beat) {
  {
    const std::scoped_lock lock(mutex_);
    stack_.Reserve();
    spare_.request_stop();  // It inverts what is inverted here.
    Changed();
  }
  absl::StatusOr<uint64_t> dropped = CompactReserved(interrupt, beat);
  const std::scoped_lock lock(mutex_);
  stack_.Release();
  Changed();
  return dropped;
}

// Until merges that were under way on what is reserved have ended.
absl::Status Merger::WaitForReserved(std::unique_lock<std::mutex>& lock, const Interrupt& interrupt,
                                     const std::function<void()>& beat) {
  while (stack_.reserved_busy()) {
    wake_.wait_for(lock, kWatchEvery);
    lock.unlock();
    beat();
    const absl::Status status = interrupt.Check();
    lock.lock();
    KINDRED_RETURN_IF_ERROR(status);
  }
  return absl::OkStatus();
}

absl::StatusOr<uint64_t> Merger::CompactReserved(const Interrupt& interrupt,
                                                 const std::function<void()>& beat) {
  uint64_t dropped = 0;
  GraphId after{};
  std::unique_lock lock(mutex_);
  KINDRED_RETURN_IF_ERROR(WaitForReserved(lock, interrupt, beat));
  while (const std::optional<SegmentStack::Plan> plan = stack_.PlanCompaction(after)) {
    ++stats_.merging;
    lock.unlock();
    std::shared_ptr<const Segment> merged;
    const absl::Status status =
        RunWatched(interrupt, beat, [&](const std::stop_token& stop) { merged = Merge(*plan, stop); });
    lock.lock();
    --stats_.merging;
    if (!status.ok()) {
      stack_.Abandon(*plan);
      return status;
    }
    for (const SegmentView& part : plan->parts) {
      dropped += part.segment->size();
    }
    dropped -= merged->size();
    if (plan->work == SegmentStack::Work::kMerge) {
      after = plan->parts.back().segment->graphs().last_id();
    }
    Complete(*plan, std::move(merged));
  }
  return dropped;
}

}  // namespace kindred
