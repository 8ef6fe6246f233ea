#include "client/watch_call.h"

#include <utility>

#include "client/grpc_time.h"

namespace kindred::client {

WatchCall::WatchCall(Connection& connection, const v1::WatchRequest& request,
                     std::chrono::steady_clock::time_point deadline)
    : connection_(connection) {
  context_.set_deadline(DeadlineAt(deadline));
  connection.stub->async()->Watch(&context_, &request, this);
  AddHold();
  StartRead(&message_);
  StartCall();
}

WatchCall::~WatchCall() {
  Cancel();
  std::unique_lock lock(mutex_);
  ending_ = true;
  if (TakeHold(!reading_)) {
    lock.unlock();
    RemoveHold();
    lock.lock();
  }
  changed_.wait(lock, [this] { return done_.has_value(); });
}

bool WatchCall::TakeHold(bool last_read) { return last_read && std::exchange(held_, false); }

absl::StatusOr<std::optional<v1::WatchResponse>> WatchCall::Read(
    std::chrono::steady_clock::time_point until) {
  v1::WatchResponse message;
  {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, until, [this] { return has_message_ || done_.has_value(); });
    if (!has_message_) {
      if (!done_.has_value()) {
        return std::nullopt;
      }
      return done_->ok() ? absl::InternalError("the daemon ended the watch") : StatusOf(connection_, *done_);
    }
    message = std::exchange(message_, {});
    has_message_ = false;
    reading_ = true;
  }
  StartRead(&message_);
  return message;
}

void WatchCall::OnReadDone(bool ok) {
  std::unique_lock lock(mutex_);
  reading_ = false;
  has_message_ = ok;
  changed_.notify_all();
  if (TakeHold(!ok || ending_)) {
    lock.unlock();
    RemoveHold();  // This may be gone by now.
  }
}

void WatchCall::OnDone(const grpc::Status& status) {
  const std::scoped_lock lock(mutex_);
  done_ = status;
  changed_.notify_all();  // Under the lock: whoever waits may destroy this.
}

}  // namespace kindred::client
