// Backups of an engine under test, and what is in them.

#pragma once

#include <optional>
#include <string>

#include "index/engine/backup.h"
#include "index/store/restore.h"
#include "tests/support/engine_harness.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {

inline absl::StatusOr<BackupSummary> TryBackup(EngineHarness& harness, const std::string& name = "daily",
                                               uint64_t keep = 0, const Interrupt& interrupt = {}) {
  return BackUp(
      harness.engine(), {name, keep}, [](const BackupProgress&) {}, interrupt);
}

// Everything in a data directory, opened as a daemon would.
inline absl::StatusOr<StoreContents> ContentsOf(const std::string& directory) {
  auto locked = DataDirectory::Open(directory);
  if (!locked.ok()) {
    return locked.status();
  }
  auto engine = Engine::Open(*std::move(locked), OptionsOf(2));
  if (!engine.ok()) {
    return engine.status();
  }
  return ReadContents(*Must((*engine)->snapshot())->store);
}

// A backup as it comes back: restored to a directory of its own.
inline absl::StatusOr<StoreContents> Restored(const std::string& from,
                                              std::optional<uint64_t> id = std::nullopt) {
  const TempDir directory;
  const auto restored = Restore({from, id, directory.Sub("restored")});
  return restored.ok() ? ContentsOf(directory.Sub("restored")) : restored.status();
}

}  // namespace kindred::test
