// The common course of a unary call: find the engine, run on its executor, finish.

#pragma once

#include <chrono>
#include <memory>
#include <utility>

#include "daemon/errors.h"
#include "daemon/grpc_time.h"
#include "daemon/refusal.h"
#include "daemon/request_budget.h"
#include "daemon/serving.h"
#include "grpcpp/grpcpp.h"
#include "index/base/out_of_memory.h"
#include "index/base/status.h"
#include "index/search/interrupt.h"

namespace kindred::daemon {

// Stops when the client hangs up or its deadline passes. `context` must outlive it.
inline Interrupt InterruptOf(const grpc::CallbackServerContext& context) {
  return {[&context] { return context.IsCancelled(); }, ToSteady(context.raw_deadline())};
}

// The same for one search, which has no more than search_millis_max from now on.
inline Interrupt SearchInterruptOf(const grpc::CallbackServerContext& context, const Limits& limits) {
  return InterruptOf(context).Within(
      Interrupt::Clock::now() + std::chrono::milliseconds(limits.search_millis_max),
      fmt::format("search_millis_max = {}", limits.search_millis_max));
}

inline absl::Status QueueFull(const Limits& limits) {
  return MakeStatus(absl::StatusCode::kResourceExhausted,
                    "too many requests are waiting (search_queue_max = {}); try again later",
                    limits.search_queue_max);
}

// Keeps its admission, and its share of the memory for requests, until gRPC has sent the answer.
class UnaryCall final : public grpc::ServerUnaryReactor {
 public:
  explicit UnaryCall(Serving::Admission admission, RequestBudget::Lease lease = {})
      : admission_(std::move(admission)), lease_(std::move(lease)) {}

  Engine& engine() { return *admission_.engine; }
  void OnDone() override { delete this; }

 private:
  const Serving::Admission admission_;
  const RequestBudget::Lease lease_;
};

inline grpc::ServerUnaryReactor* Refuse(Serving& serving, grpc::CallbackServerContext* context,
                                        const absl::Status& status) {
  grpc::ServerUnaryReactor* const refused = context->DefaultReactor();
  FinishRefused(serving.timer(), refused, status);
  return refused;
}

// A call whose work is done elsewhere: by the writer, on threads of its own.
template <typename Start>  // void(UnaryCall&): sees to it that the call is finished.
grpc::ServerUnaryReactor* StartCall(Serving& serving, grpc::CallbackServerContext* context, Start start) {
  auto admission = serving.Admit(*context);
  if (!admission.ok()) {
    return Refuse(serving, context, admission.status());
  }
  auto* const call = new UnaryCall(*std::move(admission));  // Deletes itself in OnDone.
  start(*call);
  return call;
}

// `work(engine)` runs on the executor; its status is the call's.
template <typename Request, typename Work>
grpc::ServerUnaryReactor* Run(Serving& serving, grpc::CallbackServerContext* context, const Request* request,
                              Work work) {
  auto admission = serving.Admit(*context);
  if (!admission.ok()) {
    return Refuse(serving, context, admission.status());
  }
  const Limits& limits = admission->engine->limits();
  auto lease = serving.requests().Take(request->SpaceUsedLong(), limits);
  if (!lease.ok()) {
    return Refuse(serving, context, lease.status());
  }
  auto* const call = new UnaryCall(*std::move(admission), *std::move(lease));  // Deletes itself in OnDone.
  Executor& executor = call->engine().executor();
  const bool queued = executor.TrySubmit([call, work = std::move(work)] {
    call->Finish(ToGrpc(OrOutOfMemory([&]() -> absl::Status { return work(call->engine()); })));
  });
  if (!queued) {
    call->Finish(ToGrpc(QueueFull(limits)));
  }
  return call;
}

}  // namespace kindred::daemon
