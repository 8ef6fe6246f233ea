#include "client/search_stream.h"

#include <algorithm>
#include <utility>

#include "client/connection.h"
#include "client/grpc_status.h"
#include "client/grpc_time.h"
#include "index/base/status.h"

namespace kindred::client {

struct SearchStream::Call {
  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReaderWriter<v1::SearchRequest, v1::SearchStreamResponse>> stream;
};

std::unique_ptr<SearchStream> SearchStream::Open(std::shared_ptr<Connection> connection,
                                                 const SearchStreamOptions& options,
                                                 std::chrono::milliseconds timeout) {
  std::unique_ptr<SearchStream> stream(new SearchStream(std::move(connection), options));
  Call& call = *stream->call_;
  call.context.set_deadline(DeadlineIn(timeout));
  call.stream = stream->connection_->stub->SearchStream(&call.context);
  stream->reader_ = std::thread([self = stream.get()] { self->ReadAnswers(); });
  return stream;
}

SearchStream::SearchStream(std::shared_ptr<Connection> connection, const SearchStreamOptions& options)
    : connection_(std::move(connection)), options_(options), call_(std::make_unique<Call>()) {}

SearchStream::~SearchStream() {
  if (reader_.joinable()) {
    Cancel();
    reader_.join();
  }
}

absl::Status SearchStream::Ask(const v1::SearchRequest& request, OnAnswer on_answer) {
  std::unique_lock lock(mutex_);
  if (finishing_) {
    return absl::FailedPreconditionError("the stream is finished");
  }
  const size_t room = std::max<size_t>(options_.in_flight_max, 1);
  changed_.wait(lock, [this, room] { return reads_ended_ || unanswered_.size() < room; });
  unanswered_.push_back(std::move(on_answer));
  return Send(lock, [this, &request] { return call_->stream->Write(request); }) ? absl::OkStatus()
                                                                                : WaitForEnd(lock);
}

absl::Status SearchStream::Settle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return reads_ended_ || unanswered_.empty(); });
  return reads_ended_ ? WaitForEnd(lock) : absl::OkStatus();
}

absl::Status SearchStream::Finish() {
  std::unique_lock lock(mutex_);
  if (std::exchange(finishing_, true)) {
    return absl::FailedPreconditionError("the stream is finished");
  }
  Send(lock, [this] { return call_->stream->WritesDone(); });
  lock.unlock();
  reader_.join();
  lock.lock();
  return *end_;
}

void SearchStream::Cancel() { call_->context.TryCancel(); }

bool SearchStream::Send(std::unique_lock<std::mutex>& lock, const std::function<bool()>& send) {
  if (reads_ended_) {
    return false;
  }
  sending_ = true;
  lock.unlock();
  const bool sent = send();
  lock.lock();
  sending_ = false;
  changed_.notify_all();
  return sent;
}

absl::Status SearchStream::WaitForEnd(std::unique_lock<std::mutex>& lock) {
  changed_.wait(lock, [this] { return end_.has_value(); });
  return end_->ok() ? absl::AbortedError("the daemon ended the stream") : *end_;
}

void SearchStream::ReadAnswers() {
  absl::Status broken;  // The daemon's answer made no sense, or its taker wants no more.
  while (broken.ok()) {
    v1::SearchStreamResponse answer;
    if (!call_->stream->Read(&answer)) {
      break;
    }
    broken = HandleAnswer(std::move(answer));
  }
  if (!broken.ok()) {
    Cancel();
  }
  {
    std::unique_lock lock(mutex_);
    reads_ended_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !sending_; });  // A Write under way fails, since the call is over.
  }
  const absl::Status end = StatusOf(*connection_, call_->stream->Finish());
  const std::scoped_lock lock(mutex_);
  if (!broken.ok() || !end.ok()) {
    end_ = broken.ok() ? end : broken;
  } else if (!unanswered_.empty()) {
    end_ = MakeStatus(absl::StatusCode::kAborted, "the daemon ended the stream with {} searches not answered",
                      unanswered_.size());
  } else {
    end_ = absl::OkStatus();
  }
  changed_.notify_all();
}

absl::Status SearchStream::HandleAnswer(v1::SearchStreamResponse answer) {
  OnAnswer on_answer;
  {
    const std::scoped_lock lock(mutex_);
    if (unanswered_.empty() || answer.index() != answered_ ||
        answer.result_case() == v1::SearchStreamResponse::RESULT_NOT_SET) {
      return absl::InternalError("the daemon sent an answer that fits no question");
    }
    on_answer = std::move(unanswered_.front());
  }
  const absl::Status status = answer.has_error() ? on_answer(FromError(answer.error()))
                                                 : on_answer(std::move(*answer.mutable_response()));
  if (!status.ok()) {
    return status;  // It stays unanswered: Settle must not find that all is well.
  }
  const std::scoped_lock lock(mutex_);
  unanswered_.pop_front();
  ++answered_;
  changed_.notify_all();
  return absl::OkStatus();
}

}  // namespace kindred::client
