#include "daemon/timer.h"

#include <utility>

namespace kindred::daemon {

Timer::Timer() : thread_([this] { Run(); }) {}

Timer::~Timer() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

Timer::Handle Timer::At(Clock::time_point time, std::function<void()> function) {
  auto handle = std::make_shared<const Function>(std::move(function));
  Add(time, {handle, nullptr});
  return handle;
}

void Timer::CallAt(Clock::time_point time, std::function<void()> function) {
  const auto kept = std::make_shared<const Function>(std::move(function));
  Add(time, {kept, kept});
}

void Timer::Add(Clock::time_point time, Waiting waiting) {
  const std::scoped_lock lock(mutex_);
  const auto at = waiting_.emplace(time, std::move(waiting));
  if (at == waiting_.begin()) {
    wake_.notify_one();
  }
}

void Timer::Run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (waiting_.empty()) {
      wake_.wait(lock);
      continue;
    }
    const auto first = waiting_.begin();
    if (const Clock::time_point time = first->first; Clock::now() < time) {
      wake_.wait_until(lock, time);
      continue;
    }
    const std::shared_ptr<const Function> function = first->second.function.lock();
    waiting_.erase(first);
    if (function != nullptr) {
      lock.unlock();
      (*function)();
      lock.lock();
    }
  }
}

}  // namespace kindred::daemon
