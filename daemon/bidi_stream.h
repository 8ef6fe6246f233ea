// What calls with messages both ways have in common: being let in, when to read, to write and to finish.
//
// Course: requests are read while the stream wants them, responses written while it has any. When the client
// has sent its last, when the stream fails, when the daemon drains or the client goes away, nothing more is
// read; the call finishes once nothing is under way and every response is written, or, for a client that is
// gone, once nothing is under way. A request that came becomes a message where its size says
// (request_bytes.h), and no further one is read meanwhile.
//
// Threads: gRPC's and those that work for the stream; `mutex_` guards all state, the derived class's too.
//          Whoever changed the state calls Advance(), which makes the gRPC calls that follow from it.
// Invariants: (1) gRPC calls are made outside the lock, but by one thread at a time, so that none overtakes
//                 another: in gRPC 1.51 a read that starts after Finish aborts the process if the call is
//                 cancelled;
//             (2) nothing blocks in a reaction (On...), which runs on a thread of gRPC's: work goes to the
//                 executor;
//             (3) the call's status is its first failure; a drain after the client's last request is none.
// Lifetime: held by itself until OnDone, and by each task that works for it.

#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "daemon/errors.h"
#include "daemon/refusal.h"
#include "daemon/request_bytes.h"
#include "daemon/serving.h"
#include "grpc/grpc.h"
#include "grpcpp/grpcpp.h"

