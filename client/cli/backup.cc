// kindred backup: a consistent copy of a running index, on the daemon's machine.

#include <cstdint>
#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "client/cli/commands.h"
#include "client/cli/json.h"
#include "client/cli/output.h"
#include "client/cli/progress.h"
#include "client/cli/session.h"
#include "client/cli/terminal.h"
#include "client/cli/text.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

constexpr uint32_t kKeepMax = 1'000'000;

Json BackupToJson(const v1::BackupResponse& backup) {
  return {{"backup_id", backup.backup_id()},
          {"path", Printable(backup.path())},
          {"sequence", backup.sequence()},
          {"graphs", backup.graphs()},
          {"files", backup.files()},
          {"bytes", backup.bytes()},
          {"bytes_copied", backup.bytes_copied()},
          {"removed", backup.removed()}};
}

std::string BackupToText(const v1::BackupResponse& backup) {
  return fmt::format("backup {}: {} graphs at sequence {}, {} files, {} bytes, {} of them copied{}\n",
                     Printable(backup.path()), backup.graphs(), backup.sequence(), backup.files(),
                     backup.bytes(), backup.bytes_copied(),
                     backup.removed() > 0 ? fmt::format("; {} old backups removed", backup.removed()) : "");
}

absl::StatusOr<ExitCode> RunBackup(const Session& session, const v1::BackupRequest& request) {
  KINDRED_ASSIGN_OR_RETURN(const auto client, session.Connect());
  Progress progress(session.err(), IsTerminal(session.err()), "bytes");
  v1::BackupResponse last;
  KINDRED_RETURN_IF_ERROR(client->Backup(request, [&](const v1::BackupResponse& message) {
    progress.Update(message.bytes_checked());
    last = message;
    return absl::OkStatus();
  }));
  if (!last.done()) {
    return DataLoss("the daemon ended the backup before its end");
  }
  KINDRED_RETURN_IF_ERROR(
      Output(session.out()).Write(session.options.json ? JsonLine(BackupToJson(last)) : BackupToText(last)));
  return ExitCode::kOk;
}

}  // namespace

Command AddBackup(CLI::App& parent) {
  CLI::App& app =
      *parent.add_subcommand("backup", "copy the index as it is now to a directory of the daemon's machine");
  const auto request = std::make_shared<v1::BackupRequest>();
  app.add_option_function<std::string>(
         "DIR", [request](const std::string& directory) { request->set_directory(directory); },
         "a name below the daemon's --backup-dir, or the path of that on its machine")
      ->type_name("")
      ->required();
  app.add_option_function<uint32_t>(
         "--keep", [request](uint32_t keep) { request->set_keep(keep); },
         "remove older backups of DIR beyond so many (default: none)")
      ->type_name("N")
      ->check(CLI::Range(uint32_t{1}, kKeepMax));
  app.footer(
      "Only what earlier backups in DIR lack is copied. Restore with: kindredd --restore-from DIR --data-dir "
      "NEW\n"
      "The whole has no time limit unless --timeout is given.");
  return {&app, [request](Session& session) { return RunBackup(session, *request); }};
}

}  // namespace kindred::cli
