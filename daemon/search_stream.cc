#include "daemon/search_stream.h"

#include <chrono>
#include <utility>

#include "daemon/convert.h"
#include "daemon/errors.h"
#include "daemon/unary_call.h"
#include "index/base/status.h"

namespace kindred::daemon {
namespace {

v1::SearchStreamResponse ToAnswer(uint64_t index, absl::StatusOr<v1::SearchResponse> response) {
  v1::SearchStreamResponse answer;
  answer.set_index(index);
  if (response.ok()) {
    *answer.mutable_response() = *std::move(response);
  } else {
    answer.mutable_error()->set_code(static_cast<int>(response.status().code()));
    answer.mutable_error()->set_message(std::string(response.status().message()));
  }
  return answer;
}

}  // namespace

absl::StatusOr<v1::SearchResponse> AnswerSearch(const Engine& engine, const v1::SearchRequest& request,
                                                const Interrupt& interrupt) {
  const auto start = std::chrono::steady_clock::now();
  KINDRED_ASSIGN_OR_RETURN(const SearchRequest search, ToSearchRequest(request, engine.limits()));
  KINDRED_ASSIGN_OR_RETURN(const SearchReply reply, engine.Search(search, interrupt));
  return ToProto(reply, std::chrono::steady_clock::now() - start);
}

SearchStream* SearchStream::Start(Serving& serving, grpc::CallbackServerContext& context) {
  std::shared_ptr<SearchStream> stream(new SearchStream(serving, context));
  stream->self_ = stream;
  stream->Begin();
  return stream.get();
}

void SearchStream::Begin() {
  auto admission = serving_.Admit();
  if (!admission.ok()) {
    finished_ = true;
    Finish(ToGrpc(admission.status()));
    return;
  }
  admission_ = *std::move(admission);
  engine_ = admission_.engine;
  drain_handle_ = serving_.OnDrain([weak = weak_from_this()] {
    if (const auto stream = weak.lock()) {
      stream->Stop(absl::UnavailableError("kindredd is stopping"));
    }
  });
  Advance();
}

void SearchStream::OnReadDone(bool ok) {
  {
    const std::scoped_lock lock(mutex_);
    reading_ = false;
    if (ok && !stop_reading_) {
      Accept(std::move(request_));
      request_ = {};
    }
  }
  if (!ok) {
    Stop(absl::OkStatus());  // The client has asked all it wanted to.
  }
  Advance();
}

void SearchStream::Accept(v1::SearchRequest request) {
  const uint64_t index = next_write_ + answers_.size();
  answers_.emplace_back();
  if (lanes_ < engine_->executor().threads() &&
      engine_->executor().TrySubmit([self = shared_from_this()] { self->RunLane(); })) {
    ++lanes_;
  }
  if (lanes_ > 0) {
    waiting_.push_back({index, std::move(request)});
  } else {
    answers_.back() = ToAnswer(index, QueueFull(engine_->limits()));
  }
}

void SearchStream::RunLane() {
  std::optional<Waiting> next;
  {
    const std::scoped_lock lock(mutex_);
    if (!waiting_.empty() && !gone()) {
      next = std::move(waiting_.front());
      waiting_.pop_front();
    }
  }
  std::optional<v1::SearchStreamResponse> answer;
  if (next.has_value()) {
    answer = ToAnswer(next->index, AnswerSearch(*engine_, next->request, InterruptOf(context_)));
  }
  bool more = false;
  {
    const std::scoped_lock lock(mutex_);
    if (answer.has_value()) {
      answers_[next->index - next_write_] = std::move(answer);
    }
    more = !waiting_.empty() && !gone();
    lanes_ -= more ? 0 : 1;
  }
  if (more) {
    engine_->executor().Submit([self = shared_from_this()] { self->RunLane(); });
  }
  Advance();
}

void SearchStream::OnWriteDone(bool ok) {
  {
    const std::scoped_lock lock(mutex_);
    writing_ = false;
  }
  if (!ok) {
    Stop(absl::CancelledError("the client went away"));
  }
  Advance();
}

void SearchStream::OnCancel() { Stop(absl::CancelledError("the client went away")); }

void SearchStream::OnDone() {
  drain_handle_.reset();
  self_.reset();  // May be the last.
}

void SearchStream::Stop(const absl::Status& status) {
  {
    const std::scoped_lock lock(mutex_);
    // A drain that comes after the last question is no reason to fail; a client that is gone always is one.
    if (!finished_ && (!stop_reading_ || absl::IsCancelled(status))) {
      final_status_ = status;
    }
    stop_reading_ = true;
  }
  Advance();
}

bool SearchStream::gone() const { return absl::IsCancelled(final_status_); }

SearchStream::Next SearchStream::Decide() {
  Next next;
  if (finished_) {
    return next;
  }
  if (!writing_ && !gone() && !answers_.empty() && answers_.front().has_value()) {
    response_ = *std::move(answers_.front());
    answers_.pop_front();
    ++next_write_;
    writing_ = true;
    next.write = true;
  }
  const size_t unanswered = answers_.size() + (writing_ ? 1 : 0);
  if (!stop_reading_ && !reading_ && unanswered < engine_->limits().search_stream_max) {
    reading_ = true;
    next.read = true;
  }
  // A read the client has not answered does not hold up the end: Finish ends it.
  if (stop_reading_ && lanes_ == 0 && !writing_ && (answers_.empty() || gone())) {
    finished_ = true;
    next.finish = true;
  }
  return next;
}

void SearchStream::Advance() {
  const auto self = shared_from_this();  // OnDone may come as soon as Finish is called.
  while (true) {
    Next next;
    {
      const std::scoped_lock lock(mutex_);
      if (advancing_) {
        return;
      }
      next = Decide();
      if (!next.write && !next.read && !next.finish) {
        return;
      }
      advancing_ = true;
    }
    if (next.write) {
      StartWrite(&response_);
    }
    if (next.read) {
      StartRead(&request_);
    }
    if (next.finish) {
      Finish(ToGrpc(final_status_));  // Written before finished_ was set, never after.
    }
    const std::scoped_lock lock(mutex_);
    advancing_ = false;
  }
}

}  // namespace kindred::daemon
