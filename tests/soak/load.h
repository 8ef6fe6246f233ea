// Clients that use a daemon in every way at once: streams of inserts, replacements and deletes, searches of
// many kinds, watches that come and go. Ids, graphs and tags are of a bounded number, so that what is stored
// settles: whatever grows on and on leaks.
//
// Threads: its own; counters from any.

#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/integration/daemon_process.h"

namespace kindred::test {

class Load {
 public:
  // Starts. The daemon must outlive it.
  Load(const DaemonProcess& daemon, uint64_t seed);
  // Stops, and closes every connection.
  ~Load();

  // The times of searches since it was last asked, in milliseconds.
  std::vector<double> TakeSearchMillis();

  uint64_t writes() const { return writes_; }
  uint64_t searches() const { return searches_; }
  uint64_t watches() const { return watches_; }
  // Calls that failed, and none should; the first is printed.
  uint64_t failures() const { return failures_; }

 private:
  void Ingest(uint64_t seed);
  void Write(uint64_t seed);
  void Search(uint64_t seed);
  void Watch(uint64_t seed);
  void Expect(const grpc::Status& status, const char* what);

  const DaemonProcess& daemon_;
  std::vector<v1::Graph> graphs_;
  std::atomic<bool> stopping_{false};
  std::atomic<uint64_t> writes_{0};
  std::atomic<uint64_t> searches_{0};
  std::atomic<uint64_t> watches_{0};
  std::atomic<uint64_t> failures_{0};
  std::mutex mutex_;
  std::vector<double> search_millis_;
  std::vector<std::jthread> threads_;
};

}  // namespace kindred::test
