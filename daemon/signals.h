// SIGINT and SIGTERM, waited for by one thread of their own.
//
// The first asks the daemon to stop; the second ends the process at once.

#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>

namespace kindred::daemon {

class Signals {
 public:
  // Blocks the signals in this thread and all it starts later: create it before any other thread.
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // Until the first signal.
  void Wait();
  bool asked_to_stop() const { return asked_.load(); }

 private:
  void Run();

  sigset_t set_{};
  std::atomic<bool> asked_{false};
  std::atomic<bool> closing_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

}  // namespace kindred::daemon
