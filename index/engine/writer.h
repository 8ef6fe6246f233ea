// The one place that changes the index: takes writes from a queue, commits many at once, publishes.
//
// A group of requests becomes one synced WriteBatch with everything it changes: graphs, histograms, new
// labels and colours, the commit sequence. Only then is the snapshot published and each request
// answered. What a write does depends on the order of the queue alone: sequence numbers, GraphIds and
// ColourIds are the same however requests are grouped.
//
// A request is prepared as soon as it is queued (engine/prepared.h), many at a time; the thread of the writer
// itself does only what has to be done in order.
//
// Threads: Submit from any thread; commits are made on a thread of its own, and requests prepared on others
//          of its own, behind which no search has to wait.

#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "index/base/limits.h"
#include "index/engine/commit_report.h"
#include "index/engine/executor.h"
#include "index/engine/group_commit.h"
#include "index/engine/merger.h"
#include "index/engine/mutation.h"
#include "index/engine/prepared.h"
#include "index/engine/snapshot.h"
#include "index/hierarchy/colour_hierarchy.h"
#include "index/store/store.h"

namespace kindred {

class Writer {
 public:
  // All references must outlive this. `on_commit` may be null.
  Writer(Store& store, ColourHierarchy& hierarchy, IdIndex& ids, PublishedSnapshot& published, int threads,
         const Limits& limits, CommitReporter on_commit = nullptr);
  // Commits what is queued, then stops.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // RESOURCE_EXHAUSTED when write_queue_bytes_max is reached: `request.done` will not be called.
  absl::Status TrySubmit(WriteRequest request);
  // For a stream, which bounds what it has in flight itself: never refused.
  void Submit(WriteRequest request);

  // Runs `work` on the writer's thread, between two commits, and returns when it is done: for what has to see
  // the store at one commit. Writes wait meanwhile. REQUIRES: not on that thread, and not while this ends.
  void BetweenCommits(const std::function<void()>& work);

  // The files of the last commit, for a backup.
  absl::StatusOr<std::unique_ptr<LiveFiles>> CaptureFiles();

  Merger& merger() { return merger_; }

  // What waits to be committed.
  struct Waiting {
    uint64_t requests = 0;
    uint64_t bytes = 0;
  };
  Waiting waiting() const;

 private:
  struct Queued {
    WriteRequest request;
    std::optional<PreparedRequest> prepared;  // Nothing until it is.
  };
  using Group = std::vector<std::shared_ptr<Queued>>;

  void PrepareQueued(Queued& queued);
  using Calls = std::vector<std::function<void()>>;

  // What to run now, then what to commit; both empty: it ends.
  std::pair<Calls, Group> TakeWork();
  // Brings recent_ up to the snapshot; null when no request of the group has a rule of novelty.
  RecentGraphs* RecentFor(const Group& group, const Snapshot& before);
  void Run();
  void CommitGroup(Group group, size_t mutations);

  Store& store_;
  ColourHierarchy& hierarchy_;
  IdIndex& ids_;  // The writer's thread's.
  PublishedSnapshot& published_;
  const Limits limits_;
  const CommitReporter on_commit_;
  Merger merger_;
  // A group that was given up may leave colours in memory that no graph wears; the next one stores them.
  GroupCommit::Durable durable_;
  RecentGraphs recent_;  // The writer's thread's.

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::shared_ptr<Queued>> queue_;
  uint64_t queued_bytes_ = 0;
  Calls calls_;
  bool stopping_ = false;

  Executor preparing_;
  const Speculator speculator_;
  std::jthread thread_;  // Last: it starts with everything above in place.
};

}  // namespace kindred
