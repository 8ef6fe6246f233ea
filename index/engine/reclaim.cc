#include "index/engine/reclaim.h"

#include <atomic>
#include <memory>
#include <vector>

#include "index/base/status.h"
#include "index/engine/worn_colours.h"

namespace kindred {

absl::StatusOr<ReclaimReport> Reclaim(Store& store, Executor& executor, const RecoveryReporter& report) {
  ReclaimReport result;
  result.disk_bytes_before = store.disk_bytes();
  {
    ColourHierarchy hierarchy;
    IdIndex ids;
    KINDRED_ASSIGN_OR_RETURN(const std::shared_ptr<const Snapshot> snapshot,
                             Recover(store, hierarchy, ids, executor, report));
    result.graphs = snapshot->graph_count();
    KINDRED_ASSIGN_OR_RETURN(const std::vector<bool> worn, WornColours(*snapshot, hierarchy.colour_count()));
    KINDRED_ASSIGN_OR_RETURN(result.reclaimed,
                             store.ReclaimColours([&](ColourId colour) { return worn[Raw(colour)]; }));
    result.colours = hierarchy.colour_count() - hierarchy.reclaimed_count() - result.reclaimed;
  }
  store.Settle();  // What only an old snapshot held may go now.
  std::atomic<bool> never{false};
  KINDRED_RETURN_IF_ERROR(store.CompactTables(never));
  result.disk_bytes_after = store.disk_bytes();
  return result;
}

}  // namespace kindred
