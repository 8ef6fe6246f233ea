#include "daemon/offline_verify.h"

#include <utility>

#include "daemon/exit_codes.h"
#include "daemon/log.h"
#include "fmt/format.h"
#include "index/engine/executor.h"
#include "index/engine/verify.h"
#include "index/store/store.h"

namespace kindred::daemon {

int VerifyOffline(const Config& config, DataDirectory directory, const StoreOptions& options) {
  const auto store = Store::Open(std::move(directory), options);
  if (!store.ok()) {
    spdlog::error("{}", std::string(store.status().message()));
    return kExitData;
  }
  Executor executor(config.threads, config.limits.search_queue_max);
  Verifier verifier(Snapshot{{}, {}, (*store)->view()}, executor);
  while (verifier.Step()) {
    spdlog::info("verify: {} of {} graphs, {} findings", verifier.report().graphs, verifier.graphs_expected(),
                 verifier.report().finding_count);
  }
  const VerifyReport& report = verifier.report();
  for (const Finding& finding : report.findings) {
    fmt::print("{} {}: {}\n", finding.family, finding.key, finding.what);
  }
  fmt::print("verified {} graphs, {} colours, {} labels at sequence {}: {} findings\n", report.graphs,
             report.colours, report.labels, Raw(report.sequence), report.finding_count);
  return report.finding_count == 0 ? kExitFine : kExitData;
}

}  // namespace kindred::daemon
