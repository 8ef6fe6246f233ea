// Tells long work when to stop: the caller went away, or its deadline passed.
//
// Threads: one search each; what `cancelled` reads must be safe from the search's thread.
// Cost: Check every ~10,000 postings or so; it may read a clock.

#pragma once

#include <chrono>
#include <cstdint>
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

// How many postings may be read between two checks.
inline constexpr uint64_t kPostingsBetweenChecks = 10'000;

}  // namespace kindred
