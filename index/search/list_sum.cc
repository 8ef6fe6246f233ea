#include "index/search/list_sum.h"

#include <algorithm>

#include "index/base/status.h"
#include "index/search/top_k.h"

namespace kindred {

absl::StatusOr<std::vector<double>> SumLists(const Segment& segment, const Histogram& query,
                                             const Scoring& scoring, const Interrupt& interrupt,
                                             SearchStats& stats) {
  std::vector<double> kernels(segment.size(), 0.0);
  std::vector<uint32_t> overlaps(segment.size());
  uint64_t unchecked = 0;  // Postings since the last look at `interrupt`.
  for (Level level = 0; level <= scoring.depth(); ++level) {
    // Whole overlaps first, then one product a level: the same roundings as Scoring::Kernel.
    std::fill(overlaps.begin(), overlaps.end(), 0);
    for (const Histogram::Entry& entry : query.at_level(level)) {
      for (auto rest = segment.list(entry.colour); !rest.empty();) {
        const auto part = rest.first(std::min<size_t>(rest.size(), kPostingsBetweenChecks - unchecked));
        for (const Posting& posting : part) {
          overlaps[posting.graph] += std::min(entry.count, posting.count);
        }
        rest = rest.subspan(part.size());
        stats.postings_read += part.size();
        unchecked += part.size();
        if (unchecked == kPostingsBetweenChecks) {
          unchecked = 0;
          KINDRED_RETURN_IF_ERROR(interrupt.Check());
        }
      }
    }
    const double weight = scoring.weight(level);
    for (uint32_t graph = 0; graph < segment.size(); ++graph) {
      kernels[graph] += weight * overlaps[graph];
    }
  }
  return kernels;
}

absl::StatusOr<Answer> ListSumSearcher::Search(const Query& query, const Interrupt& interrupt) const {
  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  Answer answer;
  TopK top(query);
  for (const SegmentView& view : segments_) {
    KINDRED_ASSIGN_OR_RETURN(
        const std::vector<double> kernels,
        SumLists(*view.segment, query.histogram, query.scoring, interrupt, answer.stats));
    for (uint32_t graph = 0; graph < view.segment->size(); ++graph) {
      if (view.is_live(graph)) {
        top.Offer({{kernels[graph], view.segment->vertex_count(graph)}, view.segment->external_id(graph)});
      }
    }
    answer.stats.candidates += view.live_count();
  }
  answer.hits = top.TakeHits();
  return answer;
}

}  // namespace kindred
