#include "daemon/pairs_stream.h"

#include <algorithm>

#include "daemon/pairs_request.h"
#include "index/base/status.h"

namespace kindred::daemon {
namespace {

constexpr size_t kPairsPageBytes = 256 << 10;
// Beside its ids a pair takes two doubles, five tags and lengths.
constexpr size_t kPairBytes = 28;
constexpr std::chrono::milliseconds kPairsPageTime{50};
// What was found is told so often at least: to tell a few costs nearly as much as to tell many.
constexpr std::chrono::milliseconds kFlushTime{1'000};

}  // namespace

absl::StatusOr<bool> PairsStream::Next(Response& message, const Interrupt& interrupt) {
  const Clock::time_point start = Clock::now();
  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  if (done_) {
    return false;
  }
  if (search_ == nullptr) {
    KINDRED_RETURN_IF_ERROR(Begin(interrupt));
  } else {
    KINDRED_RETURN_IF_ERROR(Fill(message, start, interrupt));
  }
  message.set_graphs_done(search_->done_count());
  message.set_graphs(search_->graph_count());
  message.set_sequence(Raw(search_->snapshot().sequence));
  took_ += Clock::now() - start;
  if (searched_ && expansion_->empty()) {
    done_ = true;
    v1::PairsStats& stats = *message.mutable_stats();
    stats.set_pairs(pairs_);
    stats.set_candidates(search_->candidate_count());
    stats.set_micros(
        static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took_).count()));
  }
  return true;
}

std::vector<LogField> PairsStream::LogFields() const {
  const bool begun = search_ != nullptr;
  return {{"measure", MeasureName(request_.measure())},
          {"depth", int64_t{request_.has_depth() ? request_.depth() : engine_.depth()}},
          {"filter_bytes", static_cast<int64_t>(request_.filter().size())},
          {"threads", int64_t{std::max(request_.threads(), 1U)}},
          {"graphs", static_cast<int64_t>(begun ? search_->graph_count() : 0)},
          {"graphs_done", static_cast<int64_t>(begun ? search_->done_count() : 0)},
          {"pairs", static_cast<int64_t>(pairs_)},
          {"candidates", static_cast<int64_t>(begun ? search_->candidate_count() : 0)}};
}

// The first message has no pairs: it tells at once that there is an answer, and of how many graphs.
absl::Status PairsStream::Begin(const Interrupt& interrupt) {
  KINDRED_ASSIGN_OR_RETURN(const PairsRequest request, ToPairsRequest(request_, engine_.limits()));
  KINDRED_ASSIGN_OR_RETURN(std::shared_ptr<const Snapshot> snapshot,
                           SnapshotFor(engine_, request, interrupt));
  KINDRED_ASSIGN_OR_RETURN(search_, PairSearch::Create(std::move(snapshot), request, engine_.limits()));
  parallel_for_ = ThreadsFor(engine_, request);
  expansion_.emplace(*search_);
  flushed_ = Clock::now();
  return absl::OkStatus();
}

absl::Status PairsStream::Fill(Response& message, Clock::time_point start, const Interrupt& interrupt) {
  size_t bytes = 0;
  while (bytes < kPairsPageBytes && Clock::now() - start < kPairsPageTime) {
    if (expansion_->empty()) {
      if (searched_) {
        break;
      }
      const bool flush = Clock::now() - flushed_ >= kFlushTime;
      KINDRED_ASSIGN_OR_RETURN(const bool more,
                               search_->Step(flush, parallel_for_, interrupt, expansion_->Refill()));
      searched_ = !more;
      if (flush) {
        flushed_ = Clock::now();
      }
      continue;
    }
    // Many between two looks at the clock.
    for (int i = 0; i < 64 && !expansion_->empty(); ++i) {
      const SimilarPair pair = expansion_->Take();
      v1::PairsResponse::Pair& added = *message.add_pairs();
      added.set_a(pair.a.data(), pair.a.size());
      added.set_b(pair.b.data(), pair.b.size());
      added.set_kernel(pair.kernel);
      added.set_similarity(pair.similarity);
      bytes += pair.a.size() + pair.b.size() + kPairBytes;
      ++pairs_;
    }
  }
  return absl::OkStatus();
}

}  // namespace kindred::daemon
