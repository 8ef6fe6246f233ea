// kindred ingest: streams the records of files into the daemon.

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "CLI/CLI.hpp"
#include "client/cli/choice.h"
#include "client/cli/commands.h"
#include "client/cli/interrupt.h"
#include "client/cli/json.h"
#include "client/cli/output.h"
#include "client/cli/progress.h"
#include "client/cli/read_flags.h"
#include "client/cli/record_feed.h"
#include "client/cli/rejection_log.h"
#include "client/cli/session.h"
#include "client/cli/table.h"
#include "client/cli/terminal.h"
#include "client/cli/text.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

constexpr uint64_t kRejectionsShown = 20;
// How often the main loop looks for Ctrl-C and draws, when no record comes.
constexpr std::chrono::milliseconds kTick{100};

enum class OnError { kSkip, kStop };

struct IngestFlags {
  std::vector<std::string> files;
  formats::ReadOptions read;
  std::string labels = "element";
  OnError on_error = OnError::kSkip;
  v1::WriteMode mode = v1::WRITE_MODE_UPSERT;
  bool verbose = false;
};

// A wrong name among many files should be seen before the first is stored.
absl::Status CheckReadable(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (file != "-" && ::access(file.c_str(), R_OK) != 0) {
      return MakeStatus(absl::StatusCode::kNotFound, "cannot read {}: {}", file, std::strerror(errno));
    }
  }
  return absl::OkStatus();
}

class Ingestion {
 public:
  Ingestion(Session& session, const IngestFlags& flags)
      : session_(session),
        flags_(flags),
        lists_all_(flags.verbose || session.options.json),
        log_(lists_all_ ? std::numeric_limits<uint64_t>::max() : kRejectionsShown),
        progress_(session.err(), IsTerminal(session.err()), "records") {}

  absl::StatusOr<ExitCode> Run() {
    KINDRED_RETURN_IF_ERROR(CheckReadable(flags_.files));
    KINDRED_ASSIGN_OR_RETURN(const auto client, session_.Connect());
    client::IngestOptions options;
    options.mode = flags_.mode;
    KINDRED_ASSIGN_OR_RETURN(stream_, client->Ingest(options, [this](const client::Rejection& rejection) {
      Reject(rejection.position, rejection.id, rejection.status);
    }));
    const auto start = std::chrono::steady_clock::now();
    const InterruptScope interrupt;
    absl::Status status = SendAll(interrupt);
    if (const auto finished = stream_->Finish(); status.ok()) {
      status = finished.status();
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    ShowRejections();
    KINDRED_RETURN_IF_ERROR(PrintSummary(took.count()));
    if (interrupt.interrupted()) {
      return ExitCode::kInterrupted;
    }
    KINDRED_RETURN_IF_ERROR(status);
    return log_.count() > 0 ? ExitCode::kPartly : ExitCode::kOk;
  }

 private:
  // Until the files end, the stream breaks, Ctrl-C, or the first rejection if that is to be the end.
  absl::Status SendAll(const InterruptScope& interrupt) {
    RecordFeed feed(flags_.files, flags_.read);
    while (!interrupt.interrupted() && !(flags_.on_error == OnError::kStop && log_.count() > 0)) {
      RecordFeed::Next next = feed.Take(kTick);
      if (const auto* const end = std::get_if<RecordFeed::End>(&next)) {
        return end->status;
      }
      if (auto* const item = std::get_if<RecordFeed::Item>(&next)) {
        ++read_;
        source_ = item->source;
        const client::Position position{item->source, item->result.position};
        if (!item->result.record.ok()) {
          Reject(position, item->result.id, item->result.record.status());
        } else {
          KINDRED_RETURN_IF_ERROR(stream_->Send(*item->result.record, position));
        }
      }
      ShowRejections();
      progress_.Update(read_, flags_.files[source_]);
    }
    return absl::OkStatus();
  }

  // Also called on the stream's reader thread.
  void Reject(client::Position position, const std::string& id, const absl::Status& status) {
    log_.Add(RejectedRecord{flags_.files[position.source], position.record, id, status});
  }

  void ShowRejections() {
    for (const RejectedRecord& record : log_.Take()) {
      progress_.Clear();
      fmt::print(session_.err(), "{}\n", ToLine(record));
      if (session_.options.json) {
        rejections_.push_back(ToJson(record));
      }
    }
  }

  absl::Status PrintSummary(double seconds) {
    progress_.Clear();
    if (!lists_all_ && log_.count() > kRejectionsShown) {
      fmt::print(session_.err(), "... and {} more (--verbose lists all)\n", log_.count() - kRejectionsShown);
    }
    const client::IngestSummary summary = stream_->summary();
    const uint64_t stored = summary.inserted + summary.replaced;
    // Sent, but the stream broke before the daemon said what became of them.
    const uint64_t unacknowledged = read_ - stored - log_.count();
    const double rate = seconds > 0 ? static_cast<double>(stored) / seconds : 0;
    Output output(session_.out());
    if (session_.options.json) {
      const Json json = {{"read", read_},
                         {"stored", stored},
                         {"replaced", summary.replaced},
                         {"rejected", log_.count()},
                         {"unacknowledged", unacknowledged},
                         {"seconds", JsonNumber(seconds)},
                         {"graphs_per_second", JsonNumber(rate)},
                         {"sequence", summary.sequence},
                         {"rejections", rejections_}};
      return output.Write(JsonLine(json));
    }
    Table table({{"", Align::kLeft}, {"", Align::kRight}});
    table.AddRow({"read", std::to_string(read_)});
    table.AddRow({"stored", std::to_string(stored)});
    table.AddRow({"replaced", std::to_string(summary.replaced)});
    table.AddRow({"rejected", std::to_string(log_.count())});
    if (unacknowledged > 0) {
      table.AddRow({"unacknowledged", std::to_string(unacknowledged)});
    }
    table.AddRow({"seconds", fmt::format("{:.2f}", seconds)});
    table.AddRow({"graphs/s", fmt::format("{:.0f}", rate)});
    return output.Write(table.Render(false));
  }

  Session& session_;
  const IngestFlags& flags_;
  const bool lists_all_;
  RejectionLog log_;
  Progress progress_;
  uint64_t read_ = 0;
  size_t source_ = 0;
  Json rejections_ = Json::array();
  std::unique_ptr<client::IngestStream> stream_;  // Last: its thread calls Reject.
};

}  // namespace

