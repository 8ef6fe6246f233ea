// Makes one more backup of a store in a BackupDirectory, while commits go on.
//
// A table that the newest backup has already gets a second name there (a hard link) and is read again; one
// that it lacks, or has damaged, is copied. So is all that is not a table, which is little. Then everything
// is read back from the disk and compared with what was read from the store, every block of a new table is
// checked, the copy is opened read-only, and only then it gets its manifest. What fails or is interrupted is
// removed, and earlier backups stay as they are.
//
// Threads: one user. Takes as long as copying takes: on a thread that nobody waits for.

#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "index/base/interrupt.h"
#include "index/store/backup_directory.h"
#include "index/store/live_files.h"

namespace kindred {

struct BackupProgress {
  uint64_t id = 0;
  CommitSequence sequence{};
  uint64_t graphs = 0;
  uint64_t files = 0;
  uint64_t bytes = 0;          // Of all files of the backup.
  uint64_t bytes_copied = 0;   // Of those that earlier backups lacked, so far.
  uint64_t bytes_checked = 0;  // Read back so far.
};

// Called after each file; must not block for long.
using BackupReporter = std::function<void(const BackupProgress&)>;

struct BackupSummary {
  BackupProgress progress;
  std::string path;      // A data directory.
  uint64_t removed = 0;  // Older backups, beyond those to keep.
};

struct BackupOptions {
  // So many backups stay, the new one included; 0: all.
  uint64_t keep = 0;
  // Refused (RESOURCE_EXHAUSTED) if it would leave less free on its disk.
  uint64_t disk_reserve_bytes = 0;
};

// FAILED_PRECONDITION: the directory holds backups of another store.
absl::StatusOr<BackupSummary> MakeBackup(BackupDirectory& directory, const LiveFiles& live,
                                         const BackupOptions& options, const BackupReporter& report,
                                         const Interrupt& interrupt);

}  // namespace kindred
