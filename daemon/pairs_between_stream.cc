#include "daemon/pairs_between_stream.h"

#include <utility>

#include "daemon/convert.h"
#include "daemon/errors.h"
#include "daemon/interrupts.h"
#include "daemon/pairs_request.h"
#include "index/base/status.h"

namespace kindred::daemon {
namespace {

constexpr size_t kBetweenPageBytes = 256 << 10;
// Beside its ids a pair takes two doubles, five tags and lengths.
constexpr size_t kBetweenPairBytes = 28;
constexpr std::chrono::milliseconds kBetweenPageTime{50};
// Records that are looked at together.
constexpr size_t kLookedMax = 32;

}  // namespace

PairsBetweenStream* PairsBetweenStream::Start(Serving& serving, grpc::CallbackServerContext& context) {
  const std::shared_ptr<PairsBetweenStream> stream(new PairsBetweenStream(serving, context));
  stream->Begin(context);
  return stream.get();
}

void PairsBetweenStream::Accept(v1::PairsBetweenRequest request) {
  batch_ = std::move(request);
  Wake();
}

bool PairsBetweenStream::WantsRequest() const { return !batch_.has_value(); }

bool PairsBetweenStream::Busy() const {
  return working_ || (!gone() && (batch_.has_value() || ready_.has_value()));
}

bool PairsBetweenStream::TakeResponse(v1::PairsResponse& response) {
  if (ready_.has_value()) {
    response = *std::exchange(ready_, std::nullopt);
    Wake();
    return true;
  }
  if (!ended_well() || ended_ || Busy()) {
    return false;
  }
  if (between_ == nullptr) {
    Stop(InvalidArgument("open: the stream ended without one"));
    return false;
  }
  ended_ = true;
  response.Clear();
  FillProgress(response);
  stats_.set_micros(
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took_).count()));
  *response.mutable_stats() = stats_;
  return true;
}

void PairsBetweenStream::Ended(const absl::Status& status) {
  serving().monitor().Count(QuestionSeen{context_, status.code(), took_, [this] {
                                           return std::vector<LogField>{
                                               {"measure", MeasureName(asked_.measure())},
                                               {"filter_bytes", static_cast<int64_t>(asked_.filter().size())},
                                               {"records", static_cast<int64_t>(looked_count_)},
                                               {"pairs", static_cast<int64_t>(stats_.pairs())},
                                               {"candidates", static_cast<int64_t>(stats_.candidates())}};
                                         }});
}

void PairsBetweenStream::Wake() {
  if (!batch_.has_value() || working_ || ready_.has_value() || gone()) {
    return;
  }
  const auto work = [this, self = shared_from_this()] { Work(); };
  if (submitted_) {
    engine().executor().Submit(work);
  } else if (!engine().executor().TrySubmit(work)) {
    batch_.reset();
    Stop(QueueFull(engine().limits()));
    return;
  }
  submitted_ = working_ = true;
}

void PairsBetweenStream::Work() {
  const Clock::time_point start = Clock::now();
  v1::PairsResponse response;
  absl::StatusOr<bool> done = serving().draining() ? absl::UnavailableError("kindredd is stopping")
                                                   : OrOutOfMemory([&] { return DoSome(response); });
  took_ += Clock::now() - start;
  {
    const std::scoped_lock lock(mutex_);
    working_ = false;
    if (!done.ok()) {
      Stop(done.status());
    }
    if (!done.ok() || *done || gone()) {
      batch_.reset();
      next_record_ = 0;
    }
    if (done.ok()) {
      FillProgress(response);
      ready_ = std::move(response);
    }
    Wake();
  }
  Advance();
}

absl::StatusOr<bool> PairsBetweenStream::DoSome(v1::PairsResponse& response) {
  if (between_ == nullptr) {
    KINDRED_RETURN_IF_ERROR(Open());
    return true;
  }
  KINDRED_RETURN_IF_ERROR(CheckRecords());
  const Clock::time_point start = Clock::now();
  for (size_t bytes = 0; bytes < kBetweenPageBytes && Clock::now() - start < kBetweenPageTime;) {
    KINDRED_RETURN_IF_ERROR(InterruptOf(context_).Check());
    if (looked_.empty()) {
      if (next_record_ == batch_->records_size()) {
        return true;
      }
      LookAtSome();
    }
    KINDRED_ASSIGN_OR_RETURN(const size_t added, TellFirst(kBetweenPageBytes - bytes, response));
    bytes += added;
  }
  return looked_.empty() && next_record_ == batch_->records_size();
}

