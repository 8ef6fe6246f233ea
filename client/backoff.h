// How long to wait before the next attempt: twice as long each time up to a cap, and never quite the
// same for two clients, so that they do not come back all at once.
//
// Threads: one caller at a time.

#pragma once

#include <algorithm>
#include <chrono>
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

}  // namespace kindred::client
