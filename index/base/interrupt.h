// Tells long work when to stop: the caller went away, its deadline passed, or it took longer than is allowed.
//
// Times are of a clock that only goes forward: setting the time of day changes nothing.
//
// Threads: Check from any thread; what `cancelled` reads must be safe there.
// Cost: Check every 10,000 steps or so; it may read a clock.

#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "absl/status/status.h"

namespace kindred {

class Interrupt {
 public:
  using Clock = std::chrono::steady_clock;

  // Never.
  Interrupt() = default;
  Interrupt(std::function<bool()> cancelled, Clock::time_point deadline)
      : cancelled_(std::move(cancelled)), deadline_(deadline) {}

  // The same, and at most until `end`; `limit` is told then ("search_millis_max = 50").
  Interrupt Within(Clock::time_point end, std::string limit) const {
    Interrupt within = *this;
    within.end_ = end;
    within.limit_ = std::move(limit);
    return within;
  }

  absl::Status Check() const {
    if (cancelled_ && cancelled_()) {
      return absl::CancelledError("the caller cancelled");
    }
    if (deadline_ == Clock::time_point::max() && end_ == Clock::time_point::max()) {
      return absl::OkStatus();
    }
    const Clock::time_point now = Clock::now();
    if (now >= deadline_) {
      return absl::DeadlineExceededError("the deadline passed before the answer was complete");
    }
    if (now >= end_) {
      return absl::DeadlineExceededError("it took longer than the limit " + limit_);
    }
    return absl::OkStatus();
  }

 private:
  std::function<bool()> cancelled_;
  Clock::time_point deadline_ = Clock::time_point::max();
  Clock::time_point end_ = Clock::time_point::max();
  std::string limit_;
};

}  // namespace kindred
