// All pairs of stored graphs that are similar enough, from one snapshot, a step at a time.
//
// Graphs of blocks are joined (pairs/block_pairs.h). Those that are not inverted yet are inverted first, for
// this once; the few that are too large for blocks are searched for one by one.
//
// Threads: one user; a step spreads its work by the ParallelFor it is given.
// Invariant: every pair is told once, as long as the steps are taken to the end.
// Cost: a step takes some hundredths of a second, the first ones more. 100 bytes a graph or so, 400 for one
// that
//       was not inverted, 20 bytes a feature, and pairs_memory_bytes for histograms; nothing for what was
//       found.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/interrupt.h"
#include "index/base/limits.h"
#include "index/base/parallel.h"
#include "index/engine/snapshot.h"
#include "index/filter/filter.h"
#include "index/histogram/measure.h"
#include "index/pairs/block_pairs.h"
#include "index/pairs/pair_parts.h"

namespace kindred {

struct PairsRequest {
  Measure measure = Measure::kTanimoto;
  double min_similarity = 0;
  std::optional<uint32_t> depth;
  std::vector<double> weights;
  // For whoever takes the snapshot.
  Filter filter;
  CommitSequence min_sequence{};
  uint32_t threads = 0;  // 0: all there are.
};

// INVALID_ARGUMENT unless it is above 0 and, but for the kernel, at most 1.
absl::Status CheckPairSimilarity(Measure measure, double min_similarity);

// On at most so many of the threads there are; 0: on all of them.
ParallelFor OnAtMost(uint32_t threads, ParallelFor parallel_for);

// What a step found: graphs by their numbers in this search.
struct FoundPair {
  enum class Kind {
    kEqual,    // Every two of the graphs equal to `a`, which is `b`.
    kClasses,  // Every graph equal to `a` with every one equal to `b`.
    kGraphs    // These two.
  };

  Kind kind = Kind::kGraphs;
  ScoredPair pair;
};

class PairSearch {
 public:
  // Only looks at the request. INVALID_ARGUMENT or FAILED_PRECONDITION for what it cannot mean.
  static absl::StatusOr<std::unique_ptr<PairSearch>> Create(std::shared_ptr<const Snapshot> snapshot,
                                                            const PairsRequest& request,
                                                            const Limits& limits);

  // Does a part of the work and appends what it found; without `flush`, what is found may wait inside for
  // some more steps. False: that was all. CANCELLED or DEADLINE_EXCEEDED when interrupted; then there is no
  // going on.
  absl::StatusOr<bool> Step(bool flush, const ParallelFor& parallel_for, const Interrupt& interrupt,
                            std::vector<FoundPair>& found);

  const Snapshot& snapshot() const { return *snapshot_; }
  const Scoring& scoring() const { return scoring_; }
  double min_similarity() const { return min_similarity_; }

  // How far it got: graphs that are done, of all.
  uint64_t done_count() const;
  uint64_t graph_count() const { return graph_count_; }
  // Pairs whose similarity was computed.
  uint64_t candidate_count() const { return (blocks_ ? blocks_->scored_count() : 0) + outsize_candidates_; }

  // Graphs have their numbers, before the first pair is found. REQUIRED by what follows.
  bool prepared() const { return blocks_ != nullptr; }
  const PairParts& parts() const { return *parts_; }
  const EqualGraphs& equal() const { return blocks_->equal(); }
  // The numbers of the live graphs that are too large for blocks.
  std::span<const uint32_t> outsize() const { return outsize_; }

 private:
  enum class Phase { kInvert, kPrepare, kBlocks, kOutsize, kDone };

  PairSearch(std::shared_ptr<const Snapshot> snapshot, Scoring scoring, const PairsRequest& request,
             const Limits& limits);

  absl::Status InvertNext();
  absl::Status Prepare(const ParallelFor& parallel_for, const Interrupt& interrupt,
                       std::vector<FoundPair>& found);
  absl::Status SearchOutsize(const ParallelFor& parallel_for, const Interrupt& interrupt,
                             std::vector<FoundPair>& found);
  // The pairs of one of them with graphs of blocks, and with those of its kind that come before it.
  absl::Status SearchOne(size_t i, const Interrupt& interrupt, std::vector<FoundPair>& found) const;

  const std::shared_ptr<const Snapshot> snapshot_;
  const Scoring scoring_;
  const double min_similarity_;
  const uint64_t memory_max_;
  const uint64_t graph_count_;
  Phase phase_ = Phase::kInvert;
  std::vector<SegmentView> views_;  // Inverted.
  size_t next_segment_ = 0;         // Of the snapshot, to be looked at,
  uint32_t next_slot_ = 0;          // from this slot on.
  std::unique_ptr<const PairParts> parts_;
  std::unique_ptr<BlockPairs> blocks_;
  std::vector<uint32_t> outsize_;     // Numbers, ascending,
  std::vector<GraphId> outsize_ids_;  // with the ids they have.
  size_t next_outsize_ = 0;
  uint64_t outsize_candidates_ = 0;
};

}  // namespace kindred
