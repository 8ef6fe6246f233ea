#include "client/ingest_stream.h"

#include <utility>

#include "client/connection.h"
#include "index/base/status.h"

namespace kindred::client {

absl::StatusOr<std::unique_ptr<IngestStream>> IngestStream::Open(std::shared_ptr<Connection> connection,
                                                                 const IngestOptions& options,
                                                                 std::chrono::milliseconds open_timeout,
                                                                 std::chrono::milliseconds stream_timeout,
                                                                 OnRejected on_rejected) {
  std::unique_ptr<IngestStream> stream(
      new IngestStream(std::move(connection), options, open_timeout, stream_timeout, std::move(on_rejected)));
  stream->thread_ = std::thread([self = stream.get()] { self->Run(); });
  KINDRED_RETURN_IF_ERROR(stream->WaitUntilOpened());
  return stream;
}

IngestStream::IngestStream(std::shared_ptr<Connection> connection, const IngestOptions& options,
                           std::chrono::milliseconds open_timeout, std::chrono::milliseconds stream_timeout,
                           OnRejected on_rejected)
    : connection_(std::move(connection)),
      options_(options),
      open_timeout_(open_timeout),
      deadline_(Clock::now() + stream_timeout),
      on_rejected_(std::move(on_rejected)),
      frames_(options.frame_items_max, options.frame_bytes_max) {}

IngestStream::~IngestStream() {
  if (thread_.joinable()) {
    Cancel();
    thread_.join();
  }
}

absl::Status IngestStream::WaitUntilOpened() {
  std::unique_lock lock(mutex_);
  const bool decided =
      caller_wake_.wait_for(lock, open_timeout_, [this] { return opened_ || end_.has_value(); });
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

absl::Status IngestStream::Send(const v1::Record& record, Position position) {
  return SendEncoded(record.SerializeAsString(), position);
}

absl::Status IngestStream::SendEncoded(std::string record, Position position) {
  return Add(FrameQueue::Kind::kPut, record, position, std::nullopt).status();
}

absl::StatusOr<bool> IngestStream::TrySend(std::string& record, Position position,
                                           std::chrono::milliseconds patience) {
  return Add(FrameQueue::Kind::kPut, record, position, patience);
}

absl::Status IngestStream::Delete(std::string id, Position position) {
  return Add(FrameQueue::Kind::kDelete, id, position, std::nullopt).status();
}

absl::StatusOr<bool> IngestStream::Add(FrameQueue::Kind kind, std::string& bytes, Position position,
                                       std::optional<std::chrono::milliseconds> patience) {
  if (bytes.size() > options_.record_bytes_max) {
    v1::Record record;  // Read for its id, as far as it is one.
    record.ParseFromString(bytes);
    Reject(kind == FrameQueue::Kind::kPut ? record.id() : bytes,
           OverLimit("bytes of the record", bytes.size(), "record_bytes_max", options_.record_bytes_max),
           position);
    return true;
  }
  std::unique_lock lock(mutex_);
  const auto can_go_on = [this, &bytes] {
    return end_.has_value() || frames_.bytes() == 0 ||
           frames_.bytes() + bytes.size() <= options_.in_flight_bytes_max;
  };
  if (!can_go_on()) {
    caller_blocked_ = true;  // Nothing more will come to fill the last frame: let it go.
    sender_wake_.notify_one();
    if (patience.has_value()) {
      caller_wake_.wait_for(lock, *patience, can_go_on);
    } else {
      caller_wake_.wait(lock, can_go_on);
    }
    caller_blocked_ = false;
  }
  if (end_.has_value()) {
    return end_->ok() ? absl::AbortedError("the daemon ended the stream") : *end_;
  }
  if (finishing_) {
    return absl::FailedPreconditionError("the stream is finished");
  }
  if (!can_go_on()) {
    return false;
  }
  const bool is_new = frames_.Add(kind, std::move(bytes), position);
  ++summary_.sent;
  if (is_new || NextIsDue()) {
    sender_wake_.notify_one();
  }
  return true;
}

void IngestStream::Reject(std::string id, absl::Status status, Position position) {
  {
    const std::scoped_lock lock(mutex_);
    ++summary_.sent;
    ++summary_.rejected;
  }
  on_rejected_(Rejection{std::move(id), std::move(status), position});
}

uint64_t IngestStream::Flush() {
  const std::scoped_lock lock(mutex_);
  sender_wake_.notify_one();
  return frames_.Close();
}

void IngestStream::Close() {
  {
    const std::scoped_lock lock(mutex_);
    finishing_ = true;
  }
  sender_wake_.notify_one();
}

bool IngestStream::WaitUntilEnded(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return caller_wake_.wait_for(lock, patience, [this] { return end_.has_value(); });
}

absl::StatusOr<IngestSummary> IngestStream::Finish() {
  if (!thread_.joinable()) {
    return absl::FailedPreconditionError("the stream is finished");
  }
  Close();
  thread_.join();
  const std::scoped_lock lock(mutex_);
  KINDRED_RETURN_IF_ERROR(*end_);
  if (frames_.size() > 0) {
    return MakeStatus(absl::StatusCode::kAborted,
                      "the daemon ended the stream with {} frames not acknowledged", frames_.size());
  }
  return summary_;
}

IngestSummary IngestStream::summary() const {
  const std::scoped_lock lock(mutex_);
  return summary_;
}

}  // namespace kindred::client
