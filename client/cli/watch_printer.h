// Prints what a watch tells: a line a match, flushed, so that whoever reads a pipe has it at once.
//
// As JSON also a line for each message that tells how far the watch is: {"position":12,"behind":0}; --after
// 12 goes on from there.
//
// Threads: one caller at a time.

#pragma once

#include <string>

#include "absl/status/status.h"
#include "client/cli/output.h"
#include "client/cli/session.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::cli {

class WatchPrinter {
 public:
  // `session` must outlive this.
  explicit WatchPrinter(const Session& session) : session_(session), output_(session.out()) {}

  absl::Status Print(const v1::WatchResponse& message);

  uint64_t matches() const { return matches_; }

 private:
  std::string ToText(const v1::WatchResponse::Match& match);

  const Session& session_;
  Output output_;
  uint64_t matches_ = 0;
};

}  // namespace kindred::cli
