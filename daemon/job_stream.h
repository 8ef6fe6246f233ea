// A call that does one long piece of work and tells of its progress: a backup, a compaction.
//
// The work waits for disks, so it has a thread of its own, of the last priority: threads of the executor are
// for searches. What it reports is written when the one before is; of several that came meanwhile the last
// counts, so that a slow client holds nothing up.

#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "daemon/errors.h"
#include "daemon/grpc_time.h"
#include "daemon/refusal.h"
#include "daemon/request_bytes.h"
#include "daemon/serving.h"
#include "grpcpp/grpcpp.h"
#include "index/base/priority.h"

namespace kindred::daemon {

// `Job` has Request, Response and
//   static absl::Status Run(Engine&, const Request&, const std::function<void(Response)>& tell, const
//   Interrupt&);
template <typename Job>
class JobStream final : public grpc::ServerWriteReactor<grpc::ByteBuffer> {
 public:
  using Request = typename Job::Request;
  using Response = typename Job::Response;

  JobStream(Serving& serving, grpc::CallbackServerContext* context, const grpc::ByteBuffer* bytes)
      : bytes_(bytes), state_(std::make_shared<State>(this)) {
    auto admission = serving.Admit(*context);
    if (!admission.ok()) {
      FinishRefused(serving.timer(), this, admission.status());
      return;
    }
    admission_ = *std::move(admission);
    const absl::Status handed = bytes_.Hand(serving, admission_.engine->limits(),
                                            [this, &serving, context] { ReadRequest(serving, context); });
    if (!handed.ok()) {
      Finish(ToGrpc(handed));
    }
  }

  void OnWriteDone(bool) override {
    const std::shared_ptr<State> state = state_;  // This may be gone before it returns.
    state->Written();
  }
  void OnDone() override { delete this; }

 private:
  void ReadRequest(Serving& serving, grpc::CallbackServerContext* context) {
    Request request;
    if (const absl::Status status = bytes_.Parse(serving, admission_.engine->limits(), request);
        !status.ok()) {
      Finish(ToGrpc(status));
      return;
    }
    // The thread outlives the call by no more than what it does with the state: the admission, and with it
    // the engine, go with the call, which it ends itself.
    std::thread([state = state_, &serving, context, request, engine = admission_.engine] {
      SetPriority(Priority::kLast);
      const Interrupt interrupt([&] { return context->IsCancelled() || serving.draining(); },
                                ToSteady(context->raw_deadline()));
      absl::Status status = Job::Run(
          *engine, request, [&](Response message) { state->Tell(std::move(message)); }, interrupt);
      if (absl::IsCancelled(status) && serving.draining()) {
        status = absl::UnavailableError("kindredd is stopping");
      }
      state->End(ToGrpc(status));
    }).detach();
  }

  class State {
   public:
    explicit State(JobStream* call) : call_(call) {}

    void Tell(Response message) {
      const std::scoped_lock lock(mutex_);
      next_ = std::move(message);
      Advance();
    }
    void End(grpc::Status status) {
      const std::scoped_lock lock(mutex_);
      end_ = std::move(status);
      Advance();
    }
    void Written() {
      const std::scoped_lock lock(mutex_);
      writing_ = false;
      Advance();
    }

   private:
    // REQUIRES: mutex_ is held. After Finish the call may be gone any moment; the state stays.
    void Advance() {
      if (writing_) {
        return;
      }
      if (next_) {
        SerializeMessage(*next_, bytes_);
        next_.reset();
        writing_ = true;
        call_->StartWrite(&bytes_);
      } else if (end_) {
        call_->Finish(*std::exchange(end_, std::nullopt));
      }
    }

    JobStream* const call_;
    std::mutex mutex_;
    bool writing_ = false;
    grpc::ByteBuffer bytes_;  // That are being written.
    std::optional<Response> next_;
    std::optional<grpc::Status> end_;
  };

  Serving::Admission admission_;
  RequestBytes bytes_;
  const std::shared_ptr<State> state_;
};

template <typename Job>
grpc::ServerWriteReactor<grpc::ByteBuffer>* StartJob(Serving& serving, grpc::CallbackServerContext* context,
                                                     const grpc::ByteBuffer* bytes) {
  return new JobStream<Job>(serving, context, bytes);  // Deletes itself in OnDone.
}

}  // namespace kindred::daemon
