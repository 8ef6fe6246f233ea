// kindred compact: gives back what deleted and replaced graphs still take of a running index.

#include <string>

#include "CLI/CLI.hpp"
#include "client/cli/commands.h"
#include "client/cli/interrupt.h"
#include "client/cli/json.h"
#include "client/cli/output.h"
#include "client/cli/progress.h"
#include "client/cli/session.h"
#include "client/cli/terminal.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

std::string StageName(v1::CompactStage stage) {
  switch (stage) {
    case v1::COMPACT_STAGE_LISTS:
      return "lists";
    case v1::COMPACT_STAGE_COLOURS:
      return "colours";
    case v1::COMPACT_STAGE_TABLES:
      return "tables";
    default:
      return "";
  }
}

Json CompactToJson(const v1::CompactResponse& compact) {
  return {{"segments_before", compact.segments_before()},
          {"segments_after", compact.segments_after()},
          {"graphs_dropped", compact.graphs_dropped()},
          {"memory_bytes_before", compact.memory_bytes_before()},
          {"memory_bytes_after", compact.memory_bytes_after()},
          {"disk_bytes_before", compact.disk_bytes_before()},
          {"disk_bytes_after", compact.disk_bytes_after()},
          {"colours", compact.colours()},
          {"colours_unused", compact.colours_unused()}};
}

std::string CompactToText(const v1::CompactResponse& compact) {
  std::string text = fmt::format(
      "segments  {} (were {}), {} deleted or replaced graphs left the lists\n"
      "memory    {} bytes (were {})\n"
      "disk      {} bytes (were {})\n"
      "colours   {}, of which {} are worn by no stored graph\n",
      compact.segments_after(), compact.segments_before(), compact.graphs_dropped(),
      compact.memory_bytes_after(), compact.memory_bytes_before(), compact.disk_bytes_after(),
      compact.disk_bytes_before(), compact.colours(), compact.colours_unused());
  if (compact.colours_unused() > 0) {
    text += "Unused colours are reclaimed while the daemon is stopped: kindredd --data-dir DIR --compact\n";
  }
  return text;
}

absl::StatusOr<ExitCode> RunCompact(const Session& session) {
  KINDRED_ASSIGN_OR_RETURN(const auto client, session.Connect());
  Progress progress(session.err(), IsTerminal(session.err()), "bytes on disk");
  v1::CompactResponse last;
  const InterruptScope interrupt;
  const absl::Status status = client->Compact([&](const v1::CompactResponse& message) {
    if (interrupt.interrupted()) {
      return absl::CancelledError();
    }
    progress.Update(message.disk_bytes_after(), StageName(message.stage()));
    last = message;
    return absl::OkStatus();
  });
  progress.Clear();
  if (interrupt.interrupted() && !last.done()) {
    session.Say("interrupted: the compaction was given up, and the index is as it was");
    return ExitCode::kInterrupted;
  }
  KINDRED_RETURN_IF_ERROR(status);
  if (!last.done()) {
    return DataLoss("the daemon ended the compaction before its end");
  }
  KINDRED_RETURN_IF_ERROR(
      Output(session.out())
          .Write(session.options.json ? JsonLine(CompactToJson(last)) : CompactToText(last)));
  return ExitCode::kOk;
}

}  // namespace

Command AddCompact(CLI::App& parent) {
  CLI::App& app = *parent.add_subcommand(
      "compact",
      "give back the memory and disk space of deleted and replaced graphs, while the daemon serves");
  app.footer(
      "Needs, while it runs, as much memory and disk space again as the index takes. Ctrl-C gives it up.\n"
      "Colours that no stored graph wears any more are counted, not reclaimed; that is done while the daemon "
      "is\n"
      "stopped: kindredd --data-dir DIR --compact\n"
      "The whole has no time limit unless --timeout is given.");
  return {&app, [](Session& session) { return RunCompact(session); }};
}

}  // namespace kindred::cli
