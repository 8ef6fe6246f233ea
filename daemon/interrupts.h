// What ends the work for a call early, or keeps it from being begun.
//
// Threads: free functions without state.

#pragma once

#include <chrono>

#include "daemon/grpc_time.h"
#include "grpcpp/grpcpp.h"
#include "index/base/limits.h"
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

}  // namespace kindred::daemon
