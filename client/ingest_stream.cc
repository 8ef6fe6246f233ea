#include "client/ingest_stream.h"

#include <algorithm>
#include <utility>

#include "client/connection.h"
#include "client/grpc_status.h"
#include "index/base/status.h"

namespace kindred::client {

using Clock = std::chrono::steady_clock;

struct IngestStream::Call {
  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReaderWriter<v1::IngestRequest, v1::IngestResponse>> stream;
};

absl::StatusOr<std::unique_ptr<IngestStream>> IngestStream::Open(std::shared_ptr<Connection> connection,
                                                                 const IngestOptions& options,
                                                                 std::chrono::milliseconds open_timeout,
                                                                 std::chrono::milliseconds stream_timeout,
                                                                 OnRejected on_rejected) {
  std::unique_ptr<IngestStream> stream(
      new IngestStream(std::move(connection), options, std::move(on_rejected)));
  Call& call = *stream->call_;
  call.context.set_deadline(std::chrono::system_clock::now() + stream_timeout);
  // Without this the next line would wait for the connection, and open_timeout would not hold.
  call.context.set_initial_metadata_corked(true);
  call.stream = stream->connection_->stub->Ingest(&call.context);
  stream->sender_ = std::thread([self = stream.get()] { self->SendFrames(); });
  stream->reader_ = std::thread([self = stream.get()] { self->ReadResponses(); });
  KINDRED_RETURN_IF_ERROR(stream->WaitUntilOpened(open_timeout));
  return stream;
}

IngestStream::IngestStream(std::shared_ptr<Connection> connection, const IngestOptions& options,
                           OnRejected on_rejected)
    : connection_(std::move(connection)),
      options_(options),
      on_rejected_(std::move(on_rejected)),
      call_(std::make_unique<Call>()) {}

IngestStream::~IngestStream() {
  if (reader_.joinable()) {
    Cancel();
    reader_.join();
  }
}

absl::Status IngestStream::WaitUntilOpened(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  const bool decided = caller_wake_.wait_for(lock, timeout, [this] { return opened_ || end_.has_value(); });
  if (opened_) {
    return absl::OkStatus();
  }
  if (decided) {
    return end_->ok() ? absl::InternalError("the daemon ended the stream before it opened it") : *end_;
  }
  if (connection_->channel->GetState(false) != GRPC_CHANNEL_READY) {
    return absl::UnavailableError("failed to connect within the time limit");
  }
  return absl::DeadlineExceededError("the daemon did not open the stream within the time limit");
}

absl::Status IngestStream::Send(v1::Record record, Position position) {
  v1::IngestItem item;
  *item.mutable_put() = std::move(record);
  return Add(std::move(item), position);
}

absl::Status IngestStream::Delete(std::string id, Position position) {
  v1::IngestItem item;
  item.set_delete_id(std::move(id));
  return Add(std::move(item), position);
}

absl::Status IngestStream::Add(v1::IngestItem item, Position position) {
  const size_t bytes = item.ByteSizeLong();
  if (bytes > options_.record_bytes_max) {
    Reject(item.has_put() ? item.put().id() : item.delete_id(),
           OverLimit("bytes of the record", bytes, "record_bytes_max", options_.record_bytes_max), position);
    return absl::OkStatus();
  }
  std::unique_lock lock(mutex_);
  const auto can_go_on = [this, bytes] {
    return end_.has_value() || in_flight_bytes_ == 0 ||
           in_flight_bytes_ + bytes <= options_.in_flight_bytes_max;
  };
  if (!can_go_on()) {
    caller_blocked_ = true;  // Nothing more will come to fill the last frame: let it go.
    sender_wake_.notify_one();
    caller_wake_.wait(lock, can_go_on);
    caller_blocked_ = false;
  }
  if (end_.has_value()) {
    return end_->ok() ? absl::AbortedError("the daemon ended the stream") : *end_;
  }
  if (finishing_) {
    return absl::FailedPreconditionError("the stream is finished");
  }
  const bool is_new = queued_.empty() || queued_.back().positions.size() >= options_.frame_items_max ||
                      queued_.back().bytes + bytes > options_.frame_bytes_max;
  if (is_new) {
    queued_.emplace_back().begun = Clock::now();
  }
  Frame& frame = queued_.back();
  *frame.request.mutable_frame()->add_items() = std::move(item);
  frame.positions.push_back(position);
  frame.bytes += bytes;
  in_flight_bytes_ += bytes;
  ++summary_.sent;
  if (is_new || FrontIsDue()) {
    sender_wake_.notify_one();
  }
  return absl::OkStatus();
}

void IngestStream::Reject(std::string id, absl::Status status, Position position) {
  {
    const std::scoped_lock lock(mutex_);
    ++summary_.sent;
    ++summary_.rejected;
  }
  on_rejected_(Rejection{std::move(id), std::move(status), position});
}

absl::StatusOr<IngestSummary> IngestStream::Finish() {
  {
    const std::scoped_lock lock(mutex_);
    if (finishing_) {
      return absl::FailedPreconditionError("the stream is finished");
    }
    finishing_ = true;
  }
  sender_wake_.notify_one();
  reader_.join();
  const std::scoped_lock lock(mutex_);
  KINDRED_RETURN_IF_ERROR(*end_);
  if (!queued_.empty() || sent_.size() > 0) {
    return MakeStatus(absl::StatusCode::kAborted,
                      "the daemon ended the stream with {} frames not acknowledged",
                      queued_.size() + sent_.size());
  }
  return summary_;
}

IngestSummary IngestStream::summary() const {
  const std::scoped_lock lock(mutex_);
  return summary_;
}

void IngestStream::Cancel() { call_->context.TryCancel(); }

bool IngestStream::FrontIsDue() const {
  return !queued_.empty() && (queued_.size() > 1 || finishing_ || caller_blocked_ ||
                              queued_.front().positions.size() >= options_.frame_items_max ||
                              queued_.front().bytes >= options_.frame_bytes_max);
}

void IngestStream::SendFrames() {
  v1::IngestRequest open;
  open.mutable_open()->set_client_id(options_.client_id);
  open.mutable_open()->set_mode(options_.mode);
  if (!call_->stream->Write(open)) {
    return;
  }
  std::unique_lock lock(mutex_);
  while (true) {
    sender_wake_.wait(lock, [this] { return reads_ended_ || (opened_ && (finishing_ || !queued_.empty())); });
    if (!reads_ended_ && !queued_.empty()) {
      sender_wake_.wait_until(lock, queued_.front().begun + options_.flush_after,
                              [this] { return reads_ended_ || FrontIsDue(); });
    }
    if (reads_ended_) {
      return;
    }
    if (queued_.empty()) {
      break;
    }
    Frame frame = std::move(queued_.front());
    queued_.pop_front();
    frame.request.mutable_frame()->set_client_sequence(sent_.Add(std::move(frame.positions), frame.bytes));
    lock.unlock();
    if (!call_->stream->Write(frame.request)) {
      return;  // The reader learns why.
    }
    lock.lock();
  }
  lock.unlock();
  call_->stream->WritesDone();
}

void IngestStream::ReadResponses() {
  absl::Status broken;  // The daemon's answer made no sense.
  v1::IngestResponse response;
  while (broken.ok() && call_->stream->Read(&response)) {
    broken = HandleResponse(response);
  }
  if (!broken.ok()) {
    Cancel();
  }
  {
    const std::scoped_lock lock(mutex_);
    reads_ended_ = true;
  }
  sender_wake_.notify_one();
  sender_.join();  // A Write that is under way fails, since the call is over.
  const absl::Status end = FromGrpc(call_->stream->Finish());
  {
    const std::scoped_lock lock(mutex_);
    end_ = broken.ok() ? end : broken;
  }
  caller_wake_.notify_all();
}

absl::Status IngestStream::HandleResponse(const v1::IngestResponse& response) {
  if (response.has_ack()) {
    return HandleAck(response.ack());
  }
  if (!response.has_opened()) {
    return absl::InternalError("the daemon sent an answer this client does not know");
  }
  {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(opened_, true)) {
      return absl::InternalError("the daemon opened the stream twice");
    }
    sent_.StartAt(response.opened().durable_client_sequence() + 1);
  }
  caller_wake_.notify_all();
  sender_wake_.notify_one();
  return absl::OkStatus();
}

absl::Status IngestStream::HandleAck(const v1::IngestAck& ack) {
  SentFrames::Settled settled;
  {
    const std::scoped_lock lock(mutex_);
    KINDRED_ASSIGN_OR_RETURN(settled, sent_.Settle(ack));
    in_flight_bytes_ -= settled.bytes;
    summary_.inserted += ack.inserted();
    summary_.replaced += ack.replaced();
    summary_.deleted += ack.deleted();
    summary_.rejected += settled.rejections.size();
    summary_.sequence = std::max(summary_.sequence, ack.sequence());
  }
  caller_wake_.notify_all();
  for (const Rejection& rejection : settled.rejections) {
    on_rejected_(rejection);
  }
  return absl::OkStatus();
}

}  // namespace kindred::client
