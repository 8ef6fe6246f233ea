#include "daemon/offline_compact.h"

#include <string>
#include <utility>

#include "daemon/exit_codes.h"
#include "daemon/log.h"
#include "fmt/format.h"
#include "index/engine/executor.h"
#include "index/engine/reclaim.h"
#include "index/store/loss.h"
#include "index/store/store.h"

namespace kindred::daemon {

int CompactOffline(const Config& config, DataDirectory directory, const StoreOptions& options) {
  const auto fail = [](const absl::Status& status) {
    spdlog::error("{}", std::string(status.message()));
    return kExitData;
  };
  StoreOptions held = options;
  held.hold_compactions = true;
  const auto store = Store::Open(std::move(directory), held);
  if (!store.ok()) {
    return fail(store.status());
  }
  Executor executor(config.threads, config.limits.search_queue_max);
  const auto report = Reclaim(**store, executor, [](const RecoveryProgress& progress) {
    spdlog::info("compact: read {} colours, {} graphs", progress.colours, progress.graphs);
  });
  if (!report.ok()) {
    return fail(WithWayOut(report.status(), (*store)->path()));
  }
  fmt::print("compacted {} graphs: {} colours reclaimed, {} in use; {} bytes on disk, {} before\n",
             report->graphs, report->reclaimed, report->colours, report->disk_bytes_after,
             report->disk_bytes_before);
  return kExitFine;
}

}  // namespace kindred::daemon
