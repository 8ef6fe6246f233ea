#include "daemon/signals.h"

#include <unistd.h>

#include <utility>

namespace kindred::daemon {

Signals::Signals() {
  ::sigemptyset(&set_);
  ::sigaddset(&set_, SIGINT);
  ::sigaddset(&set_, SIGTERM);
  ::sigaddset(&set_, SIGHUP);
  ::pthread_sigmask(SIG_BLOCK, &set_, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // A write beyond RLIMIT_FSIZE fails then, and is refused.
  thread_ = std::thread([this] { Run(); });
}

Signals::~Signals() {
  closing_.store(true);
  // Wakes the thread, no more: the signal is blocked there and waited for.
  ::pthread_kill(thread_.native_handle(), SIGTERM);  // NOLINT(bugprone-bad-signal-to-kill-thread)
  thread_.join();
}

void Signals::Run() {
  for (int signal = 0; ::sigwait(&set_, &signal) == 0;) {
    if (closing_.load()) {
      return;
    }
    if (signal == SIGHUP) {
      const std::scoped_lock lock(mutex_);
      if (reload_) {
        reload_();
      }
      continue;
    }
    if (asked_.exchange(signal) != 0) {
      ::_exit(128 + signal);
    }
    const std::scoped_lock lock(mutex_);
    if (stop_) {
      stop_(signal);
    }
    wake_.notify_all();
  }
}

void Signals::OnStop(std::function<void(int)> stop) {
  const std::scoped_lock lock(mutex_);
  stop_ = std::move(stop);
}

void Signals::OnHangup(std::function<void()> reload) {
  const std::scoped_lock lock(mutex_);
  reload_ = std::move(reload);
}

void Signals::Wait() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return asked_to_stop(); });
}

}  // namespace kindred::daemon
