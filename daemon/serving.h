// Whether calls are taken: not before the index is recovered, not once the daemon drains. Counts those
// under way, so that a stop can wait for them.
//
// Threads: everything from any thread.

#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/statusor.h"
#include "daemon/request_budget.h"
#include "index/engine/engine.h"

namespace kindred::daemon {

class Serving {
 public:
  // A call that was let in. It holds the token until gRPC is done with it; the engine lives that long.
  struct Admission {
    Engine* engine = nullptr;
    std::shared_ptr<const void> token;
  };

  Serving();

  // Differs in every process.
  const std::string& incarnation() const { return incarnation_; }

  // From now on calls are let in. `engine` must outlive them.
  void Start(Engine& engine);
  // From now on they are not; everything that listens is told once.
  void Drain();
  // Until no admitted call is left, or the deadline.
  void WaitForCalls(std::chrono::steady_clock::time_point deadline);

  // UNAVAILABLE while recovering or draining.
  absl::StatusOr<Admission> Admit();
  bool draining() const;

  // The memory of requests that are being answered.
  RequestBudget& requests() { return requests_; }

  // Ingest streams under way: they share ingest_window_bytes.
  std::atomic<uint64_t>& ingest_streams() { return ingest_streams_; }

  // Tells a long stream when to wind up; forgotten when the handle is destroyed. Called at once if the
  // daemon drains already. `on_drain` must not block, and must not destroy its own handle.
  using Handle = std::shared_ptr<const void>;
  Handle OnDrain(std::function<void()> on_drain);

 private:
  enum class State { kRecovering, kServing, kDraining };

  const std::string incarnation_;
  RequestBudget requests_;
  std::atomic<uint64_t> ingest_streams_{0};
  mutable std::mutex mutex_;
  State state_ = State::kRecovering;
  Engine* engine_ = nullptr;
  uint64_t calls_ = 0;
  std::condition_variable calls_done_;
  std::list<std::weak_ptr<const std::function<void()>>> listeners_;
};

}  // namespace kindred::daemon
