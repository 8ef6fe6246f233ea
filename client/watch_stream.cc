#include "client/watch_stream.h"

#include <algorithm>
#include <utility>

#include "client/connection.h"
#include "client/watch_call.h"
#include "index/base/status.h"

namespace kindred::client {
absl::StatusOr<std::unique_ptr<WatchStream>> WatchStream::Open(std::shared_ptr<Connection> connection,
                                                               v1::WatchRequest request, WatchOptions options,
                                                               std::chrono::milliseconds open_timeout,
                                                               std::chrono::milliseconds stream_timeout) {
  std::unique_ptr<WatchStream> watch(new WatchStream(std::move(connection), std::move(request),
                                                     std::move(options), open_timeout, stream_timeout));
  watch->StartCall();
  while (!watch->first_.has_value()) {
    KINDRED_ASSIGN_OR_RETURN(watch->first_, watch->ReadCall(watch->open_by_));
  }
  return watch;
}

WatchStream::WatchStream(std::shared_ptr<Connection> connection, v1::WatchRequest request,
                         WatchOptions options, std::chrono::milliseconds open_timeout,
                         std::chrono::milliseconds stream_timeout)
    : connection_(std::move(connection)),
      request_(std::move(request)),
      options_(std::move(options)),
      open_timeout_(open_timeout),
      deadline_(Clock::now() + stream_timeout) {
  for (int place = 0; place < request_.queries_size(); ++place) {
    places_.emplace(request_.queries(place).name(), place);
  }
}

WatchStream::~WatchStream() = default;

WatchStream::Message WatchStream::Next(std::chrono::milliseconds patience) {
  if (first_.has_value()) {
    return std::exchange(first_, std::nullopt);
  }
  if (end_.ok()) {
    Message message = Read(Clock::now() + patience);
    end_ = message.status();
    return message;
  }
  return end_;
}

WatchStream::Message WatchStream::Read(Clock::time_point until) {
  while (true) {
    if (call_ == nullptr) {
      KINDRED_RETURN_IF_ERROR(WaitUntil(std::min(until, next_attempt_)));
      if (Clock::now() < next_attempt_) {
        return std::nullopt;
      }
      StartCall();
    }
    Message message = ReadCall(until);
    if (message.ok()) {
      return message;
    }
    KINDRED_RETURN_IF_ERROR(PlanAnother(message.status()));
  }
}

WatchStream::Message WatchStream::ReadCall(Clock::time_point until) {
  Message message = call_->Read(opened_ ? until : std::min(until, open_by_));
  {
    const std::scoped_lock lock(mutex_);
    if (cancelled_) {
      return absl::CancelledError("the watch was cancelled");
    }
  }
  if (!message.ok()) {
    return message.status();
  }
  if (message->has_value()) {
    return Accept(**std::move(message));
  }
  if (!opened_ && Clock::now() >= open_by_) {
    return absl::UnavailableError(connection_->channel->GetState(false) == GRPC_CHANNEL_READY
                                      ? "the daemon did not begin to watch within the time limit"
                                      : "failed to connect within the time limit");
  }
  return std::nullopt;
}

void WatchStream::StartCall() {
  const Clock::time_point now = Clock::now();
  if (position_.has_value()) {
    request_.set_after_sequence(*position_);
  }
  opened_ = false;
  open_by_ = now + open_timeout_;
  auto call = std::make_shared<WatchCall>(*connection_, request_, deadline_);
  const std::scoped_lock lock(mutex_);
  call_ = std::move(call);
}

void WatchStream::DropCall() {
  std::shared_ptr<WatchCall> call;
  const std::scoped_lock lock(mutex_);
  call_.swap(call);
}

absl::Status WatchStream::PlanAnother(const absl::Status& end) {
  if (!absl::IsUnavailable(end) || !position_.has_value() || options_.reconnect_for.count() == 0) {
    return end;
  }
  DropCall();
  if (!outage_.has_value()) {
    outage_.emplace(options_.reconnect_for);
  }
  const std::optional<Clock::time_point> next_attempt = outage_->Next();
  if (!next_attempt.has_value()) {
    return MakeStatus(absl::StatusCode::kUnavailable,
                      "the connection was lost, and not to be had again within {} ms, in {} attempts: {}",
                      options_.reconnect_for.count(), outage_->attempts(), std::string(end.message()));
  }
  next_attempt_ = *next_attempt;
  if (options_.on_connection != nullptr) {
    options_.on_connection({outage_->attempts(), *position_, end});
  }
  return absl::OkStatus();
}

v1::WatchResponse WatchStream::Accept(v1::WatchResponse message) {
  opened_ = true;
  auto& matches = *message.mutable_matches();
  const auto place = [&](const v1::WatchResponse::Match& match) {
    const auto found = places_.find(match.query());
    return std::pair(match.sequence(), found == places_.end() ? 0 : found->second);
  };
  // The matches of one commit may come in several messages; after a loss in between, the first come again.
  const auto is_new = std::find_if(matches.begin(), matches.end(), [&](const auto& match) {
    return !position_.has_value() || last_match_ < place(match);
  });
  matches.erase(matches.begin(), is_new);
  if (!matches.empty()) {
    last_match_ = place(*matches.rbegin());
  }
  position_ = message.sequence();
  if (outage_.has_value()) {
    outage_.reset();
    if (options_.on_connection != nullptr) {
      options_.on_connection({0, *position_, absl::OkStatus()});
    }
  }
  return message;
}

absl::Status WatchStream::WaitUntil(Clock::time_point until) {
  std::unique_lock lock(mutex_);
  return woken_.wait_until(lock, until, [this] { return cancelled_; })
             ? absl::CancelledError("the watch was cancelled")
             : absl::OkStatus();
}

void WatchStream::Cancel() {
  std::shared_ptr<WatchCall> call;
  {
    const std::scoped_lock lock(mutex_);
    cancelled_ = true;
    call = call_;
  }
  woken_.notify_all();
  if (call != nullptr) {
    call->Cancel();
  }
}

}  // namespace kindred::client
