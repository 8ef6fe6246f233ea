// The connections that gRPC holds, counted: in all, and by peer.
//
// gRPC owns a connection once it has it, and tells nobody when it closes it. But a descriptor is that
// connection for as long as it is the same socket, which its inode tells: so whoever wants to know looks.
//
// Threads: one; count() from any.
// Cost: a look at all takes a system call each (4,096: about 2 ms), and happens once a second, or when a
// limit seems
//       to be reached, but not more often than every 20 ms.

#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace kindred::daemon {

class Connections {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Verdict { kTaken, kTooMany, kTooManyOfPeer };

  Connections(uint64_t max, uint64_t per_peer_max) : max_(max), per_peer_max_(per_peer_max) {}

  // Counts the connection, unless a limit is reached. `peer` is whatever tells peers apart.
  Verdict Take(int fd, const std::string& peer, Clock::time_point now);

  // Forgets those that are closed, unless that was done less than `age` ago.
  void SweepIfDue(Clock::time_point now, Clock::duration age);

  uint64_t count() const { return count_.load(); }

 private:
  struct Entry {
    ino_t inode;
    std::string peer;
  };

  Verdict Check(const std::string& peer) const;
  void Sweep();
  void Forget(std::unordered_map<int, Entry>::iterator entry);

  const uint64_t max_;
  const uint64_t per_peer_max_;
  std::unordered_map<int, Entry> entries_;  // By descriptor.
  std::unordered_map<std::string, uint64_t> of_peer_;
  Clock::time_point swept_{};
  std::atomic<uint64_t> count_{0};
};

}  // namespace kindred::daemon
