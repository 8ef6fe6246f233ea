#include "index/engine/writer.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <utility>

#include "index/base/status.h"

namespace kindred {
namespace {

// A group is closed when it has reached either: enough to make the sync cheap, little enough to keep the
// first request of the group from waiting long.
constexpr size_t kGroupMutationsMax = 8'192;
constexpr uint64_t kGroupBytesMax = 8 << 20;

// So long without a write, there is time to tidy up: merges have settled by then.
constexpr std::chrono::seconds kPause{60};

// What is queued to be prepared is bounded by write_queue_bytes_max and by the streams themselves.
constexpr uint64_t kNoneRefused = UINT64_MAX;

}  // namespace

Writer::Writer(Store& store, ColourHierarchy& hierarchy, IdIndex& ids, PublishedSnapshot& published,
               int threads, const Limits& limits, CommitReporter on_commit)
    : store_(store),
      hierarchy_(hierarchy),
      ids_(ids),
      published_(published),
      limits_(limits),
      on_commit_(std::move(on_commit)),
      merger_(published),
      durable_{hierarchy.label_count(), hierarchy.colour_count()},
      preparing_(threads, kNoneRefused, Priority::kSecond),
      speculator_(published, merger_, preparing_, limits.isomorphism_steps_max),
      thread_([this] { Run(); }) {}

Writer::~Writer() {
  merger_.StopWaiting();
  const std::scoped_lock lock(mutex_);
  stopping_ = true;
  wake_.notify_all();
}

absl::Status Writer::TrySubmit(WriteRequest request) {
  {
    const std::scoped_lock lock(mutex_);
    if (queued_bytes_ > 0 && queued_bytes_ + request.bytes > limits_.write_queue_bytes_max) {
      return OverLimit("bytes waiting to be written", queued_bytes_ + request.bytes, "write_queue_bytes_max",
                       limits_.write_queue_bytes_max);
    }
  }
  Submit(std::move(request));
  return absl::OkStatus();
}

void Writer::Submit(WriteRequest request) {
  const auto queued = std::make_shared<Queued>(Queued{std::move(request), std::nullopt});
  {
    const std::scoped_lock lock(mutex_);
    queued_bytes_ += queued->request.bytes;
    queue_.push_back(queued);
  }
  preparing_.Submit([this, queued] { PrepareQueued(*queued); });
}

Writer::Waiting Writer::waiting() const {
  const std::scoped_lock lock(mutex_);
  return {queue_.size(), queued_bytes_};
}

void Writer::PrepareQueued(Queued& queued) {
  PreparedRequest prepared = Prepare(queued.request, hierarchy_, store_.depth(), &speculator_);
  const std::scoped_lock lock(mutex_);
  queued.prepared = std::move(prepared);
  wake_.notify_one();
}

void Writer::BetweenCommits(const std::function<void()>& work) {
  const auto done = std::make_shared<std::promise<void>>();
  {
    const std::scoped_lock lock(mutex_);
    calls_.emplace_back([&work, done] {
      work();
      done->set_value();
    });
    wake_.notify_one();
  }
  done->get_future().wait();
}

absl::StatusOr<std::unique_ptr<LiveFiles>> Writer::CaptureFiles() {
  KINDRED_RETURN_IF_ERROR(store_.Flush());
  absl::StatusOr<std::unique_ptr<LiveFiles>> files;
  BetweenCommits([&] { files = store_.Capture(); });
  return files;
}

std::pair<Writer::Calls, Writer::Group> Writer::TakeWork() {
  std::unique_lock lock(mutex_);
  const auto ready = [this] {
    return !calls_.empty() || (queue_.empty() ? stopping_ : queue_.front()->prepared.has_value());
  };
  if (!wake_.wait_for(lock, kPause, ready)) {
    lock.unlock();
    store_.Settle();
    lock.lock();
    wake_.wait(lock, ready);
  }
  Group group;
  size_t mutations = 0;
  uint64_t bytes = 0;
  while (!queue_.empty() && queue_.front()->prepared && mutations < kGroupMutationsMax &&
         bytes < kGroupBytesMax) {
    mutations += queue_.front()->prepared->mutations.size();
    bytes += queue_.front()->request.bytes;
    group.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  queued_bytes_ -= bytes;
  return {std::exchange(calls_, {}), std::move(group)};
}

void Writer::Run() {
  for (;;) {
    auto [calls, group] = TakeWork();
    if (calls.empty() && group.empty()) {
      break;
    }
    for (const auto& call : calls) {
      call();
    }
    if (group.empty()) {
      continue;
    }
    size_t mutations = 0;
    for (const auto& queued : group) {
      mutations += queued->prepared->mutations.size();
    }
    CommitGroup(std::move(group), mutations);
    merger_.WaitForRoom(mutations);
  }
  store_.Settle();
}

RecentGraphs* Writer::RecentFor(const Group& group, const Snapshot& before) {
  std::optional<CommitSequence> oldest;
  for (const auto& queued : group) {
    if (queued->prepared->novelty == nullptr) {
      continue;
    }
    for (const PreparedMutation& mutation : queued->prepared->mutations) {
      if (mutation.speculation != nullptr) {
        oldest = std::min(oldest.value_or(before.sequence), mutation.speculation->sequence);
      }
    }
  }
  if (!oldest) {
    return nullptr;
  }
  recent_.CatchUp(before, *oldest);
  return &recent_;
}

void Writer::CommitGroup(Group group, size_t mutations) {
  const auto start = std::chrono::steady_clock::now();
  const std::shared_ptr<const Snapshot> before = published_.get();
  GroupCommit commit(store_, hierarchy_, *before, durable_, limits_, mutations, RecentFor(group, *before));
  std::vector<WriteResult> results;
  absl::Status status;
  for (const auto& queued : group) {
    auto result = commit.Apply(*std::move(queued->prepared));
    if (!result.ok()) {
      status = result.status();
      break;
    }
    results.push_back(*std::move(result));
  }
  const auto applied = std::chrono::steady_clock::now();
  if (status.ok()) {
    status = commit.Commit();
  }
  const auto stored = std::chrono::steady_clock::now();
  if (status.ok() && commit.sequence() != before->sequence) {
    durable_ = commit.durable();
    commit.PutIds(ids_);
    merger_.Publish(commit.sequence(), commit.TakeHidden(), commit.BuildSegment(), store_.view(),
                    ids_.view());
    published_.commits().Notify();
  }
  if (!status.ok()) {
    results.assign(group.size(), {status, {}, {}, 0, false});
  }
  if (on_commit_ != nullptr) {
    on_commit_(ReportOf(status, results, std::chrono::steady_clock::now() - start, stored - applied));
  }
  for (size_t r = 0; r < group.size(); ++r) {
    group[r]->request.done(std::move(results[r]));
  }
}

}  // namespace kindred
