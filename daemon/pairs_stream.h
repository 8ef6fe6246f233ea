// Makes the messages of a Pairs call: pairs as they are found, and how far it got.
//
// A message takes a twentieth of a second to make, or as long as it takes to fill it; then other calls get
// their turn, and nothing goes on until the client has taken it. What is found waits in the message, or for
// the next.

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "daemon/server_stream.h"
#include "index/base/parallel.h"
#include "index/engine/engine.h"
#include "index/engine/pair_expansion.h"
#include "index/engine/pair_search.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

class PairsStream {
 public:
  using Request = v1::PairsRequest;
  using Response = v1::PairsResponse;

  PairsStream(const Engine& engine, Request request) : engine_(engine), request_(std::move(request)) {}

  absl::StatusOr<bool> Next(Response& message, const Interrupt& interrupt);
  std::vector<LogField> LogFields() const;

 private:
  using Clock = std::chrono::steady_clock;

  absl::Status Begin(const Interrupt& interrupt);
  absl::Status Fill(Response& message, Clock::time_point start, const Interrupt& interrupt);

  const Engine& engine_;
  const Request request_;
  ParallelFor parallel_for_;
  std::unique_ptr<PairSearch> search_;  // Begun with the first message.
  std::optional<PairExpansion> expansion_;
  bool searched_ = false;  // All pairs are in expansion_, or were.
  bool done_ = false;      // The last message was made.
  uint64_t pairs_ = 0;
  Clock::time_point flushed_;
  Clock::duration took_{};
};

}  // namespace kindred::daemon
