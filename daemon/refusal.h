// Ends a call that is refused: at once, or later when its peer fails too often or asks too much.
//
// Threads: any. Nothing blocks; an answer that waits holds its call.

#pragma once

#include <atomic>
#include <chrono>

#include "absl/status/status.h"
#include "daemon/edge/access.h"
#include "daemon/errors.h"
#include "daemon/timer.h"

namespace kindred::daemon {

// Answers that wait at a time; more are given at once, so that they cost no memory.
inline constexpr int kHeldBackMax = 1'024;
inline std::atomic<int> held_back{0};

// `reactor` must not be deleted before OnDone; the timer must outlive it.
template <typename Reactor>
void FinishAt(Timer& timer, Timer::Clock::time_point time, Reactor* reactor, const grpc::Status& status) {
  if (time <= Timer::Clock::now() || held_back.load() >= kHeldBackMax) {
    reactor->Finish(status);
    return;
  }
  ++held_back;
  timer.CallAt(time, [reactor, status] {
    --held_back;
    reactor->Finish(status);
  });
}

// A call that was not let in.
template <typename Reactor>
void FinishRefused(Timer& timer, Reactor* reactor, const absl::Status& refusal) {
  FinishAt(timer, Timer::Clock::now() + DelayOf(refusal), reactor, ToGrpc(refusal));
}

}  // namespace kindred::daemon
