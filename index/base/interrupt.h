// Tells long work when to stop: the caller went away, or its deadline passed.
//
// Threads: Check from any thread; what `cancelled` reads must be safe there.
// Cost: Check every 10,000 steps or so; it may read a clock.

#pragma once

#include <chrono>
#include <functional>
#include <utility>

#include "absl/status/status.h"

namespace kindred {

class Interrupt {
 public:
  using Clock = std::chrono::system_clock;

  // Never.
  Interrupt() = default;
  Interrupt(std::function<bool()> cancelled, Clock::time_point deadline)
      : cancelled_(std::move(cancelled)), deadline_(deadline) {}

  absl::Status Check() const {
    if (cancelled_ && cancelled_()) {
      return absl::CancelledError("the caller cancelled");
    }
    if (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_) {
      return absl::DeadlineExceededError("the deadline passed before the answer was complete");
    }
    return absl::OkStatus();
  }

 private:
  std::function<bool()> cancelled_;
  Clock::time_point deadline_ = Clock::time_point::max();
};

}  // namespace kindred
