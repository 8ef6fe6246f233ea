#include "index/engine/pair_search.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>

#include "index/base/status.h"
#include "index/engine/pairs_between.h"

namespace kindred {
namespace {

// So many are inverted in one step.
constexpr uint32_t kInvertedAtOnce = 1 << 16;
// So many outsize graphs are searched for in one step.
constexpr size_t kOutsizeAtOnce = 16;
// Hits of a page.
constexpr uint32_t kOutsizeHits = 4'096;

// A view that shows only the live graphs of these slots.
SegmentView Slice(const SegmentView& view, uint32_t begin, uint32_t end) {
  auto live = std::make_shared<LiveMask>(view.segment->graphs().slot_count());
  for (uint32_t slot = 0; slot < view.segment->graphs().slot_count(); ++slot) {
    if (slot < begin || slot >= end || !view.is_live(slot)) {
      live->Hide(slot);
    }
  }
  return {view.segment, std::move(live)};
}

}  // namespace

absl::Status CheckPairSimilarity(Measure measure, double min_similarity) {
  const bool bounded = measure != Measure::kKernel;
  // The infinite is no similarity either.
  if (!(min_similarity > 0 && min_similarity <= (bounded ? 1 : std::numeric_limits<double>::max()))) {
    return InvalidArgument("min_similarity: {} is not {}", min_similarity,
                           bounded ? "above 0 and at most 1" : "a number above 0");
  }
  return absl::OkStatus();
}

ParallelFor OnAtMost(uint32_t threads, ParallelFor parallel_for) {
  if (threads == 0) {
    return parallel_for;
  }
  return [threads, parallel_for = std::move(parallel_for)](size_t count,
                                                           const std::function<void(size_t)>& work) {
    std::atomic<size_t> next{0};
    parallel_for(std::min<size_t>(threads, count), [&](size_t) {
      for (size_t i = next++; i < count; i = next++) {
        work(i);
      }
    });
  };
}

absl::StatusOr<std::unique_ptr<PairSearch>> PairSearch::Create(std::shared_ptr<const Snapshot> snapshot,
                                                               const PairsRequest& request,
                                                               const Limits& limits) {
  KINDRED_RETURN_IF_ERROR(CheckPairSimilarity(request.measure, request.min_similarity));
  KINDRED_ASSIGN_OR_RETURN(Scoring scoring, Scoring::Create(request.measure, snapshot->store->depth(),
                                                            request.depth, request.weights));
  return std::unique_ptr<PairSearch>(
      new PairSearch(std::move(snapshot), std::move(scoring), request, limits));
}

PairSearch::PairSearch(std::shared_ptr<const Snapshot> snapshot, Scoring scoring, const PairsRequest& request,
                       const Limits& limits)
    : snapshot_(std::move(snapshot)),
      scoring_(std::move(scoring)),
      min_similarity_(request.min_similarity),
      memory_max_(limits.pairs_memory_bytes),
      graph_count_(snapshot_->graph_count()) {}

absl::StatusOr<bool> PairSearch::Step(bool flush, const ParallelFor& parallel_for, const Interrupt& interrupt,
                                      std::vector<FoundPair>& found) {
  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  switch (phase_) {
    case Phase::kInvert:
      KINDRED_RETURN_IF_ERROR(InvertNext());
      break;
    case Phase::kPrepare:
      KINDRED_RETURN_IF_ERROR(Prepare(parallel_for, interrupt, found));
      phase_ = Phase::kBlocks;
      break;
    case Phase::kBlocks: {
      std::vector<ScoredPair> pairs;
      KINDRED_ASSIGN_OR_RETURN(const bool more, blocks_->Step(flush, parallel_for, interrupt, pairs));
      for (const ScoredPair& pair : pairs) {
        found.push_back({FoundPair::Kind::kClasses, pair});
      }
      phase_ = more ? Phase::kBlocks : Phase::kOutsize;
      break;
    }
    case Phase::kOutsize:
      KINDRED_RETURN_IF_ERROR(SearchOutsize(parallel_for, interrupt, found));
      break;
    case Phase::kDone:
      break;
  }
  return phase_ != Phase::kDone;
}

// Goes through the segments: takes what is inverted, and inverts what is plain, some at a time.
absl::Status PairSearch::InvertNext() {
  std::vector<SegmentView> plain;
  uint32_t taken = 0;
  while (next_segment_ < snapshot_->segments.size() && taken < kInvertedAtOnce) {
    const SegmentView& view = snapshot_->segments[next_segment_];
    if (!view.segment->is_plain()) {
      views_.push_back(view);
      ++next_segment_;
      continue;
    }
    const uint32_t slots = view.segment->graphs().slot_count();
    const uint32_t end = std::min(slots, next_slot_ + kInvertedAtOnce - taken);
    plain.push_back(next_slot_ == 0 && end == slots ? view : Slice(view, next_slot_, end));
    taken += end - next_slot_;
    next_slot_ = end == slots ? 0 : end;
    next_segment_ += end == slots ? 1 : 0;
  }
  std::erase_if(plain, [](const SegmentView& view) { return view.live_count() == 0; });
  if (!plain.empty()) {
    views_.push_back({InvertPlain(plain, Ordering::kBySize), nullptr});
  }
  if (next_segment_ == snapshot_->segments.size()) {
    phase_ = Phase::kPrepare;
  }
  return absl::OkStatus();
}

absl::Status PairSearch::Prepare(const ParallelFor& parallel_for, const Interrupt& interrupt,
                                 std::vector<FoundPair>& found) {
  parts_ = std::make_unique<PairParts>(std::move(views_));
  KINDRED_ASSIGN_OR_RETURN(
      blocks_, BlockPairs::Create(*parts_, scoring_, min_similarity_, memory_max_, parallel_for, interrupt));
  std::vector<std::pair<uint32_t, GraphId>> outsize;
  for (uint32_t part = 0; part < parts_->part_count(); ++part) {
    const SegmentView& view = parts_->view(part);
    if (view.segment->outsize().graph_count() == 0) {
      continue;
    }
    view.segment->graphs().ForEach([&](GraphId id, uint32_t slot) {
      if (slot >= view.segment->first_outsize_slot() && view.is_live(slot)) {
        outsize.emplace_back(parts_->begin(part) + slot, id);
      }
    });
  }
  std::ranges::sort(outsize);
  for (const auto& [number, id] : outsize) {
    outsize_.push_back(number);
    outsize_ids_.push_back(id);
  }
  // Graphs that are equal are as similar as graphs can be: enough, unless the kernel is asked for.
  for (const uint32_t number : blocks_->equal().repeated()) {
    const uint32_t vertices = parts_->vertex_count(number);
    const std::vector<uint32_t> overlaps(kLevelsMax, vertices);
    const double kernel = scoring_.Kernel(overlaps);
    const double similarity = scoring_.Similarity({kernel, vertices}, vertices);
    if (similarity >= min_similarity_) {
      found.push_back({FoundPair::Kind::kEqual, {number, number, kernel, similarity}});
    }
  }
  return absl::OkStatus();
}

absl::Status PairSearch::SearchOutsize(const ParallelFor& parallel_for, const Interrupt& interrupt,
                                       std::vector<FoundPair>& found) {
  const size_t count = std::min(kOutsizeAtOnce, outsize_.size() - next_outsize_);
  std::vector<std::vector<FoundPair>> pairs(count);
  std::vector<absl::Status> statuses(count);
  parallel_for(count, [&](size_t i) { statuses[i] = SearchOne(next_outsize_ + i, interrupt, pairs[i]); });
  for (size_t i = 0; i < count; ++i) {
    KINDRED_RETURN_IF_ERROR(statuses[i]);
    outsize_candidates_ += pairs[i].size();
    found.insert(found.end(), pairs[i].begin(), pairs[i].end());
  }
  next_outsize_ += count;
  if (next_outsize_ == outsize_.size()) {
    phase_ = Phase::kDone;
  }
  return absl::OkStatus();
}

absl::Status PairSearch::SearchOne(size_t i, const Interrupt& interrupt,
                                   std::vector<FoundPair>& found) const {
  KINDRED_ASSIGN_OR_RETURN(StoredHistogram stored, snapshot_->store->ReadHistogram(outsize_ids_[i]));
  Query query{std::move(stored.histogram), scoring_, kOutsizeHits, min_similarity_};
  for (bool more = true; more;) {
    KINDRED_ASSIGN_OR_RETURN(const HitPage page, NextPage(*snapshot_, query, interrupt));
    more = !page.last;
    for (const Hit& hit : page.hits) {
      const std::optional<GraphId> id = snapshot_->FindGraph(hit.id);
      if (!id) {
        return DataLoss("lists: the graph '{}' was found, but is not there", hit.id);
      }
      const uint32_t other = parts_->Find(*id);
      const bool is_outsize = std::ranges::binary_search(outsize_, other);
      if (!is_outsize || other < outsize_[i]) {
        found.push_back({FoundPair::Kind::kGraphs, {outsize_[i], other, hit.kernel, hit.similarity}});
      }
    }
  }
  return absl::OkStatus();
}

uint64_t PairSearch::done_count() const {
  switch (phase_) {
    case Phase::kInvert:
    case Phase::kPrepare:
      return 0;
    case Phase::kBlocks:
    case Phase::kOutsize: {
      // Graphs that are equal are done with the one that stands for them; all count alike here.
      const uint64_t blocked = graph_count_ - outsize_.size();
      const uint64_t classes = std::max<uint64_t>(blocks_->graph_count(), 1);
      return blocked * blocks_->done_count() / classes + next_outsize_;
    }
    case Phase::kDone:
      break;
  }
  return graph_count_;
}

}  // namespace kindred
