#include "daemon/offline_restore.h"

#include <string>

#include "daemon/exit_codes.h"
#include "daemon/log.h"
#include "fmt/format.h"
#include "index/store/restore.h"

namespace kindred::daemon {

int RestoreOffline(const Config& config, const Interrupt& interrupt) {
  const auto restored = Restore({config.restore_from, config.backup_id, config.data_dir}, nullptr, interrupt);
  if (restored.status().code() == absl::StatusCode::kCancelled) {
    spdlog::warn("interrupted; nothing was restored");
    return kExitSignal;
  }
  if (!restored.ok()) {
    spdlog::error("{}", std::string(restored.status().message()));
    return restored.status().code() == absl::StatusCode::kInvalidArgument ? kExitUsage
           : restored.status().code() == absl::StatusCode::kUnavailable   ? kExitDataInUse
                                                                          : kExitData;
  }
  fmt::print("restored {} of {} to {}: {} graphs at sequence {}, {} files, {} bytes\n", restored->backup,
             restored->created, config.data_dir, restored->graphs, Raw(restored->sequence), restored->files,
             restored->bytes);
  std::fflush(stdout);
  return kExitFine;
}

}  // namespace kindred::daemon
