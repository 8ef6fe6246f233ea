// Callers that could not say who they are, counted; the more often a peer fails, the longer it waits for the
// answer.
//
// The first few failures of a peer are answered at once: a client whose token was just replaced is no
// attacker. Each further one is held back twice as long as the one before, up to two seconds, until the peer
// has been quiet for a minute. Who has a good token is never held back, whoever else shares its address.
//
// Threads: everything from any thread.
// Invariants: at most kPeersMax peers are remembered; the one that failed least recently is forgotten first.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>

namespace kindred::daemon {

class Attempts {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr size_t kPeersMax = 4'096;
  static constexpr uint64_t kFreeFailures = 3;
  static constexpr std::chrono::milliseconds kFirstDelay{100};
  static constexpr std::chrono::milliseconds kLongestDelay{2'000};
  static constexpr std::chrono::seconds kForgetAfter{60};

  struct Failure {
    uint64_t count = 0;  // Of this peer since it was last quiet, this one included.
    std::chrono::milliseconds delay{0};
  };

  Failure Note(const std::string& peer, Clock::time_point now);

  // Of all peers, ever.
  uint64_t failures() const { return failures_.load(); }
  size_t peers() const;

 private:
  struct Entry {
    std::string peer;
    uint64_t count = 0;
    Clock::time_point last;
  };

  std::atomic<uint64_t> failures_{0};
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // The latest first.
  std::unordered_map<std::string, std::list<Entry>::iterator> by_peer_;
};

}  // namespace kindred::daemon
