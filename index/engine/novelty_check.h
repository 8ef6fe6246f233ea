// Decides whether records are novel, each when its turn comes: as of the snapshot that the group of writes
// builds on, without what the group removed, with what it stored.
//
// Mostly that was found out before (engine/speculation.h) for an earlier snapshot. Then only graphs committed
// since are compared, and what was found must still be there. Otherwise the record is searched for again,
// here.
//
// Threads: the writer's.
// Invariant: the answer depends on the order of the commits alone, not on what was speculated or when.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "index/engine/closest.h"
#include "index/engine/novelty.h"
#include "index/engine/recent_graphs.h"
#include "index/engine/snapshot.h"
#include "index/engine/speculation.h"
#include "index/store/codec.h"

namespace kindred {

// The index in the midst of a group of writes.
class CurrentGraphs {
 public:
  virtual ~CurrentGraphs() = default;

  // Nothing when no graph of this id is stored.
  virtual std::optional<GraphId> FindGraph(const std::string& external_id) const = 0;
  // REQUIRES: it is stored.
  virtual absl::StatusOr<StoredRecord> ReadRecord(GraphId id) const = 0;
  // Those of the snapshot before that the group removed, in any order.
  virtual std::vector<GraphId> removed() const = 0;
};

class NoveltyCheck {
 public:
  // A record whose turn has come.
  struct Subject {
    const Histogram& histogram;  // Of all colours that are known by now.
    const Speculation& speculation;
    std::function<absl::StatusOr<Graph>()> graph;
  };

  // All must outlive this. `recent` has what was stored up to now.
  NoveltyCheck(RecentGraphs& recent, const Snapshot& before, const CurrentGraphs& current, uint64_t steps_max)
      : recent_(recent), before_(before), current_(current), steps_max_(steps_max) {}

  // The graph that makes it not novel. An error is the store's.
  absl::StatusOr<std::optional<ClosestGraph>> FindClosest(const NoveltyRule& rule, const Subject& subject);

 private:
  bool AllThere(const Finds& finds, CommitSequence sequence) const;
  absl::StatusOr<Graph> ReadGraph(const std::string& external_id) const;
  // Among the graphs of `before` that are still there and count.
  absl::StatusOr<Finds> SearchAgain(const NoveltyRule& rule, const Subject& subject) const;
  absl::StatusOr<bool> Matches(const Filter& filter, GraphId id) const;
  // Those stored since that are live and count, by ascending external id.
  absl::StatusOr<std::vector<RecentGraphs::Near>> FindRecent(const NoveltyRule& rule,
                                                             const Histogram& histogram,
                                                             CommitSequence since);
  absl::StatusOr<Finds> Add(const NoveltyRule& rule, const Subject& subject, const Finds& finds,
                            const std::vector<RecentGraphs::Near>& recent) const;
  absl::StatusOr<std::vector<Finds::Equal>> AddEquals(const Subject& subject,
                                                      const std::vector<Finds::Equal>& known,
                                                      const std::vector<std::string>& recent) const;

  RecentGraphs& recent_;
  const Snapshot& before_;
  const CurrentGraphs& current_;
  const uint64_t steps_max_;
};

}  // namespace kindred
