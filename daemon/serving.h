// Whether calls are taken: not before the index is recovered, not once the daemon drains, not from those who
// may not make them. Counts those under way, so that a stop can wait for them.
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
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "daemon/edge/access.h"
#include "daemon/monitor.h"
#include "daemon/request_budget.h"
#include "daemon/timer.h"
#include "index/engine/engine.h"

namespace kindred::daemon {

class Serving {
 public:
  // A call that was let in. It holds the token until gRPC is done with it; the engine lives that long.
  struct Admission {
    Engine* engine = nullptr;
    std::shared_ptr<const void> token;
  };

  // Both must outlive this.
  Serving(Access& access, Monitor& monitor);

  // Where calls are counted.
  Monitor& monitor() const { return monitor_; }

  // What happens at the doors.
  EdgeCounters& edge() const { return access_.counters(); }

  // Differs in every process.
  const std::string& incarnation() const { return incarnation_; }

  // From now on calls are let in. `engine` must outlive them.
  void Start(Engine& engine);
  // From now on they are not; everything that listens is told once.
  void Drain();
  // Until no admitted call is left, or the deadline.
  void WaitForCalls(std::chrono::steady_clock::time_point deadline);

  // The one way to the engine: UNAUTHENTICATED or PERMISSION_DENIED for a caller who may not make this call,
  // UNAVAILABLE while recovering or draining. FinishRefused (refusal.h) ends a call that was not let in.
  absl::StatusOr<Admission> Admit(const grpc::CallbackServerContext& context);
  bool draining() const;
  // Whether calls are let in.
  bool ready() const;
  // The engine while they are, for what the daemon itself wants to know of it.
  std::optional<Admission> Borrow();

  // The memory of requests that are being answered.
  RequestBudget& requests() { return requests_; }

  // Where large requests are looked at and parsed (request_bytes.h): one thread, which searches go before.
  // What waits for it is leased from requests().
  Executor& large_requests() { return large_requests_; }

  // For what has to happen later.
  Timer& timer() { return timer_; }

  // Ingest streams under way: they share ingest_window_bytes.
  std::atomic<uint64_t>& ingest_streams() { return ingest_streams_; }

  // Tells a long stream when to wind up; forgotten when the handle is destroyed. Called at once if the
  // daemon drains already. `on_drain` must not block, and must not destroy its own handle.
  using Handle = std::shared_ptr<const void>;
  Handle OnDrain(std::function<void()> on_drain);

 private:
  enum class State { kRecovering, kServing, kDraining };

  Admission Enter();  // REQUIRES: mutex_ is held, and calls are let in.

  Access& access_;
  Monitor& monitor_;
  const std::string incarnation_;
  RequestBudget requests_;
  Executor large_requests_{1, UINT64_MAX, Priority::kSecond};
  Timer timer_;
  std::atomic<uint64_t> ingest_streams_{0};
  mutable std::mutex mutex_;
  State state_ = State::kRecovering;
  Engine* engine_ = nullptr;
  uint64_t calls_ = 0;
  std::condition_variable calls_done_;
  std::list<std::weak_ptr<const std::function<void()>>> listeners_;
};

}  // namespace kindred::daemon