Command AddIngest(CLI::App& parent) {
  const auto flags = std::make_shared<IngestFlags>();
  CLI::App& app = *parent.add_subcommand("ingest", "stream graphs in");
  AddWords(app, "FILE", flags->files,
           "files to read, or TU data sets (a directory or archive); - is standard input; .gz, .xz and .zst "
           "are read as they are");
  AddFormatFlag(app, flags->read);
  app.add_option("--labels", flags->labels, "what labels the atoms of a molecule")
      ->check([](const std::string& word) {
        return word == "element" ? std::string() : "\"" + word + "\" is not possible, only \"element\" is";
      })
      ->type_name("element")
      ->capture_default_str();
  AddEdgeLabelsFlag(app, flags->read);
  AddChoice<OnError>(app, "--on-error", flags->on_error, {{"skip", OnError::kSkip}, {"stop", OnError::kStop}},
                     "after a rejected record go on, or stop (what was sent before it stays)");
  AddChoice<v1::WriteMode>(
      app, "--mode", flags->mode,
      {{"upsert", v1::WRITE_MODE_UPSERT},
       {"insert", v1::WRITE_MODE_INSERT},
       {"replace", v1::WRITE_MODE_REPLACE}},
      "upsert: insert or replace; insert: reject ids that are there; replace: reject ids "
      "that are not");
  app.add_flag("-v,--verbose", flags->verbose, "list all rejected records, not only the first 20");
  app.footer(
      "The summary counts what was read, stored (new ones and replaced ones), replaced and rejected.\n"
      "Ctrl-C stops reading, waits for what is under way and prints the summary; twice ends at once.\n"
      "The whole has no time limit unless --timeout is given.");
  return {&app, [flags](Session& session) { return Ingestion(session, *flags).Run(); }};
}

}  // namespace kindred::cli
