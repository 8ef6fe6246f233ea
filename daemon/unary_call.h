// The common course of a unary call: let it in, read its request, answer it.
//
// Threads: made on a thread of gRPC's; what follows runs where the request is read (request_bytes.h), on the
//          executor, or with the writer.
// Invariants: the memory of a request is leased from search_queue_bytes_max until it is answered.

#pragma once

#include <chrono>
#include <utility>

#include "absl/status/statusor.h"
#include "daemon/errors.h"
#include "daemon/interrupts.h"
#include "daemon/refusal.h"
#include "daemon/request_bytes.h"
#include "daemon/serving.h"
#include "grpcpp/grpcpp.h"

namespace kindred::daemon {

// A call with its messages. Keeps its admission, and its share of the memory for requests, until gRPC has
// sent the answer.
template <typename RequestMessage, typename ResponseMessage>
class UnaryCall final : public grpc::ServerUnaryReactor {
 public:
  using Request = RequestMessage;
  using Response = ResponseMessage;

  UnaryCall(Serving& serving, Serving::Admission admission, grpc::CallbackServerContext& context,
            const grpc::ByteBuffer* bytes, grpc::ByteBuffer& answer)
      : serving_(serving),
        admission_(std::move(admission)),
        context_(context),
        bytes_(bytes),
        answer_(answer) {}

  Serving& serving() const { return serving_; }
  Engine& engine() const { return *admission_.engine; }
  grpc::CallbackServerContext& context() const { return context_; }
  RequestBytes& bytes() { return bytes_; }
  const Request& request() const { return request_; }
  Response& response() { return response_; }
  // Whose records of the request are over a limit; empty for a small one, which nobody has looked at.
  const LargeGraphs& large_graphs() const { return large_; }

  // Once. The call may be gone when it returns. One with graphs over a limit is answered no sooner than
  // kRefusalPace after it came.
  void Answer(const absl::Status& status) {
    bytes_.Clear();  // Of one that was refused; here rather than on a thread of gRPC's.
    if (status.ok()) {
      SerializeMessage(response_, answer_);
    }
    if (large_.refused.empty()) {
      Finish(ToGrpc(status));
      return;
    }
    request_.Clear();
    bytes_.Release();
    FinishAt(serving_.timer(), begun_ + kRefusalPace, this, ToGrpc(status));
  }

  // Counts what the bytes of a large request have of graphs.
  absl::Status Look() {
    if (!bytes_.is_small()) {
      KINDRED_ASSIGN_OR_RETURN(large_, bytes_.Look<Request>(engine().limits()));
    }
    return absl::OkStatus();
  }

  absl::Status Parse() { return bytes_.Parse(serving_, engine().limits(), request_); }

  void OnDone() override { delete this; }

 private:
  const Timer::Clock::time_point begun_ = Timer::Clock::now();
  Serving& serving_;
  const Serving::Admission admission_;
  grpc::CallbackServerContext& context_;
  RequestBytes bytes_;
  grpc::ByteBuffer& answer_;
  LargeGraphs large_;
  Request request_;
  Response response_;
};

// Lets a call in, reads its request, and calls `refuse(call)` for one with graphs over a limit, which answers
// it or returns false to have it parsed all the same; then `go(call)`, which sees to it that it is answered.
template <typename Call, typename Refuse, typename Go>
grpc::ServerUnaryReactor* StartCall(Serving& serving, grpc::CallbackServerContext* context,
                                    const grpc::ByteBuffer* bytes, grpc::ByteBuffer* answer, Refuse refuse,
                                    Go go) {
  auto admission = serving.Admit(*context);
  if (!admission.ok()) {
    grpc::ServerUnaryReactor* const refused = context->DefaultReactor();
    FinishRefused(serving.timer(), refused, admission.status());
    return refused;
  }
  auto* const call =
      new Call(serving, *std::move(admission), *context, bytes, *answer);  // Deletes itself in OnDone.
  const absl::Status handed = call->bytes().Hand(
      serving, call->engine().limits(), [call, refuse = std::move(refuse), go = std::move(go)] {
        absl::Status status = call->Look();
        if (status.ok() && !call->large_graphs().refused.empty() && refuse(*call)) {
          return;
        }
        if (status.ok()) {
          status = call->Parse();
        }
        if (status.ok()) {
          go(*call);
        } else {
          call->Answer(status);
        }
      });
  if (!handed.ok()) {
    call->Answer(handed);
  }
  return call;
}

// As StartCall for a call that reads: `work(call)` runs on the executor, and its status is the call's. One
// graph over a limit refuses the call.
template <typename Call, typename Work>
grpc::ServerUnaryReactor* RunCall(Serving& serving, grpc::CallbackServerContext* context,
                                  const grpc::ByteBuffer* bytes, grpc::ByteBuffer* answer, Work work) {
  return StartCall<Call>(
      serving, context, bytes, answer,
      [](Call& call) {
        call.Answer(call.large_graphs().refused.front().status);
        return true;
      },
      [work = std::move(work)](Call& call) {
        const bool queued = call.engine().executor().TrySubmit(
            [&call, work] { call.Answer(OrOutOfMemory([&]() -> absl::Status { return work(call); })); });
        if (!queued) {
          call.Answer(QueueFull(call.engine().limits()));
        }
      });
}

}  // namespace kindred::daemon
