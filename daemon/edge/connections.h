// The connections that gRPC holds, counted: in all, and by peer.
//
// gRPC owns a connection once it has it, and tells nobody when it closes it. But a descriptor is that
// connection for as long as it is the same socket, which its inode tells: so whoever wants to know looks.
//
// Where a limit is reached, those of TCP on which nothing was said for a while, either way, make room for new
// ones: they are shut down, the longest silent first. (A client of ours that was only waiting connects
// again.) So idle connections keep nobody out for long.
//
// Threads: one.
// Cost: a look at all takes a system call each (4,096: about 2 ms), and happens once a second, or when a
// limit seems
//       to be reached, but not more often than every 20 ms.

#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "daemon/edge/edge_counters.h"

namespace kindred::daemon {

class Connections {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Verdict { kTaken, kTooMany, kTooManyOfPeer };

  struct Limits {
    uint64_t all = 0;
    uint64_t per_peer = 0;
    std::chrono::milliseconds silence{10'000};  // Before a connection may have to make room.
    std::chrono::milliseconds handshake{
        10'000};  // After which gRPC hangs up on one that has not finished it.
  };

  // `counters` gets those that are open, that made room and whose handshake timed out; it must outlive this.
  Connections(const Limits& limits, EdgeCounters& counters) : limits_(limits), counters_(counters) {}

  // Counts the connection, unless a limit is reached. `peer` is whatever tells peers apart.
  Verdict Take(int fd, const std::string& peer, Clock::time_point now);

  // Forgets those that are closed, unless that was done less than `age` ago.
  void SweepIfDue(Clock::time_point now, Clock::duration age);

  // For when the system has no descriptor left: as if the limit of all were reached.
  void MakeRoom(Clock::time_point now);

  uint64_t count() const { return entries_.size(); }

 private:
  struct Entry {
    ino_t inode;
    std::string peer;
    Clock::time_point taken;
    bool spoke = false;  // As much as a protocol begins with.
  };
  using Entries = std::unordered_map<int, Entry>;  // By descriptor.

  Verdict Check(const std::string& peer) const;
  void Sweep(Clock::time_point now);
  // Shuts some silent ones down; of one peer, unless `peer` is null.
  void Evict(const std::string* peer);
  void Forget(Entries::iterator entry);

  const Limits limits_;
  Entries entries_;
  std::unordered_map<std::string, uint64_t> of_peer_;
  Clock::time_point swept_{};
  EdgeCounters& counters_;
};

}  // namespace kindred::daemon
