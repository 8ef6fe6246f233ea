// The medoids of groups of graphs: of each group the graph with the highest sum of similarities to all
// others, on ties the one of the smaller id.
//
// Graphs with equal histograms have equal sums, so a group is given as one graph of each kind, with how many
// there are. Every two kinds are compared.
//
// Threads: one user; a step spreads its work by the ParallelFor it is given.
// Cost: a fifth of a microsecond for every two kinds of a group; 8 bytes a colour of each kind while a group
// is
//       looked at.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/interrupt.h"
#include "index/base/parallel.h"
#include "index/engine/pair_search.h"
#include "index/engine/similarity_sum.h"
#include "index/lists/forward_lists.h"

namespace kindred {

struct GraphKind {
  uint32_t number = 0;  // Of the one that stands for all that are equal to it.
  uint64_t count = 1;
};

// The sums of one group's kinds, a part at a time.
class MedoidSearch {
 public:
  // `search` must outlive this, and its steps must be done.
  MedoidSearch(const PairSearch& search, std::vector<GraphKind> kinds);

  // Compares about so many; false: sums() are complete.
  absl::StatusOr<bool> Step(uint64_t comparisons, const ParallelFor& parallel_for,
                            const Interrupt& interrupt);

  const std::vector<GraphKind>& kinds() const { return kinds_; }
  // Of each kind: of any graph of it, to all other graphs of the group.
  const std::vector<SimilaritySum>& sums() const { return sums_; }

 private:
  absl::Status Read(const ParallelFor& parallel_for);
  // Adds what the rows [begin, end) share with those before them.
  void Compare(size_t begin, size_t end, std::vector<SimilaritySum>& sums) const;
  double Similarity(size_t i, size_t j) const;

  const PairSearch& search_;
  const std::vector<GraphKind> kinds_;
  std::vector<SimilaritySum> sums_;
  bool read_ = false;
  ForwardLists runs_;                  // Of each kind, where all are of blocks;
  std::vector<Histogram> histograms_;  // otherwise these.
  size_t next_row_ = 0;
};

}  // namespace kindred
