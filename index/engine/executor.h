// A fixed number of threads that run what they are given, in order, from a bounded queue. Of idle threads the
// one that worked last goes first: its caches still have what the next task needs.
//
// Threads: all methods from any thread.
// Cost: refuses rather than queues without bound.

#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "index/base/priority.h"

namespace kindred {

class Executor {
 public:
  Executor(int threads, uint64_t queue_max, Priority priority = Priority::kFirst);
  // Runs what is queued, then stops.
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // False: the queue is full, and `task` will not run.
  [[nodiscard]] bool TrySubmit(std::function<void()> task);
  // For the next step of work that was admitted before: never refused.
  void Submit(std::function<void()> task);

  // Calls work(i) for every i < count, on this and idle threads, and returns when all are done. The caller
  // works too, so it never waits for a busy pool. What `work` throws is thrown here, once no thread works for
  // it any more; of what was not begun by then nothing is done.
  void ParallelFor(size_t count, const std::function<void(size_t)>& work);

  int threads() const { return static_cast<int>(threads_.size()); }
  // Tasks that wait for a thread.
  size_t waiting() const;

 private:
  // A thread that has nothing to do.
  struct Idle {
    std::condition_variable wake;
    bool called = false;
  };

  void Run();
  void Enqueue(std::function<void()> task);

  const uint64_t queue_max_;
  mutable std::mutex mutex_;
  std::deque<std::function<void()>> queue_;
  std::vector<Idle*> idle_;
  bool stopping_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace kindred
