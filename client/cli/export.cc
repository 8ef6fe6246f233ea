// kindred export: writes all records out again, as JSON lines.

#include <memory>

#include "CLI/CLI.hpp"
#include "client/cli/commands.h"
#include "client/cli/output.h"
#include "client/cli/progress.h"
#include "client/cli/session.h"
#include "client/cli/terminal.h"
#include "client/formats/jsonl_writer.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

struct ExportFlags {
  std::string output = "-";
  uint64_t min_sequence = 0;
};

absl::StatusOr<ExitCode> RunExport(const Session& session, const ExportFlags& flags) {
  KINDRED_ASSIGN_OR_RETURN(const auto client, session.Connect());
  KINDRED_ASSIGN_OR_RETURN(Output output, Output::Open(flags.output, session.out()));
  // Lines that run over the terminal would tear the progress apart.
  const bool shows_progress =
      IsTerminal(session.err()) && !(output.is_standard() && IsTerminal(session.out()));
  Progress progress(session.err(), shows_progress, "records");
  uint64_t count = 0;
  v1::ExportRequest request;
  request.set_min_sequence(flags.min_sequence);
  KINDRED_RETURN_IF_ERROR(client->Export(request, [&](const v1::Record& record) {
    KINDRED_ASSIGN_OR_RETURN(const std::string line, formats::ToJsonLine(record));
    progress.Update(++count);
    return output.Write(line + "\n");
  }));
  KINDRED_RETURN_IF_ERROR(output.Close());
  return ExitCode::kOk;
}

}  // namespace

Command AddExport(CLI::App& parent) {
  const auto flags = std::make_shared<ExportFlags>();
  CLI::App& app = *parent.add_subcommand("export", "write all graphs out as JSON lines");
  app.add_option("-o,--output", flags->output, "file to write; it appears when it is complete")
      ->type_name("FILE")
      ->capture_default_str();
  app.add_option("--min-sequence", flags->min_sequence, "fail unless the index has at least this commit")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  app.footer("The whole has no time limit unless --timeout is given.");
  return {&app, [flags](Session& session) { return RunExport(session, *flags); }};
}

}  // namespace kindred::cli
