// Deadlines for gRPC by a clock that only goes forward, as gRPC itself keeps them: setting the time of day
// during a call changes nothing.
//
// Threads: free function without state.

#pragma once

#include <chrono>

#include "grpc/support/time.h"

namespace kindred::client {

inline gpr_timespec DeadlineAt(std::chrono::steady_clock::time_point time) {
  const auto left =
      std::chrono::duration_cast<std::chrono::nanoseconds>(time - std::chrono::steady_clock::now());
  return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_nanos(left.count(), GPR_TIMESPAN));
}

inline gpr_timespec DeadlineIn(std::chrono::steady_clock::duration time) {
  return DeadlineAt(std::chrono::steady_clock::now() + time);
}

}  // namespace kindred::client
