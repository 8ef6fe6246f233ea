// A run that streams the records of files into the daemon: what ingest and novel have in common.
//
// Threads: one caller at a time.

#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/cli/exit_code.h"
#include "client/cli/not_novel_printer.h"
#include "client/cli/read_flags.h"
#include "client/cli/record_run.h"
#include "client/cli/session.h"
#include "client/ingest_stream.h"
#include "kindred/v1/kindred.pb.h"

namespace CLI {
class App;
}

namespace kindred::cli {

struct IngestFlags {
  RecordFlags records;
  v1::WriteMode mode = v1::WRITE_MODE_UPSERT;
  std::string client_id;
  double reconnect_seconds = 60;
};

void AddIngestFlags(CLI::App& app, IngestFlags& flags);

// Records are stored only if they are novel; the others are printed. `printer` must outlive the run.
struct Novelty {
  v1::NoveltyRule rule;
  NotNovelPrinter& printer;
};

class Ingestion {
 public:
  // Both must outlive this.
  Ingestion(Session& session, const IngestFlags& flags, std::optional<Novelty> novelty = std::nullopt)
      : session_(session), flags_(flags), novelty_(std::move(novelty)), run_(session, flags.records) {}

  absl::StatusOr<ExitCode> Run();

 private:
  client::IngestOptions Options();
  absl::Status Send(std::string record, client::Position position);
  absl::Status WaitForEnd();
  // While there is nothing to do but wait. Nobody who pressed Ctrl-C wants to wait for a daemon to come back.
  bool GivesUp();
  // In the progress, or where there is none in a line for each loss and return.
  void ShowConnection();
  absl::Status ShowNotNovel(bool at_end);
  std::vector<client::ConnectionChange> TakeChanges();
  absl::Status PrintSummary();

  Session& session_;
  const IngestFlags& flags_;
  const std::optional<Novelty> novelty_;
  RecordRun run_;
  bool is_lost_ = false;  // The connection.
  std::mutex mutex_;      // Guards the changes.
  std::vector<client::ConnectionChange> changes_;
  std::unique_ptr<client::IngestStream> stream_;  // Last: its thread calls the others.
};

}  // namespace kindred::cli
