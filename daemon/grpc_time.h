// gRPC's times as those of a clock that only goes forward. gRPC itself keeps deadlines in such a
// clock; only its C++ interface turns them into times of day, which change their meaning when someone sets
// the clock.
//
// Threads: free functions without state.

#pragma once

#include <chrono>

#include "grpc/support/time.h"

namespace kindred::daemon {

// The last point for a deadline that is not, or is longer than thirty years away.
inline std::chrono::steady_clock::time_point ToSteady(gpr_timespec deadline) {
  constexpr int64_t kSecondsMax = 1'000'000'000;
  const gpr_timespec left =
      gpr_time_sub(gpr_convert_clock_type(deadline, GPR_CLOCK_MONOTONIC), gpr_now(GPR_CLOCK_MONOTONIC));
  if (left.tv_sec > kSecondsMax) {
    return std::chrono::steady_clock::time_point::max();
  }
  if (left.tv_sec < -kSecondsMax) {
    return std::chrono::steady_clock::time_point::min();
  }
  return std::chrono::steady_clock::now() + std::chrono::seconds(left.tv_sec) +
         std::chrono::nanoseconds(left.tv_nsec);
}

}  // namespace kindred::daemon
