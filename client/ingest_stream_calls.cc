// The threads of an IngestStream: its calls to the daemon, one after another.

#include <algorithm>
#include <utility>

#include "client/connection.h"
#include "client/grpc_status.h"
#include "client/grpc_time.h"
#include "client/ingest_stream.h"
#include "index/base/status.h"

namespace kindred::client {
namespace {

// Items of frames that had been applied before, so that this answer does not tell of them.
uint64_t Unreported(const v1::IngestAck& ack, const FrameQueue::Settled& settled) {
  const uint64_t reported =
      ack.inserted() + ack.replaced() + ack.deleted() + settled.rejections.size() + settled.not_novel.size();
  return ack.repeated_frames() > 0 && settled.items > reported ? settled.items - reported : 0;
}

}  // namespace

struct IngestStream::Call {
  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReaderWriter<v1::IngestRequest, v1::IngestResponse>> stream;
  Clock::time_point open_by;

  // Guarded by the stream's mutex.
  bool opened = false;
  bool opens_too_late = false;
  bool reads_ended = false;
};

void IngestStream::Run() {
  absl::Status end = RunCall();
  while (IsWorthAnother(end)) {
    if (absl::Status waited = WaitToReconnect(end); !waited.ok()) {
      end = std::move(waited);
      break;
    }
    end = RunCall();
  }
  {
    const std::scoped_lock lock(mutex_);
    // A daemon that goes away once everything is durable takes nothing with it.
    end_ = IsComplete() && absl::IsUnavailable(end) ? absl::OkStatus() : end;
  }
  caller_wake_.notify_all();
}

absl::Status IngestStream::RunCall() {
  const std::shared_ptr<Call> call = NewCall();
  std::thread sender([this, &call] { SendFrames(*call); });
  absl::Status broken;  // The daemon's answer made no sense.
  v1::IngestResponse response;
  while (broken.ok() && call->stream->Read(&response)) {
    broken = HandleResponse(*call, response);
  }
  if (!broken.ok()) {
    call->context.TryCancel();
  }
  {
    const std::scoped_lock lock(mutex_);
    call->reads_ended = true;
  }
  sender_wake_.notify_one();
  sender.join();  // A Write that is under way fails, since the call is over.
  const absl::Status end = FromGrpc(call->stream->Finish());
  KINDRED_RETURN_IF_ERROR(broken);
  const std::scoped_lock lock(mutex_);
  if (cancelled_ && !end.ok()) {
    return absl::CancelledError("the stream was cancelled");
  }
  return call->opens_too_late
             ? absl::UnavailableError("the daemon did not open the stream within the time limit")
             : end;
}

std::shared_ptr<IngestStream::Call> IngestStream::NewCall() {
  auto call = std::make_shared<Call>();
  const Clock::time_point now = Clock::now();
  // The caller of Open waits for the first call, and ends it when that takes too long.
  call->open_by = outage_.has_value() ? std::min(outage_->give_up(), now + open_timeout_) : deadline_;
  call->context.set_deadline(DeadlineAt(deadline_));
  // Without this the next line would wait for the connection, and open_timeout would not hold.
  call->context.set_initial_metadata_corked(true);
  call->stream = connection_->stub->Ingest(&call->context);
  const std::scoped_lock lock(mutex_);
  call_ = call;
  if (cancelled_) {
    call->context.TryCancel();
  }
  return call;
}

bool IngestStream::IsComplete() const { return finishing_ && frames_.size() == 0; }

bool IngestStream::IsWorthAnother(const absl::Status& end) const {
  const std::scoped_lock lock(mutex_);
  return absl::IsUnavailable(end) && opened_ && !IsComplete() && !options_.client_id.empty() &&
         options_.reconnect_for.count() > 0;
}

absl::Status IngestStream::WaitToReconnect(const absl::Status& lost) {
  if (!outage_.has_value()) {
    outage_.emplace(options_.reconnect_for);
  }
  const std::optional<Clock::time_point> next_attempt = outage_->Next();
  if (!next_attempt.has_value()) {
    return MakeStatus(absl::StatusCode::kUnavailable,
                      "the connection was lost, and not to be had again within {} ms, in {} attempts: {}",
                      options_.reconnect_for.count(), outage_->attempts(), std::string(lost.message()));
  }
  Tell(ConnectionChange{outage_->attempts(), 0, lost});
  std::unique_lock lock(mutex_);
  return sender_wake_.wait_until(lock, *next_attempt, [this] { return cancelled_; })
             ? absl::CancelledError("the stream was cancelled")
             : absl::OkStatus();
}

void IngestStream::Tell(const ConnectionChange& change) const {
  if (options_.on_connection != nullptr) {
    options_.on_connection(change);
  }
}

void IngestStream::Cancel() {
  std::shared_ptr<Call> call;
  {
    const std::scoped_lock lock(mutex_);
    cancelled_ = true;
    call = call_;
  }
  sender_wake_.notify_one();
  if (call != nullptr) {
    call->context.TryCancel();
  }
}

absl::Status IngestStream::HandleResponse(Call& call, const v1::IngestResponse& response) {
  if (response.has_ack()) {
    return HandleAck(response.ack());
  }
  if (response.has_opened()) {
    return HandleOpened(call, response.opened());
  }
  return absl::InternalError("the daemon sent an answer this client does not know");
}

absl::Status IngestStream::HandleOpened(Call& call, const v1::IngestOpened& opened) {
  const uint64_t durable = opened.durable_client_sequence();
  bool is_over = false;  // A frame got through, or there is none.
  {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(call.opened, true)) {
      return absl::InternalError("the daemon opened the stream twice");
    }
    if (std::exchange(opened_, true)) {
      KINDRED_ASSIGN_OR_RETURN(const FrameQueue::Settled settled, frames_.Resume(durable));
      summary_.unreported += settled.items;
      is_over = settled.frames > 0 || frames_.size() == 0;
    } else {
      frames_.StartAfter(durable);
    }
    summary_.durable_frame = durable;
  }
  caller_wake_.notify_all();
  sender_wake_.notify_one();
  if (outage_.has_value()) {
    Tell(ConnectionChange{0, durable, absl::OkStatus()});
  }
  if (is_over) {
    outage_.reset();
  }
  return absl::OkStatus();
}

