#include "index/engine/compact.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <stop_token>
#include <vector>

#include "index/base/memory.h"
#include "index/base/status.h"
#include "index/base/watched_work.h"
#include "index/engine/worn_colours.h"
#include "index/store/store.h"

namespace kindred {
namespace {

class Compaction {
 public:
  Compaction(Engine& engine, const CompactReporter& report, const Interrupt& interrupt)
      : engine_(engine), report_(report), interrupt_(interrupt) {
    const EngineStats stats = engine.stats();
    progress_.segments_before = stats.segments;
    progress_.memory_bytes_before = stats.memory_bytes;
    progress_.disk_bytes_before = stats.disk_bytes;
  }

  absl::StatusOr<CompactProgress> Run() {
    KINDRED_RETURN_IF_ERROR(CheckSpace());
    KINDRED_RETURN_IF_ERROR(MergeLists());
    KINDRED_RETURN_IF_ERROR(CountColours());
    KINDRED_RETURN_IF_ERROR(RewriteTables());
    ReturnFreeMemory();
    LookAgain();
    return progress_;
  }

 private:
  // RocksDB has the old tables and the new ones at a time. Where it finds no space it takes no more writes,
  // or ends the process (write_gate.h): better not to begin.
  absl::Status CheckSpace() const {
    const StoreStats store = engine_.stats().store;
    const uint64_t reserve = engine_.limits().disk_reserve_bytes;
    if (reserve == 0 || store.free_bytes >= reserve + store.table_bytes) {
      return absl::OkStatus();
    }
    return MakeStatus(
        absl::StatusCode::kResourceExhausted,
        "the server's disk has {} bytes left; a compaction needs as many as its tables have, {}, "
        "beside disk_reserve_bytes = {}",
        store.free_bytes, store.table_bytes, reserve);
  }

  absl::Status MergeLists() {
    Enter(CompactStage::kLists);
    KINDRED_ASSIGN_OR_RETURN(progress_.graphs_dropped,
                             engine_.writer().merger().Compact(interrupt_, [this] { Beat(); }));
    return absl::OkStatus();
  }

  absl::Status CountColours() {
    Enter(CompactStage::kColours);
    uint32_t issued = 0;
    uint32_t reclaimed = 0;
    std::shared_ptr<const Snapshot> snapshot;
    // The colours a commit issues are published with it, so between two nothing is missing. Flushed before,
    // so that writes do not wait for it; tidied here, since what only an old state needs would stay in the
    // tables.
    KINDRED_RETURN_IF_ERROR(engine_.store().Flush());
    engine_.writer().BetweenCommits([&] {
      engine_.store().Settle();
      issued = engine_.hierarchy().colour_count();
      reclaimed = engine_.hierarchy().reclaimed_count();
      snapshot = *engine_.snapshot();
    });
    KINDRED_ASSIGN_OR_RETURN(const std::vector<bool> worn, WornColours(*snapshot, issued, interrupt_));
    progress_.colours = issued - reclaimed;
    progress_.colours_unused = progress_.colours - static_cast<uint64_t>(std::ranges::count(worn, true));
    return absl::OkStatus();
  }

  absl::Status RewriteTables() {
    Enter(CompactStage::kTables);
    absl::Status rewritten;
    KINDRED_RETURN_IF_ERROR(RunWatched(
        interrupt_, [this] { Beat(); },
        [&](const std::stop_token& stop) {
          std::atomic<bool> cancelled{false};
          const std::stop_callback cancel(stop, [&] { cancelled = true; });
          rewritten = engine_.store().CompactTables(cancelled);
        }));
    return rewritten;
  }

  void Enter(CompactStage stage) {
    progress_.stage = stage;
    Beat();
  }
  void Beat() {
    LookAgain();
    report_(progress_);
  }
  void LookAgain() {
    const EngineStats stats = engine_.stats();
    progress_.segments_after = stats.segments;
    progress_.memory_bytes_after = stats.memory_bytes;
    progress_.disk_bytes_after = stats.disk_bytes;
  }

  Engine& engine_;
  const CompactReporter& report_;
  const Interrupt& interrupt_;
  CompactProgress progress_;
};

}  // namespace

absl::StatusOr<CompactProgress> Compact(Engine& engine, const CompactReporter& report,
                                        const Interrupt& interrupt) {
  if (engine.compacting().exchange(true)) {
    return MakeStatus(absl::StatusCode::kFailedPrecondition, "another compaction is under way");
  }
  auto done = Compaction(engine, report, interrupt).Run();
  engine.compacting() = false;
  return done;
}

}  // namespace kindred
