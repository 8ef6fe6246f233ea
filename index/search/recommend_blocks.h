// The recommendation over the blocks of one segment.
//
//   1. bound    every group, for each example                              [GroupBound, ReachBound,
//   ScoreBound]
//   2. wave     of the groups whose score can reach the k-th best, those that promise most; their blocks
//   bounded in turn
//   3. score    of these blocks those whose score can reach it, the most promising first: one example after
//   the other, given
//               up when nothing can reach it any more                      [ScoreBound, ScoreNeed, RestBound]
//   4. again    2 and 3 with more groups at a time, until none can
//
// Every bound is proved in docs/exactness.md under the name in brackets.
//
// Threads: one recommendation; the segment is shared.
// Cost: memory for the bounded blocks of one wave and each example: some 100 KB an example.

#pragma once

#include "absl/status/status.h"
#include "index/lists/segment.h"
#include "index/search/best_recommended.h"
#include "index/search/recommend_examples.h"

namespace kindred {

// Offers to `best` every graph of the segment's blocks that could be one of the best.
absl::Status RecommendFromBlocks(const SegmentView& view, RecommendExamples& examples,
                                 const Interrupt& interrupt, BestRecommended& best, SearchStats& stats);

}  // namespace kindred
