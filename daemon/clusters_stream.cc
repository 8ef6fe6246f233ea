#include "daemon/clusters_stream.h"

#include <algorithm>

#include "daemon/pairs_request.h"
#include "index/base/status.h"

namespace kindred::daemon {
namespace {

constexpr size_t kClustersPageBytes = 256 << 10;
// Beside its id a member takes a tag and a length; a group, some numbers.
constexpr size_t kMemberBytes = 3;
constexpr size_t kGroupBytes = 20;
constexpr std::chrono::milliseconds kClustersPageTime{50};
constexpr uint32_t kSizeMinDefault = 2;

}  // namespace

absl::StatusOr<bool> ClustersStream::Next(Response& message, const Interrupt& interrupt) {
  const Clock::time_point start = Clock::now();
  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  if (done_) {
    return false;
  }
  if (search_ == nullptr) {
    KINDRED_RETURN_IF_ERROR(AnnotateField(Begin(interrupt), "pairs."));
  } else {
    KINDRED_RETURN_IF_ERROR(Fill(message, start, interrupt));
  }
  const PairSearch& pairs = search_->pairs();
  message.set_graphs_done(pairs.done_count());
  message.set_graphs(pairs.graph_count());
  message.set_sequence(Raw(pairs.snapshot().sequence));
  took_ += Clock::now() - start;
  if (searched_) {
    done_ = true;
    v1::PairsStats& stats = *message.mutable_stats();
    stats.set_pairs(search_->pair_count());
    stats.set_candidates(pairs.candidate_count());
    stats.set_micros(
        static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took_).count()));
  }
  return true;
}

std::vector<LogField> ClustersStream::LogFields() const {
  const v1::PairsRequest& asked = request_.pairs();
  const PairSearch* const pairs = search_ != nullptr ? &search_->pairs() : nullptr;
  return {{"measure", MeasureName(asked.measure())},
          {"depth", int64_t{asked.has_depth() ? asked.depth() : engine_.depth()}},
          {"filter_bytes", static_cast<int64_t>(asked.filter().size())},
          {"threads", int64_t{std::max(asked.threads(), 1U)}},
          {"graphs", static_cast<int64_t>(pairs != nullptr ? pairs->graph_count() : 0)},
          {"graphs_done", static_cast<int64_t>(pairs != nullptr ? pairs->done_count() : 0)},
          {"pairs", static_cast<int64_t>(pairs != nullptr ? search_->pair_count() : 0)},
          {"candidates", static_cast<int64_t>(pairs != nullptr ? pairs->candidate_count() : 0)}};
}

absl::Status ClustersStream::Begin(const Interrupt& interrupt) {
  ClustersRequest request;
  KINDRED_ASSIGN_OR_RETURN(request.pairs, ToPairsRequest(request_.pairs(), engine_.limits()));
  request.size_min = request_.size_min() == 0 ? kSizeMinDefault : request_.size_min();
  KINDRED_ASSIGN_OR_RETURN(std::shared_ptr<const Snapshot> snapshot,
                           SnapshotFor(engine_, request.pairs, interrupt));
  KINDRED_ASSIGN_OR_RETURN(search_, ClusterSearch::Create(std::move(snapshot), request, engine_.limits()));
  parallel_for_ = ThreadsFor(engine_, request.pairs);
  return absl::OkStatus();
}

absl::Status ClustersStream::Fill(Response& message, Clock::time_point start, const Interrupt& interrupt) {
  size_t bytes = 0;
  while (bytes < kClustersPageBytes && Clock::now() - start < kClustersPageTime && !searched_) {
    if (cluster_) {
      bytes += AddMembers(message, kClustersPageBytes - bytes);
      continue;
    }
    KINDRED_ASSIGN_OR_RETURN(const bool more, search_->Step(parallel_for_, interrupt, cluster_));
    searched_ = !more;
  }
  return absl::OkStatus();
}

size_t ClustersStream::AddMembers(Response& message, size_t bytes_max) {
  v1::ClustersResponse::Cluster& added = *message.add_clusters();
  const std::vector<std::string_view>& members = cluster_->members;
  added.set_representative(cluster_->representative.data(), cluster_->representative.size());
  added.set_size(members.size());
  added.set_continued(told_ > 0);
  size_t bytes = kGroupBytes + cluster_->representative.size();
  do {  // One at least.
    added.add_ids(members[told_].data(), members[told_].size());
    bytes += members[told_].size() + kMemberBytes;
    ++told_;
  } while (told_ < members.size() && bytes < bytes_max);
  if (told_ == members.size()) {
    cluster_.reset();
    told_ = 0;
  }
  return bytes;
}

}  // namespace kindred::daemon
