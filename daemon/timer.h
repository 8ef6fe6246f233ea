// Calls functions at points in time, by a clock that nobody can set.
//
// grpc::Alarm would do, but not when someone sets the time of day: the thread of gRPC's timers (1.51, built
// with Abseil's mutexes) sleeps until a time of day, so a clock that is set back by an hour holds an alarm up
// for an hour.
//
// Threads: At from any thread. Functions are called on the timer's own, one at a time; they must not block.
// Invariants: a function is called once, unless its handle is destroyed before its turn comes.

#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace kindred::daemon {

class Timer {
 public:
  using Clock = std::chrono::steady_clock;
  // The function is forgotten when it is destroyed, unless it is being called.
  using Handle = std::shared_ptr<const void>;

  Timer();
  // Functions whose time has not come are not called.
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  [[nodiscard]] Handle At(Clock::time_point time, std::function<void()> function);
  // The same for what is not to be given up.
  void CallAt(Clock::time_point time, std::function<void()> function);

 private:
  using Function = std::function<void()>;

  struct Waiting {
    std::weak_ptr<const Function> function;
    std::shared_ptr<const Function> kept;  // If nobody has a handle.
  };

  void Add(Clock::time_point time, Waiting waiting);
  void Run();

  std::mutex mutex_;  // Guards what follows.
  std::condition_variable wake_;
  std::multimap<Clock::time_point, Waiting> waiting_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace kindred::daemon
