// The common course of a unary call: find the engine, run on its executor, finish.

#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "daemon/errors.h"
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

// `work(engine, reactor)` runs on the executor and must finish the reactor, at once or later.
template <typename Work>
grpc::ServerUnaryReactor* RunThenFinish(const Serving& serving, grpc::CallbackServerContext* context,
                                        Work work) {
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  auto engine = serving.engine();
  if (!engine.ok()) {
    reactor->Finish(ToGrpc(engine.status()));
    return reactor;
  }
  Executor& executor = (*engine)->executor();
  const bool taken =
      executor.TrySubmit([engine = *engine, reactor, work = std::move(work)] { work(*engine, reactor); });
  if (!taken) {
    reactor->Finish(ToGrpc(QueueFull((*engine)->limits())));
  }
  return reactor;
}

// `work(engine)` runs on the executor; its status is the call's.
template <typename Work>
grpc::ServerUnaryReactor* Run(const Serving& serving, grpc::CallbackServerContext* context, Work work) {
  return RunThenFinish(serving, context,
                       [work = std::move(work)](Engine& engine, grpc::ServerUnaryReactor* reactor) {
                         reactor->Finish(ToGrpc(work(engine)));
                       });
}

}  // namespace kindred::daemon