absl::Status PairsBetweenStream::Open() {
  if (!batch_->has_open()) {
    return InvalidArgument("open: the first message has to have it");
  }
  if (batch_->records_size() > 0) {
    return InvalidArgument("records: come after the first message, which has only `open`");
  }
  asked_ = batch_->open();
  const auto open = [&]() -> absl::Status {
    KINDRED_ASSIGN_OR_RETURN(const PairsRequest request, ToPairsRequest(batch_->open(), engine().limits()));
    KINDRED_ASSIGN_OR_RETURN(std::shared_ptr<const Snapshot> snapshot,
                             SnapshotFor(engine(), request, InterruptOf(context_)));
    KINDRED_ASSIGN_OR_RETURN(between_,
                             PairsBetween::Create(std::move(snapshot), request, engine().hierarchy()));
    parallel_for_ = ThreadsFor(engine(), request);
    return absl::OkStatus();
  };
  return AnnotateField(open(), "open.");
}

absl::Status PairsBetweenStream::CheckRecords() const {
  if (batch_->has_open()) {
    return InvalidArgument("open: only the first message has it");
  }
  const auto size = static_cast<uint64_t>(batch_->records_size());
  return size <= engine().limits().batch_items_max
             ? absl::OkStatus()
             : OverLimit("records", size, "batch_items_max", engine().limits().batch_items_max);
}

void PairsBetweenStream::LookAtSome() {
  engine().writer().merger().NoteSearch();
  const int begin = next_record_;
  while (next_record_ < batch_->records_size() && looked_.size() < kLookedMax) {
    looked_.emplace_back().index = looked_count_++;
    ++next_record_;
  }
  parallel_for_(looked_.size(),
                [&](size_t i) { Look(batch_->records(begin + static_cast<int>(i)), looked_[i]); });
}

void PairsBetweenStream::Look(const v1::Record& record, Looked& looked) const {
  looked.id = record.id();
  looked.rejected = CheckId(record.id());
  if (!looked.rejected.ok()) {
    looked.id.resize(std::min<size_t>(looked.id.size(), kExternalIdBytesMax));
    return;
  }
  const auto graph = ToGraph(record.graph(), engine().limits());
  if (!graph.ok()) {
    looked.rejected = Annotate(graph.status(), "graph.");
    return;
  }
  auto query = between_->QueryOf(*graph, record.molecule_scheme());
  if (!query.ok()) {
    looked.rejected = query.status();
    return;
  }
  looked.query = *std::move(query);
  auto page = NextPage(between_->snapshot(), *looked.query, InterruptOf(context_));
  looked.failed = page.status();
  if (page.ok()) {
    looked.page = *std::move(page);
  }
}

absl::StatusOr<size_t> PairsBetweenStream::TellFirst(size_t bytes_max, v1::PairsResponse& response) {
  Looked& first = looked_.front();
  KINDRED_RETURN_IF_ERROR(first.failed);
  size_t bytes = 0;
  if (!first.rejected.ok()) {
    v1::PairsResponse::Rejected& rejected = *response.add_rejected();
    rejected.set_index(first.index);
    rejected.set_id(first.id);
    rejected.set_code(static_cast<int>(first.rejected.code()));
    rejected.set_message(std::string(first.rejected.message()));
    bytes = rejected.ByteSizeLong();
  }
  for (; first.told < first.page.hits.size() && bytes < bytes_max; ++first.told) {
    const Hit& hit = first.page.hits[first.told];
    v1::PairsResponse::Pair& pair = *response.add_pairs();
    pair.set_a(first.id);
    pair.set_b(hit.id);
    pair.set_kernel(hit.kernel);
    pair.set_similarity(hit.similarity);
    bytes += first.id.size() + hit.id.size() + kBetweenPairBytes;
    stats_.set_pairs(stats_.pairs() + 1);
  }
  if (first.told < first.page.hits.size()) {
    return bytes;
  }
  stats_.set_candidates(stats_.candidates() + first.page.candidates);
  if (first.page.last) {
    looked_.pop_front();
    ++told_count_;
  } else {
    KINDRED_ASSIGN_OR_RETURN(first.page, NextPage(between_->snapshot(), *first.query, InterruptOf(context_)));
    first.told = 0;
  }
  return bytes;
}

void PairsBetweenStream::FillProgress(v1::PairsResponse& response) const {
  response.set_graphs_done(told_count_);
  if (between_ != nullptr) {
    response.set_sequence(Raw(between_->snapshot().sequence));
  }
}

}  // namespace kindred::daemon
