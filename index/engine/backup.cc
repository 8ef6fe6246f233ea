#include "index/engine/backup.h"

#include <memory>

#include "index/base/status.h"
#include "index/store/backup_path.h"

namespace kindred {

absl::StatusOr<BackupSummary> BackUp(Engine& engine, const BackupRequest& request,
                                     const BackupReporter& report, const Interrupt& interrupt) {
  KINDRED_ASSIGN_OR_RETURN(const std::string path, BackupPath(engine.backup_dir(), request.directory));
  KINDRED_ASSIGN_OR_RETURN(BackupDirectory directory, engine.OpenBackups(path));
  KINDRED_ASSIGN_OR_RETURN(const std::unique_ptr<LiveFiles> live, engine.writer().CaptureFiles());
  return MakeBackup(directory, *live, {request.keep, engine.limits().disk_reserve_bytes}, report, interrupt);
}

}  // namespace kindred
