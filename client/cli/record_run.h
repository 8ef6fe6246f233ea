// One run over the records of files: reads them, hands each to a command, shows how far it is, lists those
// that are rejected, and sums up.
//
// Threads: Reject from any thread; the rest by one caller at a time.
// Invariants: from Run on, the first Ctrl-C only stops the reading (interrupt.h).

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "client/cli/exit_code.h"
#include "client/cli/interrupt.h"
#include "client/cli/json.h"
#include "client/cli/progress.h"
#include "client/cli/read_flags.h"
#include "client/cli/rejection_log.h"
#include "client/cli/session.h"
#include "client/frame_queue.h"

namespace kindred::cli {

// How often whoever waits looks for Ctrl-C and draws.
inline constexpr std::chrono::milliseconds kTick{100};

class RecordRun {
 public:
  // Takes a serialised record; anything but OK ends the run.
  using Take = std::function<absl::Status(std::string record, client::Position position)>;

  // A line of the summary: for people and in JSON, only in JSON, or for people only when it is not 0.
  enum class Shown { kAlways, kIfAny, kJson };
  struct Count {
    std::string name;
    uint64_t value = 0;
    Shown shown = Shown::kAlways;
  };

  RecordRun(const Session& session, const RecordFlags& flags);

  // A wrong name among many files should be seen before the first is read.
  absl::Status CheckFiles() const;

  // Until the files end, `take` fails, Ctrl-C, or the first rejection if that is to be the end.
  // `molecule_scheme`: of the index that the records are for; empty: none.
  absl::Status Run(const std::string& molecule_scheme, const Take& take);

  void Reject(client::Position position, const std::string& id, const absl::Status& status);

  // Prints what was rejected since the last call, and how far it is.
  void Show();

  // Stands behind the progress from now on.
  void SetNote(std::string note) { note_ = std::move(note); }

  // Removes the progress until the next Show, for who prints something else.
  void ClearProgress() { progress_.Clear(); }

  // Prints a line, beside the progress.
  void Say(std::string_view message);

  // The counts, the seconds, and how many of `done` that is a second.
  absl::Status PrintSummary(FILE* out, const std::vector<Count>& counts, uint64_t done);

  bool shows_progress() const { return shows_progress_; }
  bool interrupted() const { return interrupt_.has_value() && interrupt_->interrupted(); }
  // Whether Run ended before the files did because that was asked for.
  bool stopped() const { return interrupted() || StopsAtRejection(); }
  uint64_t read() const { return read_; }
  uint64_t rejected() const { return log_.count(); }
  // When nothing failed.
  ExitCode code() const;

 private:
  bool StopsAtRejection() const { return flags_.on_error == OnError::kStop && log_.count() > 0; }
  void ShowRejections();
  Json SummaryJson(const std::vector<Count>& counts, double seconds, double rate) const;

  const Session& session_;
  const RecordFlags& flags_;
  const bool lists_all_;
  const bool shows_progress_;
  RejectionLog log_;
  Progress progress_;
  std::optional<InterruptScope> interrupt_;
  std::chrono::steady_clock::time_point start_;
  uint64_t read_ = 0;
  size_t source_ = 0;
  std::string note_;
  Json rejections_ = Json::array();
};

}  // namespace kindred::cli
