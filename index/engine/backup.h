// Backs a running index up: the commit of the moment it begins at, whatever is written meanwhile.
//
// Threads: any that may take its time; writes wait only while what is left to flush is flushed.

#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "index/base/interrupt.h"
#include "index/engine/engine.h"
#include "index/store/backup.h"

namespace kindred {

struct BackupRequest {
  std::string directory;  // A name below the engine's backup_dir (store/backup_path.h).
  uint64_t keep = 0;      // So many backups stay there; 0: all.
};

absl::StatusOr<BackupSummary> BackUp(Engine& engine, const BackupRequest& request,
                                     const BackupReporter& report, const Interrupt& interrupt);

}  // namespace kindred
