#include "daemon/backup_job.h"

#include <utility>

#include "daemon/log.h"
#include "index/base/status.h"
#include "index/engine/backup.h"

namespace kindred::daemon {
namespace {

v1::BackupResponse ToMessage(const BackupProgress& progress) {
  v1::BackupResponse message;
  message.set_backup_id(progress.id);
  message.set_sequence(Raw(progress.sequence));
  message.set_graphs(progress.graphs);
  message.set_files(progress.files);
  message.set_bytes(progress.bytes);
  message.set_bytes_copied(progress.bytes_copied);
  message.set_bytes_checked(progress.bytes_checked);
  return message;
}

}  // namespace

absl::Status BackupJob::Run(Engine& engine, const Request& request, const std::function<void(Response)>& tell,
                            const Interrupt& interrupt) {
  const auto summary = BackUp(
      engine, {request.directory(), request.keep()},
      [&](const BackupProgress& progress) { tell(ToMessage(progress)); }, interrupt);
  if (!summary.ok()) {
    spdlog::warn("no backup: {}", std::string(summary.status().message()));
    return summary.status();
  }
  spdlog::info("backup {}: {} graphs at sequence {}, {} of {} bytes copied", summary->path,
               summary->progress.graphs, Raw(summary->progress.sequence), summary->progress.bytes_copied,
               summary->progress.bytes);
  Response last = ToMessage(summary->progress);
  last.set_path(summary->path);
  last.set_removed(summary->removed);
  last.set_done(true);
  tell(std::move(last));
  return absl::OkStatus();
}

}  // namespace kindred::daemon
