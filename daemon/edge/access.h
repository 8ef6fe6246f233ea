// Whether a call may run: the one place where that is decided, before a handler has done anything.
//
// Without tokens (--tokens) whoever can connect may do everything, except that a user of --socket-uid
// UID=ROLE may do what the role may, and a client with a certificate what --tls-client-role says. With tokens
// a call needs one, or such a user's connection; a token that is sent is what counts.
//
// Threads: everything from any thread.

#pragma once

#include <chrono>

#include "absl/status/status.h"
#include "daemon/edge/attempts.h"
#include "daemon/edge/call_context.h"
#include "daemon/edge/edge_counters.h"
#include "daemon/edge/role.h"
#include "daemon/edge/secrets.h"

namespace kindred::daemon {

class Access {
 public:
  // `secrets` must outlive this. `certificate_role` is that of a client with a certificate where there are no
  // tokens.
  explicit Access(const Secrets& secrets, Role certificate_role = Role::kReadWrite)
      : secrets_(secrets), certificate_role_(certificate_role) {}

  // UNAUTHENTICATED: who is it? PERMISSION_DENIED: not this one. DelayOf tells when to say so.
  absl::Status Check(const CallContext& call);

  // Of everything at the doors, not of calls alone.
  EdgeCounters& counters() { return counters_; }

 private:
  struct Caller;

  absl::StatusOr<Caller> Identify(const CallContext& call) const;
  // Notes the failure, logs some of them, and says how long the answer is held back.
  absl::Status Unauthenticated(const CallContext& call, absl::Status status);

  const Secrets& secrets_;
  const Role certificate_role_;
  Attempts attempts_;
  EdgeCounters counters_;
};

// How long an answer that refuses a call is held back.
std::chrono::milliseconds DelayOf(const absl::Status& refusal);

}  // namespace kindred::daemon