absl::Status IngestStream::HandleAck(const v1::IngestAck& ack) {
  FrameQueue::Settled settled;
  {
    const std::scoped_lock lock(mutex_);
    KINDRED_ASSIGN_OR_RETURN(settled, frames_.Settle(ack));
    summary_.inserted += ack.inserted();
    summary_.replaced += ack.replaced();
    summary_.deleted += ack.deleted();
    summary_.rejected += settled.rejections.size();
    summary_.not_novel += settled.not_novel.size();
    summary_.unreported += Unreported(ack, settled);
    summary_.sequence = std::max(summary_.sequence, ack.sequence());
    summary_.durable_frame = frames_.durable();
  }
  caller_wake_.notify_all();
  if (settled.frames > 0) {
    outage_.reset();
  }
  for (const Rejection& rejection : settled.rejections) {
    on_rejected_(rejection);
  }
  if (options_.on_not_novel != nullptr) {
    for (const NotNovel& not_novel : settled.not_novel) {
      options_.on_not_novel(not_novel);
    }
  }
  return absl::OkStatus();
}

v1::IngestRequest IngestStream::OpenRequest() const {
  v1::IngestRequest request;
  v1::IngestOpen& open = *request.mutable_open();
  open.set_client_id(options_.client_id);
  open.set_mode(options_.mode);
  if (options_.novelty.has_value()) {
    *open.mutable_novelty() = *options_.novelty;
  }
  const std::scoped_lock lock(mutex_);
  open.set_acknowledged_client_sequence(opened_ ? frames_.durable() : options_.acknowledged_frame);
  return request;
}

void IngestStream::SendFrames(Call& call) {
  if (!call.stream->Write(OpenRequest())) {
    return;
  }
  std::unique_lock lock(mutex_);
  if (!WaitForOpened(call, lock)) {
    return;
  }
  while (true) {
    sender_wake_.wait(lock, [&] { return call.reads_ended || finishing_ || frames_.HasNext(); });
    if (!call.reads_ended && frames_.HasNext()) {
      sender_wake_.wait_until(lock, frames_.NextBegun() + options_.flush_after,
                              [&] { return call.reads_ended || NextIsDue(); });
    }
    if (call.reads_ended) {
      return;
    }
    if (!frames_.HasNext()) {
      break;
    }
    const std::shared_ptr<const v1::IngestRequest> frame = frames_.TakeNext();
    lock.unlock();
    if (!call.stream->Write(*frame)) {
      return;  // The stream's thread learns why.
    }
    lock.lock();
  }
  lock.unlock();
  call.stream->WritesDone();
}

bool IngestStream::WaitForOpened(Call& call, std::unique_lock<std::mutex>& lock) {
  const bool decided =
      sender_wake_.wait_until(lock, call.open_by, [&] { return call.opened || call.reads_ended; });
  if (!decided) {
    call.opens_too_late = true;
    lock.unlock();
    call.context.TryCancel();
  }
  return decided;
}

bool IngestStream::NextIsDue() const {
  return frames_.HasNext() && (finishing_ || caller_blocked_ || frames_.NextIsClosed());
}

}  // namespace kindred::client
