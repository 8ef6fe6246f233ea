// Decides candidates exactly: their histograms are compared, and those that are similar enough are pairs.
//
// A pair is a candidate in the list of every feature it shares, as long as both reach each other there, and a
// pair only once: in the list of the first.
//
// Threads: Decide one at a time.
// Cost: half a microsecond a candidate, and the reading of its graphs from the lists
// (pairs/forward_graphs.h):
//       for each batch of candidates, or once and for all where all graphs fit into the memory there is.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "index/base/interrupt.h"
#include "index/base/parallel.h"
#include "index/histogram/measure.h"
#include "index/pairs/forward_graphs.h"
#include "index/pairs/list_join.h"
#include "index/pairs/pair_parts.h"
#include "index/pairs/prefix_lists.h"

namespace kindred {

// Two graphs that are similar enough, and all that are equal to them (pairs/equal_graphs.h).
struct ScoredPair {
  uint32_t a = 0;
  uint32_t b = 0;
  double kernel = 0;
  double similarity = 0;
};

class PairScores {
 public:
  // All references must outlive this. `memory_max` is for graphs that are compared.
  PairScores(const PairParts& parts, const PrefixLists& lists, const Scoring& scoring, double min_similarity,
             std::vector<uint32_t> numbers, uint64_t memory_max);

  // So many candidates at a time keep to the memory.
  size_t candidates_max() const { return candidates_max_; }

  // Appends those that are pairs. Sorts the candidates.
  absl::Status Decide(std::vector<PairCandidate>& candidates, const ParallelFor& parallel_for,
                      const Interrupt& interrupt, std::vector<ScoredPair>& pairs);

  // Whose kernel was computed.
  uint64_t scored_count() const { return scored_; }

 private:
  void ScoreSome(std::span<const PairCandidate> candidates, const ForwardGraphs& graphs,
                 std::vector<ScoredPair>& pairs) const;
  void ScoreOne(const PairCandidate& candidate, std::span<const FeatureRun> a, std::span<const FeatureRun> b,
                std::vector<ScoredPair>& pairs) const;

  const PairParts& parts_;
  const PrefixLists& lists_;
  const Scoring& scoring_;
  const double min_similarity_;
  const std::vector<uint32_t> numbers_;       // Of all graphs that may be candidates,
  bool all_fit_ = false;                      // whether they fit into memory together,
  std::unique_ptr<const ForwardGraphs> all_;  // and if so, when there were many candidates, all of them.
  size_t candidates_max_ = 0;
  uint64_t scored_ = 0;
};

}  // namespace kindred