namespace kindred::daemon {

template <typename Request, typename Response>
class BidiStream : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
                   public std::enable_shared_from_this<BidiStream<Request, Response>> {
 public:
  void OnReadDone(bool ok) final {
    bool wanted = false;
    {
      const std::scoped_lock lock(mutex_);
      reading_ = false;
      if (!ok && ::grpc_call_failed_before_recv_message(call_) != 0) {
        Leave();  // OnCancel will say so, too, but perhaps only when the call was finished as if all were
                  // well.
      } else if (!ok) {
        Stop(absl::OkStatus());  // The client has sent all it wanted to.
      } else {
        wanted = parsing_ = !stopping_;
      }
    }
    if (!wanted) {
      Advance();
    } else if (IsSmall(bytes_read_)) {
      ReadRequest();
    } else {
      serving_.large_requests().Submit([self = this->shared_from_this()] { self->ReadLargeRequest(); });
    }
  }

  void OnWriteDone(bool ok) final {
    {
      const std::scoped_lock lock(mutex_);
      writing_ = false;
    }
    if (ok) {
      Advance();
    } else {
      OnCancel();
    }
  }

  void OnCancel() final {
    {
      const std::scoped_lock lock(mutex_);
      Leave();
    }
    Advance();
  }

  void OnDone() final {
    drain_handle_.reset();
    if (admission_.engine != nullptr) {
      Ended(FinalStatus());
    }
    self_.reset();  // May be the last.
  }

 protected:
  explicit BidiStream(Serving& serving) : serving_(serving) {}

  // Takes a request; work that follows from it holds a shared_from_this().
  virtual void Accept(Request request) = 0;  // REQUIRES: mutex_ is held.
  // Whether Refuse() is to be asked about large requests with a graph over a limit.
  virtual bool RefusesUnparsed() const { return false; }
  // Answers such a request, of which nothing else is known.
  virtual void Refuse(const absl::Status& /*over_limit*/) {}  // REQUIRES: mutex_ is held.
  // Whether there is room for one more request.
  virtual bool WantsRequest() const = 0;  // REQUIRES: mutex_ is held.
  // Moves the next response out; false when there is none yet.
  virtual bool TakeResponse(Response& response) = 0;  // REQUIRES: mutex_ is held.
  // Whether something is under way that responses may come from.
  virtual bool Busy() const = 0;  // REQUIRES: mutex_ is held.

  // The call was let in, and is over.
  virtual void Ended(const absl::Status& /*status*/) {}

  // Call it once, first.
  void Begin(grpc::CallbackServerContext& context) {
    self_ = this->shared_from_this();
    call_ = context.c_call();
    auto admission = serving_.Admit(context);
    if (!admission.ok()) {
      finished_ = true;
      FinishRefused(serving_.timer(), this, admission.status());
      return;
    }
    admission_ = *std::move(admission);
    drain_handle_ = serving_.OnDrain([weak = this->weak_from_this()] {
      if (const auto stream = weak.lock()) {
        stream->Drain();
      }
    });
    Advance();
  }

  // Reads no more; a status that is not OK is the call's, unless one was before.
  void Stop(absl::Status status) {  // REQUIRES: mutex_ is held.
    stopping_ = true;
    if (final_status_.ok()) {
      final_status_ = std::move(status);
    }
  }

  // Reads nothing for kRefusalPace.
  void Pause() {  // REQUIRES: mutex_ is held.
    paused_until_ = Timer::Clock::now() + kRefusalPace;
    serving_.timer().CallAt(paused_until_, [weak = this->weak_from_this()] {
      if (const auto stream = weak.lock()) {
        stream->Advance();
      }
    });
  }

  // REQUIRES: mutex_ is not held.
  void Advance() {
    const auto self = this->shared_from_this();  // OnDone may come as soon as Finish is called.
    std::unique_lock lock(mutex_);
    while (!advancing_) {
      const Next next = Decide();
      if (!next.write && !next.read && !next.finish.has_value()) {
        return;
      }
      advancing_ = true;
      lock.unlock();
      if (next.write) {
        SerializeMessage(response_, bytes_written_);
        this->StartWrite(&bytes_written_);
      }
      if (next.read) {
        this->StartRead(&bytes_read_);
      }
      if (next.finish.has_value()) {
        this->Finish(ToGrpc(*next.finish));
      }
      lock.lock();
      advancing_ = false;
    }
  }

  Serving& serving() const { return serving_; }
  Engine& engine() const { return *admission_.engine; }
  bool writing() const { return writing_; }  // REQUIRES: mutex_ is held.
  bool gone() const { return gone_; }        // REQUIRES: mutex_ is held.
  // The client has sent its last, and nothing failed.
  bool ended_well() const { return stopping_ && final_status_.ok(); }  // REQUIRES: mutex_ is held.

  std::mutex mutex_;

 private:
  struct Next {
    bool write = false;
    bool read = false;
    std::optional<absl::Status> finish;
  };

  absl::Status FinalStatus() {
    const std::scoped_lock lock(mutex_);
    return final_status_;
  }

  void Leave() {  // REQUIRES: mutex_ is held.
    gone_ = true;
    Stop(absl::CancelledError("the client went away"));
  }

  void ReadLargeRequest() {
    const absl::StatusOr<LargeGraphs> large =
        RefusesUnparsed() ? LookAt<Request>(bytes_read_, engine().limits()) : LargeGraphs();
    if (!large.ok() || large->refused.empty()) {
      ReadRequest();  // Which finds out for itself what is wrong with it.
      return;
    }
    bytes_read_.Clear();
    {
      const std::scoped_lock lock(mutex_);
      parsing_ = false;
      if (!stopping_) {
        Refuse(large->refused.front().status);
        Pause();
      }
    }
    Advance();
  }

  void ReadRequest() {
    Request request;
    absl::Status status = ParseMessage(bytes_read_, request);
    {
      const std::scoped_lock lock(mutex_);
      parsing_ = false;
      if (!status.ok()) {
        Stop(std::move(status));
      } else if (!stopping_) {
        Accept(std::move(request));
      }
    }
    Advance();
  }

  void Drain() {
    {
      const std::scoped_lock lock(mutex_);
      if (!stopping_) {
        Stop(absl::UnavailableError("kindredd is stopping"));
      }
    }
    Advance();
  }

  Next Decide() {  // REQUIRES: mutex_ is held.
    Next next;
    if (finished_) {
      return next;
    }
    if (!writing_ && !gone_) {
      writing_ = next.write = TakeResponse(response_);
    }
    if (!reading_ && !parsing_ && !stopping_ && paused_until_ <= Timer::Clock::now()) {
      reading_ = next.read = WantsRequest();
    }
    // A read the client has not answered does not hold up the end: Finish ends it.
    if (stopping_ && !writing_ && !parsing_ && !Busy()) {
      finished_ = true;
      next.finish = final_status_;
    }
    return next;
  }

  Serving& serving_;
  grpc_call* call_ = nullptr;  // Lives until OnDone.
  std::shared_ptr<BidiStream> self_;
  Serving::Admission admission_;
  Serving::Handle drain_handle_;

  grpc::ByteBuffer bytes_read_;
  Response response_;  // Being written,
  grpc::ByteBuffer bytes_written_;
  bool advancing_ = false;  // A thread is in Advance(), and will see what others change.
  bool reading_ = false;
  bool parsing_ = false;  // What was read; then the bytes are that thread's.
  bool writing_ = false;
  bool stopping_ = false;
  bool gone_ = false;      // The client, for which nothing is to be written any more.
  bool finished_ = false;  // Finish was called, or is about to be.
  Timer::Clock::time_point paused_until_;
  absl::Status final_status_;
};

}  // namespace kindred::daemon
