// Tells whoever wants to know that there was a commit: not which, nor what was in it. Those who are told look
// for themselves, when it suits them, so that nobody can hold up the writer.
//
// Threads: everything from any thread.
// Cost: a Notify without listeners is one lock that nobody contends for.

#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace kindred {

class CommitListeners {
 public:
  using Handle = std::shared_ptr<const void>;

  // `on_commit` is called after every commit that is published from now on, until the handle is destroyed
  // (and once more, perhaps, if that is while it is called). Must not block.
  [[nodiscard]] Handle Add(std::function<void()> on_commit) {
    auto listener = std::make_shared<const Listener>(std::move(on_commit));
    const std::scoped_lock lock(mutex_);
    ForgetGone();
    listeners_.push_back(listener);
    return listener;
  }

  void Notify() {
    std::vector<std::shared_ptr<const Listener>> told;
    {
      const std::scoped_lock lock(mutex_);
      if (listeners_.empty()) {
        return;
      }
      ForgetGone();
      for (const auto& listener : listeners_) {
        told.push_back(listener.lock());
      }
    }
    for (const auto& listener : told) {
      if (listener != nullptr) {
        (*listener)();
      }
    }
  }

 private:
  using Listener = std::function<void()>;

  void ForgetGone() {  // REQUIRES: mutex_ is held.
    std::erase_if(listeners_, [](const auto& listener) { return listener.expired(); });
  }

  std::mutex mutex_;
  std::vector<std::weak_ptr<const Listener>> listeners_;
};

}  // namespace kindred
