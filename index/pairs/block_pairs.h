// All pairs of graphs of blocks that are similar enough: the join, step by step. docs/pairs.md tells the
// whole.
//
//   1. sketch   every graph in 256 bits                                          (pairs/sketch.h)
//   2. equal    of graphs with equal histograms one stands for all               (pairs/equal_graphs.h)
//   3. list     features, the rarest first: the graphs that share one and may be similar enough for all that
//               comes before                                                     (pairs/prefix_lists.h)
//               [PrefixBound]
//   4. compare  graphs of a list by their sketches                               (pairs/list_join.h)
//   [SketchBound]
//   5. score    what is left, exactly                                            (pairs/pair_scores.h)
//
// Threads: one user; the work is spread by the ParallelFor that each step is given.
// Invariant: every pair is told once.
// Cost: about 60 bytes a graph and 16 a feature, whatever is found; with what is compared at a time, and
//       memory_max for histograms.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/interrupt.h"
#include "index/base/parallel.h"
#include "index/histogram/measure.h"
#include "index/pairs/equal_graphs.h"
#include "index/pairs/list_join.h"
#include "index/pairs/pair_bounds.h"
#include "index/pairs/pair_parts.h"
#include "index/pairs/pair_scores.h"
#include "index/pairs/prefix_lists.h"
#include "index/pairs/sketch.h"

namespace kindred {

class BlockPairs {
 public:
  // Does steps 1 and 2. `parts` must outlive this. REQUIRES: min_similarity > 0.
  static absl::StatusOr<std::unique_ptr<BlockPairs>> Create(const PairParts& parts, const Scoring& scoring,
                                                            double min_similarity, uint64_t memory_max,
                                                            const ParallelFor& parallel_for,
                                                            const Interrupt& interrupt);

  const EqualGraphs& equal() const { return equal_; }

  // Does a part of the rest, some hundredths of a second, and appends what it found; what is found may wait
  // inside for a few more steps, unless `flush`. False: that was all.
  absl::StatusOr<bool> Step(bool flush, const ParallelFor& parallel_for, const Interrupt& interrupt,
                            std::vector<ScoredPair>& pairs);

  // Graphs of which all pairs are found, of all; those that stand for others are one.
  uint64_t done_count() const { return done_count_; }
  uint64_t graph_count() const { return graph_count_; }
  uint64_t scored_count() const { return scores_.scored_count(); }

 private:
  BlockPairs(const PairParts& parts, const Scoring& scoring, double min_similarity, uint64_t memory_max,
             const PairBounds& bounds, Sketches sketches, EqualGraphs equal, Lanes lanes,
             const ParallelFor& parallel_for);

  void MakeNext();

  const Scoring scoring_;
  const PairBounds bounds_;
  const Sketches sketches_;
  const EqualGraphs equal_;
  const uint64_t graph_count_;
  PrefixLists lists_;
  ListJoin join_;
  PairScores scores_;
  PrefixBatch next_;          // To be joined next, with
  uint64_t next_done_ = 0;    // the graphs that are done after it,
  bool next_made_ = false;    // if it is made already.
  uint64_t joined_done_ = 0;  // The same of what is being joined.
  std::vector<PairCandidate> candidates_;
  uint64_t done_count_ = 0;
};

}  // namespace kindred
