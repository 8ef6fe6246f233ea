// The common course of a unary call: find the engine, run on its executor, finish.

#pragma once

#include <memory>
#include <utility>

#include "daemon/errors.h"
#include "daemon/refusal.h"
#include "daemon/serving.h"
#include "grpcpp/grpcpp.h"
#include "index/base/status.h"
#include "index/search/interrupt.h"

namespace kindred::daemon {

// Stops when the client hangs up or its deadline passes. `context` must outlive it.
inline Interrupt InterruptOf(const grpc::CallbackServerContext& context) {
  return {[&context] { return context.IsCancelled(); }, context.deadline()};
}

inline absl::Status QueueFull(const Limits& limits) {
  return MakeStatus(absl::StatusCode::kResourceExhausted,
                    "too many requests are waiting (search_queue_max = {}); try again later",
                    limits.search_queue_max);
}

// Keeps its admission until gRPC has sent the answer.
class UnaryCall final : public grpc::ServerUnaryReactor {
 public:
  explicit UnaryCall(Serving::Admission admission) : admission_(std::move(admission)) {}

  Engine& engine() { return *admission_.engine; }
  void OnDone() override { delete this; }

 private:
  const Serving::Admission admission_;
};

// `work(call)` runs on the executor and must finish the call, at once or later.
template <typename Work>
grpc::ServerUnaryReactor* RunThenFinish(Serving& serving, grpc::CallbackServerContext* context, Work work) {
  auto admission = serving.Admit(*context);
  if (!admission.ok()) {
    grpc::ServerUnaryReactor* const refused = context->DefaultReactor();
    FinishRefused(refused, admission.status());
    return refused;
  }
  auto* const call = new UnaryCall(*std::move(admission));  // Deletes itself in OnDone.
  Executor& executor = call->engine().executor();
  const Limits& limits = call->engine().limits();
  if (!executor.TrySubmit([call, work = std::move(work)] { work(*call); })) {
    call->Finish(ToGrpc(QueueFull(limits)));
  }
  return call;
}

// `work(engine)` runs on the executor; its status is the call's.
template <typename Work>
grpc::ServerUnaryReactor* Run(Serving& serving, grpc::CallbackServerContext* context, Work work) {
  return RunThenFinish(serving, context, [work = std::move(work)](UnaryCall& call) {
    call.Finish(ToGrpc(work(call.engine())));
  });
}

}  // namespace kindred::daemon
