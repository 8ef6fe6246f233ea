#include "index/pairs/block_pairs.h"

#include <bit>
#include <functional>
#include <utility>

#include "index/base/status.h"

namespace kindred {
namespace {

// Entries of the lists that are joined at a time.
constexpr size_t kBatchEntries = 1 << 18;

std::vector<uint32_t> NumbersOf(const PairParts& parts, const Lanes& lanes) {
  std::vector<uint32_t> numbers;
  numbers.reserve(CountLanes(lanes));
  for (uint32_t part = 0; part < lanes.size(); ++part) {
    for (uint32_t block = 0; block < lanes[part].size(); ++block) {
      for (uint32_t left = lanes[part][block]; left != 0; left &= left - 1) {
        numbers.push_back(parts.begin(part) + block * kBlockGraphs +
                          static_cast<uint32_t>(std::countr_zero(left)));
      }
    }
  }
  return numbers;
}

}  // namespace

absl::StatusOr<std::unique_ptr<BlockPairs>> BlockPairs::Create(const PairParts& parts, const Scoring& scoring,
                                                               double min_similarity, uint64_t memory_max,
                                                               const ParallelFor& parallel_for,
                                                               const Interrupt& interrupt) {
  const PairBounds bounds(scoring, min_similarity);
  Sketches sketches = MakeSketches(parts, bounds, parallel_for);
  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  Lanes lanes = LiveLanes(parts);
  KINDRED_ASSIGN_OR_RETURN(EqualGraphs equal, EqualGraphs::Find(parts, bounds, sketches, memory_max,
                                                                parallel_for, interrupt, lanes));
  return std::unique_ptr<BlockPairs>(new BlockPairs(parts, scoring, min_similarity, memory_max, bounds,
                                                    std::move(sketches), std::move(equal), std::move(lanes),
                                                    parallel_for));
}

BlockPairs::BlockPairs(const PairParts& parts, const Scoring& scoring, double min_similarity,
                       uint64_t memory_max, const PairBounds& bounds, Sketches sketches, EqualGraphs equal,
                       Lanes lanes, const ParallelFor& parallel_for)
    : scoring_(scoring),
      bounds_(bounds),
      sketches_(std::move(sketches)),
      equal_(std::move(equal)),
      graph_count_(CountLanes(lanes)),
      lists_(parts, bounds_, lanes, parallel_for),
      join_(bounds_, sketches_),
      scores_(parts, lists_, scoring_, min_similarity, NumbersOf(parts, lanes), memory_max) {}

void BlockPairs::MakeNext() {
  lists_.Next(kBatchEntries, next_);
  next_done_ = lists_.done_count();
  next_made_ = true;
}

absl::StatusOr<bool> BlockPairs::Step(bool flush, const ParallelFor& parallel_for, const Interrupt& interrupt,
                                      std::vector<ScoredPair>& pairs) {
  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  bool more = true;
  if (join_.done()) {
    if (!next_made_) {
      MakeNext();
    }
    more = !next_.lists.empty();
    joined_done_ = next_done_;
    join_.Start(next_);
    next_made_ = false;
  }
  if (more) {
    // Lists are made one after the other: those of the next batch beside the join of this one.
    const ParallelFor beside = [&](size_t count, const std::function<void(size_t)>& work) {
      parallel_for(count + 1, [&](size_t i) { i == 0 ? MakeNext() : work(i - 1); });
    };
    join_.Run(scores_.candidates_max(), next_made_ ? parallel_for : beside, interrupt, candidates_);
  }
  if (join_.done()) {
    done_count_ = joined_done_;
  }
  if (candidates_.size() >= scores_.candidates_max() || ((flush || !more) && !candidates_.empty())) {
    KINDRED_RETURN_IF_ERROR(scores_.Decide(candidates_, parallel_for, interrupt, pairs));
    candidates_.clear();
  }
  return more;
}

}  // namespace kindred
