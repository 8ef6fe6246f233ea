// SIGINT, SIGTERM and SIGHUP, waited for by one thread of their own.
//
// The first SIGINT or SIGTERM asks the daemon to stop; the second ends the process at once. SIGHUP asks it to
// read its files again.

#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <functional>
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

  // What the first SIGINT or SIGTERM does, on the thread of the signals; nothing by default.
  void OnStop(std::function<void(int signal)> stop);

  // Until the first signal.
  void Wait();
  bool asked_to_stop() const { return asked_.load() != 0; }
  // The first of them; 0: none yet.
  int stop_signal() const { return asked_.load(); }

  // What a SIGHUP does, on the thread of the signals; nothing by default.
  void OnHangup(std::function<void()> reload);

 private:
  void Run();

  sigset_t set_{};
  std::atomic<int> asked_{0};
  std::atomic<bool> closing_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  std::function<void()> reload_;   // Guarded by mutex_,
  std::function<void(int)> stop_;  // as is this.
  std::thread thread_;
};

}  // namespace kindred::daemon
