// The stored graphs that are similar enough to a graph at hand, all of them, a page at a time: from one
// snapshot.
//
// Threads: immutable, so any number of callers.
// Memory: a page of hits.

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "index/engine/pair_search.h"
#include "index/engine/snapshot.h"
#include "index/hierarchy/colour_hierarchy.h"
#include "index/search/searcher.h"

namespace kindred {

// Hits of a query, in the order of a search.
struct HitPage {
  std::vector<Hit> hits;
  bool last = true;  // There are no more.
  uint64_t candidates = 0;
};

// The next page of a query, of query.k hits; the query is changed to ask for the one after it.
absl::StatusOr<HitPage> NextPage(const Snapshot& snapshot, Query& query, const Interrupt& interrupt);

class PairsBetween {
 public:
  // As PairSearch::Create. `hierarchy` must outlive this.
  static absl::StatusOr<std::unique_ptr<const PairsBetween>> Create(std::shared_ptr<const Snapshot> snapshot,
                                                                    const PairsRequest& request,
                                                                    const ColourHierarchy& hierarchy);

  const Snapshot& snapshot() const { return *snapshot_; }

  // Of a graph that is stored or not; FAILED_PRECONDITION when the molecules of the index became graphs in
  // another way than the one named.
  absl::StatusOr<Query> QueryOf(const Graph& graph, const std::string& molecule_scheme) const;

 private:
  PairsBetween(std::shared_ptr<const Snapshot> snapshot, Scoring scoring, double min_similarity,
               const ColourHierarchy& hierarchy)
      : snapshot_(std::move(snapshot)),
        scoring_(std::move(scoring)),
        min_similarity_(min_similarity),
        hierarchy_(hierarchy) {}

  const std::shared_ptr<const Snapshot> snapshot_;
  const Scoring scoring_;
  const double min_similarity_;
  const ColourHierarchy& hierarchy_;
};

}  // namespace kindred
