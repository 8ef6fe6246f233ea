// The graphs of the newest commits, as the writer compares a record with them that was compared with all
// older ones before: inverted as they come, so that a comparison reads the few colours that can matter.
//
//   [RecentLevel] Let A be the sum of the weights of levels above j, B that of j and deeper ones. A graph of
//   n vertices has a kernel of at most A min(n, m) + B I_j with a query of m: no level has a larger overlap
//   than a shallower one, and none more than either has vertices. So where a similarity needs a kernel of
//   `need(n)`, I_j is at least (need(n) - A min(n, m)) / B. That is above 0 for every n if it is for n = m:
//   for n > m the minimum stays and need(n) does not fall; for n < m it is at least n / m times as large,
//   since need(n) >= need(m) n / m. So only graphs that share a colour of the deepest such level j with the
//   query are looked at.
//
// Threads: the writer's.
// Invariant: has every graph of the commits (from(), to()] that was live when it was added. Graphs that were
// removed
//            since are still here: whoever finds one asks whether it is live.
// Cost: 12 bytes a colour of a graph, 16 and its packed histogram; Find reads the lists of one level, as far
// back as
//       asked.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "index/base/ids.h"
#include "index/engine/snapshot.h"
#include "index/histogram/histogram.h"
#include "index/histogram/measure.h"
#include "index/lists/graph_table.h"
#include "index/lists/plain_graphs.h"

namespace kindred {

class RecentGraphs {
 public:
  struct Near {
    GraphId id{};
    std::string_view external_id;  // Until the next change.
    Score score;
    double similarity = 0;
  };

  CommitSequence from() const { return from_; }
  CommitSequence to() const { return to_; }
  uint32_t size() const { return plain_.graph_count(); }

  // Brings it up to a snapshot; what is not needed for (since, ...] may go. When what lies between is not to
  // be had any more, or is too much, from() is later than `since` afterwards.
  void CatchUp(const Snapshot& snapshot, CommitSequence since);

  // The next commit stored this. REQUIRES: a later one than before.
  void Add(GraphId id, std::string_view external_id, uint32_t vertex_count, std::string_view packed);

  // Those stored after `after` that are at least so similar, in any order. REQUIRES: from() <= after; the
  // least similarity is above 0.
  std::vector<Near> Find(const Histogram& query, const Scoring& scoring, double min_similarity,
                         CommitSequence after);

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  struct Posting {
    uint32_t slot = 0;
    uint32_t count = 0;
    uint32_t older = kNone;  // The next posting of the same colour.
  };

  void Restart(CommitSequence from);
  void ForgetUpTo(CommitSequence since);
  void AddFrom(const SegmentView& view, GraphId after);
  // Leaves in touched_ the slots from `first` on that share a colour of the level, in overlaps_ how much.
  void AddUp(const Histogram& query, Level level, uint32_t first);

  CommitSequence from_{};
  CommitSequence to_{};
  GraphTable graphs_;
  PlainGraphs plain_;
  std::vector<GraphId> ids_;                        // By slot: ascending.
  absl::flat_hash_map<uint32_t, uint32_t> newest_;  // Colour to its newest posting.
  std::vector<Posting> postings_;

  std::vector<uint32_t> overlaps_;  // By slot; zero between uses.
  std::vector<uint32_t> touched_;
};

}  // namespace kindred
