// Whether a call may run: the one place where that is decided, before a handler has done anything.
//
// Without tokens (--tokens) whoever can connect may do everything, except that a user of --socket-uid
// UID=ROLE may do what the role may. With tokens a call needs one, or such a user's connection; a token that
// is sent is what counts.
//
// Threads: everything from any thread.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "absl/status/status.h"
#include "daemon/edge/attempts.h"
#include "daemon/edge/call_context.h"
#include "daemon/edge/secrets.h"

namespace kindred::daemon {

class Access {
 public:
  // `secrets` must outlive this.
  explicit Access(const Secrets& secrets) : secrets_(secrets) {}

  // UNAUTHENTICATED: who is it? PERMISSION_DENIED: not this one. DelayOf tells when to say so.
  absl::Status Check(const CallContext& call);

  // Calls that could not say who they are, and those of callers whose role was not enough.
  uint64_t unauthenticated() const { return attempts_.failures(); }
  uint64_t denied() const { return denied_.load(); }

 private:
  struct Caller;

  absl::StatusOr<Caller> Identify(const CallContext& call) const;
  // Notes the failure, logs some of them, and says how long the answer is held back.
  absl::Status Unauthenticated(const CallContext& call, absl::Status status);

  const Secrets& secrets_;
  Attempts attempts_;
  std::atomic<uint64_t> denied_{0};
};

// How long an answer that refuses a call is held back.
std::chrono::milliseconds DelayOf(const absl::Status& refusal);

}  // namespace kindred::daemon
