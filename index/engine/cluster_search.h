// The connected groups of pairs that are similar enough, each with its medoid, from one snapshot, a step at a
// time.
//
// Two graphs are in one group if and only if pairs lead from one to the other. Groups come the largest first,
// of equal size the one with the smallest id first. The medoid of a group is told by engine/medoid_search.h;
// of one of more than cluster_medoid_max graphs, only similarities of pairs are added up.
//
// Threads: one user; a step spreads its work by the ParallelFor it is given.
// Cost: that of the pairs (engine/pair_search.h), 30 bytes a graph, and for medoids a fifth of a microsecond
// for
//       every two graphs of a group.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "index/engine/medoid_search.h"
#include "index/engine/pair_search.h"
#include "index/engine/similarity_sum.h"
#include "index/pairs/disjoint_sets.h"

namespace kindred {

struct ClustersRequest {
  PairsRequest pairs;
  uint64_t size_min = 2;
};

struct Cluster {
  std::string_view representative;        // Points into the snapshot, as do ids.
  std::vector<std::string_view> members;  // Ascending.
};

class ClusterSearch {
 public:
  // As PairSearch::Create.
  static absl::StatusOr<std::unique_ptr<ClusterSearch>> Create(std::shared_ptr<const Snapshot> snapshot,
                                                               const ClustersRequest& request,
                                                               const Limits& limits);

  // Does a part of the work; sets `cluster` when the next one is found. False: there was none left.
  absl::StatusOr<bool> Step(const ParallelFor& parallel_for, const Interrupt& interrupt,
                            std::optional<Cluster>& cluster);

  const PairSearch& pairs() const { return *pairs_; }
  uint64_t pair_count() const { return pair_count_; }

 private:
  // Members lie in a row in members_.
  struct Group {
    size_t begin = 0;
    size_t end = 0;
    std::string_view smallest_id;

    size_t size() const { return end - begin; }
  };

  ClusterSearch(std::unique_ptr<PairSearch> pairs, uint64_t size_min, uint64_t medoid_max)
      : size_min_(size_min), medoid_max_(medoid_max), pairs_(std::move(pairs)) {}

  void Join(const std::vector<FoundPair>& found);
  void MakeGroups();
  absl::StatusOr<bool> FindMedoid(const Group& group, const ParallelFor& parallel_for,
                                  const Interrupt& interrupt);
  Cluster Told(const Group& group) const;
  void FindBest(const std::vector<GraphKind>& kinds, const std::vector<SimilaritySum>& sums);
  std::string_view SmallestId(uint32_t number) const;

  const uint64_t size_min_;
  const uint64_t medoid_max_;
  const std::unique_ptr<PairSearch> pairs_;
  bool paired_ = false;  // All pairs are joined.
  uint64_t pair_count_ = 0;
  std::optional<DisjointSets> sets_;  // Made when graphs have their numbers.
  std::vector<bool> duplicates_;      // By number: another graph stands for it.
  LargeVector<SimilaritySum> sums_;   // Of pairs, by number, of graphs that are no duplicates.
  LargeVector<uint32_t> members_;     // Live graphs, group by group.
  std::vector<Group> groups_;         // In the order they are told.
  size_t next_group_ = 0;
  std::unique_ptr<MedoidSearch> medoid_;  // Of the next group, while it is looked for.
  std::string_view representative_;       // Of the next group, once it is found.
};

}  // namespace kindred
