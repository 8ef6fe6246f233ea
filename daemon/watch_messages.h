// Makes the messages of a Watch call, a bounded step at a time: prepares the queries, then follows the
// commits.
//
// A message is made when there are matches; when the watch has caught up with what it was told to be behind;
// and, so that a client's position moves, at most kProgressEvery after the position did.
//
// Threads: one caller at a time.

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "index/engine/watch.h"
#include "index/search/interrupt.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

// How long a client's position may stand still while commits without a match go by.
inline constexpr std::chrono::seconds kProgressEvery{1};

class WatchMessages {
 public:
  using Clock = std::chrono::steady_clock;

  // `engine` must outlive this.
  WatchMessages(const Engine& engine, v1::WatchRequest request, std::string incarnation)
      : engine_(engine), request_(std::move(request)), incarnation_(std::move(incarnation)) {}

  // The next step; true when it made a message.
  absl::StatusOr<bool> Step(v1::WatchResponse& message, const Interrupt& interrupt);

  // Whether another step would find something to do without another commit.
  bool has_work() const { return watch_ == nullptr || !prepared_ || !watch_->up_to_date(); }
  // When there will be a message all the same.
  std::optional<Clock::time_point> next_message() const;

 private:
  absl::Status Prepare();
  void Note(const v1::WatchResponse& message);

  const Engine& engine_;
  v1::WatchRequest request_;  // Until it is prepared.
  const std::string incarnation_;
  std::unique_ptr<Watch> watch_;
  std::set<std::string_view> names_;  // Of the queries so far, while they are prepared.
  bool prepared_ = false;

  // Of the last message.
  Clock::time_point told_at_;
  uint64_t told_sequence_ = 0;
  bool told_behind_ = false;
  // Reached since.
  uint64_t sequence_ = 0;
};

}  // namespace kindred::daemon
