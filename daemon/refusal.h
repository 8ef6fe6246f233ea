// Ends a call that was not let in: at once, or later when its peer fails too often.
//
// Threads: any. Nothing blocks; an answer that waits holds its call and a timer of gRPC's.

#pragma once

#include <atomic>
#include <chrono>
#include <memory>

#include "absl/status/status.h"
#include "daemon/edge/access.h"
#include "daemon/errors.h"
#include "daemon/grpc_time.h"
#include "grpcpp/alarm.h"

namespace kindred::daemon {

// Answers that wait at a time; more are given at once, so that they cost no memory.
inline constexpr int kHeldBackMax = 1'024;
inline std::atomic<int> held_back{0};

// `reactor` must not be deleted before OnDone.
template <typename Reactor>
void FinishRefused(Reactor* reactor, const absl::Status& refusal) {
  const std::chrono::milliseconds delay = DelayOf(refusal);
  if (delay.count() == 0 || held_back.load() >= kHeldBackMax) {
    reactor->Finish(ToGrpc(refusal));
    return;
  }
  ++held_back;
  auto alarm = std::make_shared<grpc::Alarm>();
  grpc::Alarm& timer = *alarm;
  timer.Set(ToTimespec(std::chrono::steady_clock::now() + delay), [reactor, refusal, alarm](bool) mutable {
    --held_back;
    reactor->Finish(ToGrpc(refusal));
    alarm.reset();
  });
}

}  // namespace kindred::daemon
