// Whether calls are taken: not before the index is recovered, not once the daemon drains.
//
// Threads: everything from any thread.

#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/statusor.h"
#include "index/engine/engine.h"

namespace kindred::daemon {

class Serving {
 public:
  Serving();

  // Differs in every process.
  const std::string& incarnation() const { return incarnation_; }

  // From now on calls find the engine, which must outlive the server: a call may hold it until it is done.
  void Start(Engine& engine);
  // From now on they do not; everything that listens is told once.
  void Drain();

  // UNAVAILABLE while recovering or draining.
  absl::StatusOr<Engine*> engine() const;

  // Tells a long stream when to wind up; forgotten when the handle is destroyed. Called at once if the
  // daemon drains already. `on_drain` must not block, and must not destroy its own handle.
  using Handle = std::shared_ptr<const void>;
  Handle OnDrain(std::function<void()> on_drain);

 private:
  enum class State { kRecovering, kServing, kDraining };

  const std::string incarnation_;
  mutable std::mutex mutex_;
  State state_ = State::kRecovering;
  Engine* engine_ = nullptr;
  std::list<std::weak_ptr<const std::function<void()>>> listeners_;
};

}  // namespace kindred::daemon
