#include "index/engine/executor.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <new>
#include <utility>

namespace kindred {

Executor::Executor(int threads, uint64_t queue_max, Priority priority) : queue_max_(queue_max) {
  for (int i = 0; i < std::max(threads, 1); ++i) {
    threads_.emplace_back([this, priority] {
      SetPriority(priority);
      Run();
    });
  }
}

Executor::~Executor() {
  const std::scoped_lock lock(mutex_);
  stopping_ = true;
  for (Idle* const idle : idle_) {
    idle->called = true;
    idle->wake.notify_one();
  }
  idle_.clear();
}

bool Executor::TrySubmit(std::function<void()> task) {
  const std::scoped_lock lock(mutex_);
  if (queue_.size() >= queue_max_) {
    return false;
  }
  Enqueue(std::move(task));
  return true;
}

size_t Executor::waiting() const {
  const std::scoped_lock lock(mutex_);
  return queue_.size();
}

void Executor::Submit(std::function<void()> task) {
  const std::scoped_lock lock(mutex_);
  Enqueue(std::move(task));
}

// REQUIRES: mutex_ is held, so that an idle thread cannot end meanwhile.
void Executor::Enqueue(std::function<void()> task) {
  queue_.push_back(std::move(task));
  if (!idle_.empty()) {
    Idle& latest = *idle_.back();
    idle_.pop_back();
    latest.called = true;
    latest.wake.notify_one();
  }
}

void Executor::ParallelFor(size_t count, const std::function<void(size_t)>& work) {
  // Shared with helpers that may start after everything is done, and then find nothing left.
  struct State {
    std::atomic<size_t> next{0};
    std::atomic<bool> failed{false};
    std::mutex mutex;
    std::condition_variable all_done;
    size_t done = 0;
    std::exception_ptr failure;
  };
  const auto state = std::make_shared<State>();
  // Whoever throws is heard by the caller, and only when no other thread is at work for it any more.
  const auto take_all = [state, count, &work]() noexcept {
    size_t finished = 0;
    std::exception_ptr failure;
    for (size_t i = state->next++; i < count; i = state->next++) {
      ++finished;
      if (state->failed) {
        continue;
      }
      try {
        work(i);
      } catch (...) {
        failure = std::current_exception();
        state->failed = true;
      }
    }
    if (finished > 0) {
      const std::scoped_lock lock(state->mutex);
      state->done += finished;
      if (failure != nullptr) {
        state->failure = failure;
      }
      if (state->done == count) {
        state->all_done.notify_all();
      }
    }
  };
  const size_t helpers = std::min(threads_.size(), count) - (count > 0 ? 1 : 0);
  try {
    for (size_t i = 0; i < helpers; ++i) {
      // `work` outlives a helper that takes an item, since this call waits for it; a late one takes none.
      Submit(take_all);
    }
  } catch (const std::bad_alloc&) {
    // Fewer help, then.
  }
  take_all();
  std::unique_lock lock(state->mutex);
  state->all_done.wait(lock, [&] { return state->done == count; });
  if (state->failure != nullptr) {
    std::rethrow_exception(state->failure);
  }
}

void Executor::Run() {
  Idle idle;
  std::unique_lock lock(mutex_);
  while (true) {
    if (!queue_.empty()) {
      {
        const std::function<void()> task = std::move(queue_.front());
        queue_.pop_front();
        lock.unlock();
        task();
      }  // What it held goes before the lock comes back: it may submit in turn.
      lock.lock();
    } else if (stopping_) {
      return;
    } else {
      idle.called = false;
      idle_.push_back(&idle);
      idle.wake.wait(lock, [&] { return idle.called; });
    }
  }
}

}  // namespace kindred
