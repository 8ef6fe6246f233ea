#include "client/cli/ingestion.h"

#include <chrono>
#include <utility>

#include "CLI/CLI.hpp"
#include "client/cli/choice.h"
#include "index/base/status.h"

namespace kindred::cli {

absl::StatusOr<ExitCode> Ingestion::Run() {
  KINDRED_RETURN_IF_ERROR(run_.CheckFiles());
  KINDRED_ASSIGN_OR_RETURN(const auto client, session_.Connect());
  KINDRED_ASSIGN_OR_RETURN(const v1::StatsResponse stats, client->Stats());
  KINDRED_ASSIGN_OR_RETURN(stream_, client->Ingest(Options(), [this](const client::Rejection& rejection) {
    run_.Reject(rejection.position, rejection.id, rejection.status);
  }));
  absl::Status status = run_.Run(
      stats.molecule_scheme(),
      [this](std::string record, client::Position position) { return Send(std::move(record), position); });
  status.Update(WaitForEnd());
  KINDRED_RETURN_IF_ERROR(ShowNotNovel(true));
  KINDRED_RETURN_IF_ERROR(PrintSummary());
  if (!run_.interrupted()) {
    KINDRED_RETURN_IF_ERROR(status);
  }
  return run_.code();
}

client::IngestOptions Ingestion::Options() {
  client::IngestOptions options;
  options.client_id = flags_.client_id;
  options.mode = flags_.mode;
  options.reconnect_for = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(flags_.reconnect_seconds));
  options.on_connection = [this](const client::ConnectionChange& change) {
    const std::scoped_lock lock(mutex_);
    changes_.push_back(change);
  };
  if (novelty_.has_value()) {
    options.novelty = novelty_->rule;
    options.on_not_novel = [this](const client::NotNovel& record) { novelty_->printer.Take(record); };
  }
  return options;
}

absl::Status Ingestion::Send(std::string record, client::Position position) {
  ShowConnection();
  KINDRED_RETURN_IF_ERROR(ShowNotNovel(false));
  while (true) {
    KINDRED_ASSIGN_OR_RETURN(const bool taken, stream_->TrySend(record, position, kTick));
    if (taken || GivesUp()) {
      return absl::OkStatus();
    }
  }
}

absl::Status Ingestion::WaitForEnd() {
  stream_->Close();
  while (!stream_->WaitUntilEnded(kTick)) {
    if (GivesUp()) {
      stream_->Cancel();
    }
  }
  ShowConnection();
  return stream_->Finish().status();
}

bool Ingestion::GivesUp() {
  ShowConnection();
  run_.Show();
  return run_.interrupted() && is_lost_;
}

void Ingestion::ShowConnection() {
  for (const client::ConnectionChange& change : TakeChanges()) {
    const bool was_lost = std::exchange(is_lost_, change.attempt > 0);
    const std::string resumed = fmt::format("resumed at frame {}", change.durable_frame + 1);
    if (run_.shows_progress()) {
      run_.SetNote(is_lost_ ? fmt::format("connection lost, trying again (attempt {}) ...", change.attempt)
                            : resumed);
    } else if (!is_lost_) {
      run_.Say(resumed);
    } else if (!was_lost) {
      run_.Say(fmt::format("connection lost, trying again ({})", std::string(change.reason.message())));
    }
  }
}

absl::Status Ingestion::ShowNotNovel(bool at_end) {
  if (!novelty_.has_value() || !novelty_->printer.HasSome(at_end)) {
    return absl::OkStatus();
  }
  run_.ClearProgress();
  return novelty_->printer.Print();
}

std::vector<client::ConnectionChange> Ingestion::TakeChanges() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(changes_, {});
}

absl::Status Ingestion::PrintSummary() {
  using Shown = RecordRun::Shown;
  const client::IngestSummary summary = stream_->summary();
  const uint64_t stored = summary.inserted + summary.replaced;
  // Sent, but the stream broke before the daemon said what became of them.
  const uint64_t unacknowledged =
      run_.read() - stored - summary.not_novel - run_.rejected() - summary.unreported;
  if (summary.unreported > 0) {
    run_.Say(
        fmt::format("{} records are in the daemon's hands for good, but the connection was lost before "
                    "it told which of them it stored or rejected",
                    summary.unreported));
  }
  std::vector<RecordRun::Count> counts{
      {"read", run_.read()}, {"stored", stored}, {"replaced", summary.replaced}};
  if (novelty_.has_value()) {
    counts.push_back({"not_novel", summary.not_novel});
  }
  counts.insert(counts.end(), {{"rejected", run_.rejected()},
                               {"unreported", summary.unreported, Shown::kIfAny},
                               {"unacknowledged", unacknowledged, Shown::kIfAny},
                               {"sequence", summary.sequence, Shown::kJson},
                               {"durable_frame", summary.durable_frame, Shown::kJson}});
  return run_.PrintSummary(session_.out(), counts, stored + summary.not_novel + summary.unreported);
}

void AddIngestFlags(CLI::App& app, IngestFlags& flags) {
  AddWords(app, "FILE", flags.records.files,
           "files to read, or TU data sets (a directory or archive); - is standard input; .gz, .xz and .zst "
           "are read as they are");
  AddRecordFlags(app, flags.records, "what was sent before it stays");
  AddChoice<v1::WriteMode>(
      app, "--mode", flags.mode,
      {{"upsert", v1::WRITE_MODE_UPSERT},
       {"insert", v1::WRITE_MODE_INSERT},
       {"replace", v1::WRITE_MODE_REPLACE}},
      "upsert: insert or replace; insert: reject ids that are there; replace: reject ids "
      "that are not");
  app.add_option("--reconnect-for", flags.reconnect_seconds,
                 "seconds to try to get a lost connection back and go on; 0: not at all")
      ->type_name("S")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  app.add_option("--client-id", flags.client_id,
                 "name of this stream, the same each time it is started; no other may use it meanwhile "
                 "(default: a new one)")
      ->type_name("ID");
}

}  // namespace kindred::cli
