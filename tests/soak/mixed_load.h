// Clients that do everything at once to one daemon, for so long, and leave: writes and deletes over a bounded
// set of ids and graphs, searches, watches, pairs, a backup and a compaction a round, on connections that are
// made anew all the time.
//
// The graphs are all stored before the first round, so that there is no colour to issue any more: what grows
// after that should not.
//
// Threads: one user.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/integration/daemon_process.h"

namespace kindred::test {

inline constexpr const char* kSoakBackups = "soak";

class MixedLoad {
 public:
  // `daemon` must outlive this, and make backups.
  MixedLoad(const DaemonProcess& daemon, uint64_t seed);

  struct Counts {
    std::atomic<uint64_t> writes{0};
    std::atomic<uint64_t> searches{0};
    std::atomic<uint64_t> compared{0};  // Of these, with the exhaustive mode.
    std::atomic<uint64_t> connections{0};
    std::atomic<uint64_t> watched{0};
    std::atomic<uint64_t> pairs{0};
    std::atomic<uint64_t> backups{0};
    std::atomic<uint64_t> compactions{0};
  };

  // Everything for so long; no connection is left. Gives the median latency of its searches, in milliseconds.
  double Round(std::chrono::milliseconds length);
  // Answers of both modes to some queries, of one commit: nothing is written meanwhile.
  void CompareModes();

  const Counts& counts() const { return counts_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::unique_ptr<v1::Index::Stub> Connect();
  v1::Record RandomRecord(std::mt19937_64& rng) const;
  void Write(uint64_t seed, Clock::time_point end);
  void Stream(std::mt19937_64& rng);
  void Search(uint64_t seed, Clock::time_point end, std::vector<double>& latencies);
  void Watch(uint64_t seed, Clock::time_point end);
  void Pairs(Clock::time_point end);
  void LookAfter();
  void CompareOne(v1::Index::Stub& stub, v1::SearchRequest request);

  const DaemonProcess& daemon_;
  std::mt19937_64 rng_;
  std::vector<v1::Graph> graphs_;
  Counts counts_;
};

}  // namespace kindred::test
