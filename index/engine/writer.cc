#include "index/engine/writer.h"

#include <algorithm>
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

// Refines the graphs of a group against the colours known now, on all threads.
std::vector<std::optional<VertexColours>> RefineGroup(const std::vector<WriteRequest>& group,
                                                      const ColourHierarchy& hierarchy, Level depth,
                                                      Executor& executor) {
  std::vector<const Graph*> graphs;
  for (const WriteRequest& request : group) {
    for (const Mutation& mutation : request.mutations) {
      const bool put = mutation.record.ok() && mutation.record->has_value();
      graphs.push_back(put ? &(*mutation.record)->graph : nullptr);
    }
  }
  std::vector<std::optional<VertexColours>> refined(graphs.size());
  const ColourHierarchy::View known = hierarchy.view();
  constexpr size_t kChunk = 64;
  executor.ParallelFor((graphs.size() + kChunk - 1) / kChunk, [&](size_t chunk) {
    for (size_t i = chunk * kChunk; i < std::min(graphs.size(), (chunk + 1) * kChunk); ++i) {
      if (graphs[i] != nullptr) {
        refined[i] = RefineKnown(known, *graphs[i], depth);
      }
    }
  });
  return refined;
}

}  // namespace

Writer::Writer(Store& store, ColourHierarchy& hierarchy, PublishedSnapshot& published, Executor& executor,
               const Limits& limits)
    : store_(store),
      hierarchy_(hierarchy),
      published_(published),
      executor_(executor),
      limits_(limits),
      merger_(published),
      durable_{hierarchy.label_count(), hierarchy.colour_count()},
      thread_([this] { Run(); }) {}

Writer::~Writer() {
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
  const std::scoped_lock lock(mutex_);
  queued_bytes_ += request.bytes;
  queue_.push_back(std::move(request));
  wake_.notify_one();
}

std::vector<WriteRequest> Writer::TakeGroup() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
  std::vector<WriteRequest> group;
  size_t mutations = 0;
  uint64_t bytes = 0;
  while (!queue_.empty() && mutations < kGroupMutationsMax && bytes < kGroupBytesMax) {
    mutations += queue_.front().mutations.size();
    bytes += queue_.front().bytes;
    group.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  queued_bytes_ -= bytes;
  return group;
}

void Writer::Run() {
  for (auto group = TakeGroup(); !group.empty(); group = TakeGroup()) {
    CommitGroup(std::move(group));
  }
}

void Writer::CommitGroup(std::vector<WriteRequest> group) {
  const std::shared_ptr<const Snapshot> before = published_.get();
  auto refined = RefineGroup(group, hierarchy_, store_.depth(), executor_);

  GroupCommit commit(store_, hierarchy_, *before, durable_, limits_);
  std::vector<WriteResult> results(group.size());
  absl::Status status;
  size_t at = 0;
  for (size_t r = 0; r < group.size() && status.ok(); ++r) {
    for (Mutation& mutation : group[r].mutations) {
      auto outcome = commit.Apply(std::move(mutation), std::move(refined[at++]));
      if (!outcome.ok()) {
        status = outcome.status();
        break;
      }
      results[r].outcomes.push_back(*std::move(outcome));
    }
    results[r].sequence = commit.sequence();
  }
  if (status.ok()) {
    status = commit.Commit();
  }
  if (status.ok() && commit.sequence() != before->sequence) {
    durable_ = commit.durable();
    merger_.Publish(commit.sequence(), commit.TakeHidden(), commit.BuildSegment(), store_.view());
  }
  for (size_t r = 0; r < group.size(); ++r) {
    results[r].status = status;
    if (!status.ok()) {
      results[r].outcomes.clear();
    }
    group[r].done(std::move(results[r]));
  }
}

}  // namespace kindred
