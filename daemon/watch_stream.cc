#include "daemon/watch_stream.h"

#include <utility>

#include "daemon/errors.h"
#include "daemon/interrupts.h"
#include "daemon/refusal.h"

namespace kindred::daemon {

WatchStream* WatchStream::Start(Serving& serving, grpc::CallbackServerContext& context,
                                const grpc::ByteBuffer* bytes) {
  const std::shared_ptr<WatchStream> stream(new WatchStream(serving, context, bytes));
  stream->self_ = stream;
  stream->Begin();
  return stream.get();
}

void WatchStream::Begin() {
  auto admission = serving_.Admit(context_);
  if (!admission.ok()) {
    state_ = State::kFinished;
    FinishRefused(serving_.timer(), this, admission.status());
    return;
  }
  admission_ = *std::move(admission);
  Engine& engine = *admission_.engine;
  const std::weak_ptr<WatchStream> weak = weak_from_this();
  commit_handle_ = engine.commits().Add([weak] {
    if (const auto stream = weak.lock()) {
      stream->Wake();
    }
  });
  drain_handle_ = serving_.OnDrain([weak] {
    if (const auto stream = weak.lock()) {
      stream->End(absl::UnavailableError("kindredd is stopping"));
    }
  });
  FinishUnlessOk(
      bytes_.Hand(serving_, engine.limits(), [self = shared_from_this()] { self->ReadRequest(); }));
}

void WatchStream::ReadRequest() {
  Engine& engine = *admission_.engine;
  v1::WatchRequest request;
  absl::Status status = bytes_.Parse(serving_, engine.limits(), request);
  if (status.ok()) {
    messages_ = std::make_unique<WatchMessages>(engine, std::move(request), serving_.incarnation());
    if (!engine.executor().TrySubmit([self = shared_from_this()] { self->Step(); })) {
      status = QueueFull(engine.limits());
    }
  }
  FinishUnlessOk(std::move(status));
}

void WatchStream::FinishUnlessOk(absl::Status status) {
  if (!status.ok()) {
    std::unique_lock lock(mutex_);
    end_ = std::move(status);
    FinishWith(lock);
  }
}

void WatchStream::SubmitStep() {
  admission_.engine->executor().Submit([self = shared_from_this()] { self->Step(); });
}

bool WatchStream::BeginStep() {
  const std::scoped_lock lock(mutex_);
  woken_ = false;
  return !end_;
}

void WatchStream::Step() {
  absl::StatusOr<bool> made = false;
  bool goes_on = false;
  if (BeginStep()) {
    made = OrOutOfMemory([this] { return messages_->Step(message_, InterruptOf(context_)); });
    goes_on = made.ok() && !*made && messages_->has_work();
    if (made.ok() && !*made && !goes_on) {
      SetAlarm();
    }
  }
  std::unique_lock lock(mutex_);
  if (!made.ok() && !end_) {
    end_ = made.status();
  }
  if (end_) {
    FinishWith(lock);
  } else if (*made) {
    state_ = State::kWriting;
    lock.unlock();
    bytes_.Release();  // With the first message the request is prepared, and gone.
    SerializeMessage(message_, bytes_written_);
    StartWrite(&bytes_written_);
  } else if (goes_on || woken_) {
    lock.unlock();
    SubmitStep();
  } else {
    state_ = State::kWaiting;
  }
}

// An alarm that is late, or that nobody needs any more, wakes the stream for nothing.
void WatchStream::SetAlarm() {
  const auto next = messages_->next_message();
  if (!next || next == alarm_at_) {
    return;
  }
  alarm_at_ = next;
  alarm_ = serving_.timer().At(*next, [weak = weak_from_this()] {
    if (const auto stream = weak.lock()) {
      stream->Wake();
    }
  });
}

void WatchStream::Wake() {
  {
    const std::scoped_lock lock(mutex_);
    woken_ = true;
    if (state_ != State::kWaiting) {
      return;
    }
    state_ = State::kWorking;
  }
  SubmitStep();
}

void WatchStream::End(absl::Status status) {
  std::unique_lock lock(mutex_);
  if (!end_) {
    end_ = std::move(status);
  }
  if (state_ == State::kWaiting) {
    FinishWith(lock);
  }
}

void WatchStream::FinishWith(std::unique_lock<std::mutex>& lock) {
  const auto self = shared_from_this();  // OnDone may come as soon as Finish is called.
  state_ = State::kFinished;
  const grpc::Status status = ToGrpc(*end_);
  lock.unlock();
  Finish(status);
}

void WatchStream::OnWriteDone(bool ok) {
  std::unique_lock lock(mutex_);
  if (!ok && !end_) {
    end_ = absl::CancelledError("the client went away");
  }
  if (end_) {
    FinishWith(lock);
    return;
  }
  state_ = State::kWorking;
  lock.unlock();
  SubmitStep();
}

void WatchStream::OnCancel() { End(absl::CancelledError("the client went away")); }

// The queries may take a while to be freed: not here, on a thread of gRPC's.
void WatchStream::OnDone() {
  drain_handle_.reset();
  commit_handle_.reset();
  alarm_.reset();
  if (admission_.engine == nullptr) {
    self_.reset();
    return;
  }
  Executor& executor = admission_.engine->executor();
  executor.Submit([self = std::move(self_)] {});
}

}  // namespace kindred::daemon
