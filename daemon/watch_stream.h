// One Watch call: tells a client of graphs that are close to its queries, until it has enough.
//
// Course: one thing is under way at any time: a step of work on the executor, a message being written, or
// waiting for a commit or for the time of the next message of progress. A commit only wakes a stream that
// waits; a client that does not read keeps its stream writing, and costs one message and nothing else,
// however much is stored meanwhile. A drain, or a client that goes away, ends the call when the step or the
// message is done, and at once if it waits.
//
// Threads: gRPC's, the executor's, the writer's (which only wakes); `mutex_` guards the state.
// Invariants: (1) StartWrite and Finish are called outside the lock, by the one who changed the state to it;
//             (2) nothing blocks but steps, which run on the executor and are short.
// Lifetime: held by itself until OnDone, and by each step.

#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "absl/status/status.h"
#include "daemon/request_bytes.h"
#include "daemon/serving.h"
#include "daemon/timer.h"
#include "daemon/watch_messages.h"
#include "grpcpp/grpcpp.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

class WatchStream final : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                          public std::enable_shared_from_this<WatchStream> {
 public:
  // A stream that keeps itself alive until gRPC is done with it.
  static WatchStream* Start(Serving& serving, grpc::CallbackServerContext& context,
                            const grpc::ByteBuffer* bytes);

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  enum class State { kWorking, kWriting, kWaiting, kFinished };

  WatchStream(Serving& serving, grpc::CallbackServerContext& context, const grpc::ByteBuffer* bytes)
      : serving_(serving), context_(context), bytes_(bytes) {}

  void Begin();
  void ReadRequest();
  // Of what comes before the first step.
  void FinishUnlessOk(absl::Status status);
  void SubmitStep();
  void Step();
  // False when the call is to end.
  bool BeginStep();
  // Sees to it that a stream that waits is woken in time for its next message.
  void SetAlarm();
  void Wake();
  // Finishes, now or as soon as what is under way is done; the first status counts.
  void End(absl::Status status);
  void FinishWith(std::unique_lock<std::mutex>& lock);  // REQUIRES: lock held, and a status to finish with.

  Serving& serving_;
  grpc::CallbackServerContext& context_;
  std::shared_ptr<WatchStream> self_;
  Serving::Admission admission_;
  Serving::Handle drain_handle_;
  CommitListeners::Handle commit_handle_;

  // Of the request being read, the step that runs, or the message that is written.
  RequestBytes bytes_;
  std::unique_ptr<WatchMessages> messages_;
  v1::WatchResponse message_;
  grpc::ByteBuffer bytes_written_;
  Timer::Handle alarm_;
  std::optional<WatchMessages::Clock::time_point> alarm_at_;

  std::mutex mutex_;  // Guards all below.
  State state_ = State::kWorking;
  bool woken_ = false;               // Since the last step began.
  std::optional<absl::Status> end_;  // To finish with.
};

}  // namespace kindred::daemon
