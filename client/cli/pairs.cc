// kindred pairs: all pairs of graphs that are similar enough, of the index or of a file and the index.

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "CLI/CLI.hpp"
#include "client/cli/commands.h"
#include "client/cli/interrupt.h"
#include "client/cli/output.h"
#include "client/cli/pair_flags.h"
#include "client/cli/pairs_text.h"
#include "client/cli/progress.h"
#include "client/cli/read_flags.h"
#include "client/cli/rejection_log.h"
#include "client/cli/session.h"
#include "client/cli/terminal.h"
#include "client/formats/record_reader.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

struct PairsFlags {
  PairFlags pairs;
  std::string file;
  ReadFlags read;
};

// Prints what comes in, and how far it is.
class PairsPrinter {
 public:
  PairsPrinter(const Session& session, Output output)
      : session_(session),
        output_(std::move(output)),
        text_(session.options.json, WantsColour(session.out()) && output_.is_standard()),
        // Lines that run over the terminal would tear the progress apart.
        progress_(session.err(),
                  IsTerminal(session.err()) && !(output_.is_standard() && IsTerminal(session.out())),
                  "graphs") {}

  absl::Status Print(const v1::PairsResponse& message) {
    pairs_ += static_cast<uint64_t>(message.pairs_size());
    progress_.Update(message.graphs_done(), message.graphs() > 0
                                                ? fmt::format("of {}, {} pairs", message.graphs(), pairs_)
                                                : fmt::format("{} pairs", pairs_));
    KINDRED_RETURN_IF_ERROR(output_.Write(text_.Lines(message)));
    if (message.has_stats()) {
      last_ = message;
    }
    // What is found late is to be seen early.
    return message.pairs_size() > 0 && output_.is_standard() ? output_.Flush() : absl::OkStatus();
  }

  void Say(const std::string& line) {
    progress_.Clear();
    session_.Say(line);
  }

  absl::Status Finish() {
    progress_.Clear();
    if (!last_.has_stats()) {
      return DataLoss("the daemon ended the pairs before their end");
    }
    KINDRED_RETURN_IF_ERROR(output_.Write(text_.End(last_)));
    return output_.Close();
  }

 private:
  const Session& session_;
  Output output_;
  PairsText text_;
  Progress progress_;
  uint64_t pairs_ = 0;
  v1::PairsResponse last_;
};

// False when some graphs of the file could not be compared; each is reported.
absl::StatusOr<bool> ComparePairs(client::Client& client, const v1::PairsRequest& request,
                                  const PairsFlags& flags, PairsPrinter& printer) {
  KINDRED_ASSIGN_OR_RETURN(const v1::StatsResponse stats, client.Stats());
  KINDRED_ASSIGN_OR_RETURN(const formats::ReadOptions options,
                           ReadOptionsFor(flags.read, stats.molecule_scheme()));
  KINDRED_ASSIGN_OR_RETURN(const auto reader, formats::OpenRecords(flags.file, options));
  // Where each record that was sent stands in the file: the daemon tells of it by its number.
  std::mutex mutex;
  std::deque<uint64_t> positions;
  uint64_t first = 0;
  bool all = true;
  const auto report = [&](uint64_t position, const std::string& id, const absl::Status& status) {
    all = false;
    printer.Say(ToLine({flags.file, position, id, status}));
  };
  const auto next = [&]() -> std::optional<v1::Record> {
    while (auto result = reader->Next()) {
      const std::scoped_lock lock(mutex);
      if (result->record.ok()) {
        positions.push_back(result->position);
        return *std::move(result->record);
      }
      report(result->position, result->id, result->record.status());
    }
    return std::nullopt;
  };
  KINDRED_RETURN_IF_ERROR(client.PairsBetween(request, next, [&](const v1::PairsResponse& message) {
    const std::scoped_lock lock(mutex);
    for (const v1::PairsResponse::Rejected& rejected : message.rejected()) {
      report(positions[rejected.index() - first], rejected.id(),
             absl::Status(static_cast<absl::StatusCode>(rejected.code()), rejected.message()));
    }
    for (; first < message.graphs_done(); ++first) {
      positions.pop_front();
    }
    return printer.Print(message);
  }));
  return all;
}

absl::StatusOr<ExitCode> RunPairs(const Session& session, const PairsFlags& flags) {
  KINDRED_ASSIGN_OR_RETURN(const v1::PairsRequest request, ToRequest(flags.pairs));
  KINDRED_ASSIGN_OR_RETURN(const auto client, session.Connect());
  KINDRED_ASSIGN_OR_RETURN(Output output, Output::Open(flags.pairs.output, session.out()));
  PairsPrinter printer(session, std::move(output));
  bool all = true;
  if (flags.file.empty()) {
    const InterruptScope interrupt;
    const absl::Status status = client->Pairs(request, [&](const v1::PairsResponse& message) {
      return interrupt.interrupted() ? absl::CancelledError() : printer.Print(message);
    });
    if (interrupt.interrupted()) {
      printer.Say("interrupted: these are not all pairs");
      return ExitCode::kInterrupted;
    }
    KINDRED_RETURN_IF_ERROR(status);
  } else {
    KINDRED_ASSIGN_OR_RETURN(all, ComparePairs(*client, request, flags, printer));
  }
  KINDRED_RETURN_IF_ERROR(printer.Finish());
  return all ? ExitCode::kOk : ExitCode::kPartly;
}

}  // namespace

Command AddPairs(CLI::App& parent) {
  const auto flags = std::make_shared<PairsFlags>();
  CLI::App& app = *parent.add_subcommand("pairs", "all pairs of graphs that are similar enough, exactly");
  AddPairFlags(app, flags->pairs);
  app.add_option(
         "--file", flags->file,
         "pairs of a graph of this file and a stored one, instead of two stored ones; - is standard input")
      ->type_name("FILE")
      ->check([](const std::string& text) { return std::string(text.empty() ? "is empty" : ""); });
  AddReadFlags(app, flags->read);
  app.footer(
      "Pairs come as they are found, in no particular order; those of a file in its order. The whole has no "
      "time\n"
      "limit unless --timeout is given. Exit code 3: some graphs of the file could not be compared; they are "
      "reported.");
  return {&app, [flags](Session& session) { return RunPairs(session, *flags); }};
}

}  // namespace kindred::cli
