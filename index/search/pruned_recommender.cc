#include "index/search/pruned_recommender.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "index/base/status.h"
#include "index/search/list_sum.h"
#include "index/search/recommend_blocks.h"
#include "index/search/recommend_plain.h"

namespace kindred {
namespace {

// Outsize graphs are few: all are scored.
absl::Status RecommendOutsize(const SegmentView& view, const RecommendQuery& query,
                              const Interrupt& interrupt, BestRecommended& best, SearchStats& stats) {
  const Segment& segment = *view.segment;
  const uint32_t count = segment.outsize().graph_count();
  if (count == 0) {
    return absl::OkStatus();
  }
  std::vector<std::vector<double>> sums;
  for (const RecommendQuery::Example& example : query.examples) {
    KINDRED_ASSIGN_OR_RETURN(sums.emplace_back(),
                             SumLists(segment.outsize(), example.histogram, query.scoring, interrupt, stats));
  }
  std::vector<double> kernels(query.examples.size());
  for (uint32_t graph = 0; graph < count; ++graph) {
    const uint32_t slot = segment.first_outsize_slot() + graph;
    if (!view.is_live(slot)) {
      continue;
    }
    ++stats.candidates;
    for (size_t i = 0; i < kernels.size(); ++i) {
      kernels[i] = sums[i][graph];
    }
    best.Offer(segment.graphs().external_id(slot), kernels, segment.graphs().vertex_count(slot));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RecommendAnswer> PrunedRecommender::Recommend(const RecommendQuery& query,
                                                             const Interrupt& interrupt) const {
  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  std::vector<const SegmentView*> views;
  for (const SegmentView& view : segments_) {
    views.push_back(&view);
  }
  // The largest first, and plain ones last: what others have raises the threshold for them.
  std::ranges::stable_sort(views, std::greater<>(), [](const SegmentView* view) {
    return std::pair(!view->segment->is_plain(), view->segment->size());
  });
  RecommendAnswer answer;
  BestRecommended best(query);
  RecommendExamples examples(query);
  RecommendPlain plain(examples);
  for (const SegmentView* view : views) {
    if (view->segment->is_plain()) {
      KINDRED_RETURN_IF_ERROR(plain.Offer(*view, interrupt, best, answer.stats));
    } else {
      KINDRED_RETURN_IF_ERROR(RecommendFromBlocks(*view, examples, interrupt, best, answer.stats));
      KINDRED_RETURN_IF_ERROR(RecommendOutsize(*view, query, interrupt, best, answer.stats));
    }
    best.Settle();
  }
  answer.hits = best.TakeHits();
  return answer;
}

}  // namespace kindred
