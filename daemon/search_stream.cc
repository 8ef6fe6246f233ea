#include "daemon/search_stream.h"

#include <chrono>
#include <utility>

#include "daemon/convert.h"
#include "daemon/errors.h"
#include "daemon/interrupts.h"
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

absl::StatusOr<v1::SearchResponse> SearchIn(const Engine& engine, const v1::SearchRequest& request,
                                            const Interrupt& interrupt) {
  const auto start = std::chrono::steady_clock::now();
  KINDRED_ASSIGN_OR_RETURN(const SearchRequest search, ToSearchRequest(request, engine.limits()));
  KINDRED_ASSIGN_OR_RETURN(const SearchReply reply, engine.Search(search, interrupt));
  v1::SearchResponse response = ToProto(reply, std::chrono::steady_clock::now() - start);
  const uint64_t bytes = response.ByteSizeLong();
  if (search.fields != WantedFields::kNone && bytes > engine.limits().message_bytes_max) {
    return OverLimit("bytes of the answer", bytes, "message_bytes_max", engine.limits().message_bytes_max);
  }
  return response;
}

}  // namespace

absl::StatusOr<v1::SearchResponse> AnswerSearch(Monitor& monitor, const Engine& engine,
                                                const v1::SearchRequest& request,
                                                const grpc::CallbackServerContext& context) {
  const auto start = std::chrono::steady_clock::now();
  absl::StatusOr<v1::SearchResponse> answer =
      SearchIn(engine, request, SearchInterruptOf(context, engine.limits()));
  monitor.Count({request, engine.depth(), answer, std::chrono::steady_clock::now() - start, context});
  return answer;
}

SearchStream* SearchStream::Start(Serving& serving, grpc::CallbackServerContext& context) {
  const std::shared_ptr<SearchStream> stream(new SearchStream(serving, context));
  stream->Begin(context);
  return stream.get();
}

void SearchStream::Accept(v1::SearchRequest request) {
  const uint64_t index = next_write_ + answers_.size();
  answers_.emplace_back();
  auto lease = serving().requests().Take(request.SpaceUsedLong(), engine().limits());
  if (!lease.ok()) {
    answers_.back() = ToAnswer(index, lease.status());
    return;
  }
  if (lanes_ < engine().executor().threads() &&
      engine().executor().TrySubmit([this, self = shared_from_this()] { RunLane(); })) {
    ++lanes_;
  }
  if (lanes_ > 0) {
    waiting_.push_back({index, std::move(request), *std::move(lease)});
  } else {
    answers_.back() = ToAnswer(index, QueueFull(engine().limits()));
  }
}

void SearchStream::Refuse(const absl::Status& over_limit) {
  answers_.emplace_back(ToAnswer(next_write_ + answers_.size(), over_limit));
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
    answer = ToAnswer(next->index, OrOutOfMemory([&] {
                        return AnswerSearch(serving().monitor(), engine(), next->request, context_);
                      }));
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
    engine().executor().Submit([this, self = shared_from_this()] { RunLane(); });
  }
  Advance();
}

bool SearchStream::WantsRequest() const {
  const size_t unanswered = answers_.size() + (writing() ? 1 : 0);
  return unanswered < engine().limits().search_stream_max;
}

bool SearchStream::TakeResponse(v1::SearchStreamResponse& response) {
  if (answers_.empty() || !answers_.front().has_value()) {
    return false;
  }
  response = *std::move(answers_.front());
  answers_.pop_front();
  ++next_write_;
  return true;
}

bool SearchStream::Busy() const { return lanes_ > 0; }

}  // namespace kindred::daemon
