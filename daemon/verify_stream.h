// Makes the messages of a Verify call: one a step of the audit, the last with the findings.

#pragma once

#include <optional>

#include "daemon/server_stream.h"
#include "index/engine/engine.h"
#include "index/engine/verify.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

class VerifyStream {
 public:
  using Request = v1::VerifyRequest;
  using Response = v1::VerifyResponse;

  VerifyStream(const Engine& engine, const Request&) : engine_(engine) {}

  absl::StatusOr<bool> Next(Response& message, const Interrupt& interrupt);

 private:
  const Engine& engine_;
  std::shared_ptr<const Snapshot> snapshot_;  // Taken with the first message.
  std::optional<Verifier> verifier_;
  bool done_ = false;
};

}  // namespace kindred::daemon
