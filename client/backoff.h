// How long to wait before the next attempt: twice as long each time up to a cap, and never quite the
// same for two clients, so that they do not come back all at once.
//
// Threads: one caller at a time.

#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <random>

namespace kindred::client {

// The first wait of calls and streams, and the longest of each: whoever calls waits for the answer; a daemon
// that recovers a large index takes longer to be back.
inline constexpr std::chrono::milliseconds kBackoffFirst{50};
inline constexpr std::chrono::milliseconds kCallBackoffLongest{1'000};
inline constexpr std::chrono::milliseconds kStreamBackoffLongest{2'000};

class Backoff {
 public:
  Backoff(std::chrono::milliseconds first, std::chrono::milliseconds longest)
      : next_(first), longest_(longest), random_(std::random_device()()) {}

  // Between half of the current wait and all of it.
  std::chrono::milliseconds Next() {
    const auto most = std::min(next_, longest_).count();
    next_ = std::min(next_ * 2, longest_);
    return std::chrono::milliseconds(std::uniform_int_distribution<decltype(most)>(most / 2, most)(random_));
  }

 private:
  std::chrono::milliseconds next_;
  const std::chrono::milliseconds longest_;
  std::minstd_rand random_;
};

// From the loss of a stream's connection until it is there again.
class Outage {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Outage(std::chrono::milliseconds reconnect_for) : give_up_(Clock::now() + reconnect_for) {}

  Clock::time_point give_up() const { return give_up_; }
  int attempts() const { return attempts_; }

  // When to try again; none: the time is up. Waits get shorter at its end, so that it is used.
  std::optional<Clock::time_point> Next() {
    const auto now = Clock::now();
    const auto left = give_up_ - now;
    if (left < kBackoffFirst) {
      return std::nullopt;
    }
    ++attempts_;
    return now + std::min<Clock::duration>(backoff_.Next(), left / 2);
  }

 private:
  const Clock::time_point give_up_;
  Backoff backoff_{kBackoffFirst, kStreamBackoffLongest};
  int attempts_ = 0;
};

}  // namespace kindred::client
