// What of a record's novelty can be found out before its turn comes: what is closest to it among the graphs
// that are committed by then. The writer adds what was committed since (engine/novelty_check.h).
//
// Threads: Speculator is used beside others and beside the writer; the rest is values.
// Cost: a search.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "index/engine/closest.h"
#include "index/engine/executor.h"
#include "index/engine/merger.h"
#include "index/engine/novelty.h"
#include "index/engine/snapshot.h"

namespace kindred {

struct Speculation {
  CommitSequence sequence{};   // Of the snapshot that was searched.
  Histogram histogram;         // Of the colours known then.
  std::optional<Finds> finds;  // Nothing: it failed, and whoever needs it tries again.
};

class Speculator {
 public:
  // All must outlive this. A request's records are shared out to `executor`.
  Speculator(const PublishedSnapshot& published, Merger& merger, Executor& executor, uint64_t steps_max)
      : published_(published), merger_(merger), executor_(executor), steps_max_(steps_max) {}

  Executor& executor() const { return executor_; }

  // What the next records are compared with: the newest graphs that count. Null: they could not be read. The
  // colours of records must be looked up after this: graphs of the snapshot may wear any that were known by
  // now.
  std::shared_ptr<const Snapshot> TakeSnapshot(const NoveltyRule& rule) const;

  // `snapshot`: as it was taken.
  Speculation Speculate(const Snapshot* snapshot, const NoveltyRule& rule, Histogram histogram,
                        const Graph& graph) const;

 private:
  const PublishedSnapshot& published_;
  Merger& merger_;
  Executor& executor_;
  const uint64_t steps_max_;
};

}  // namespace kindred
