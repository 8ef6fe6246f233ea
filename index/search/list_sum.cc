#include "index/search/list_sum.h"

#include <algorithm>

#include "index/base/status.h"

namespace kindred {

absl::StatusOr<std::vector<double>> SumLists(const ColourLists& lists, const Histogram& query,
                                             const Scoring& scoring, const Interrupt& interrupt,
                                             SearchStats& stats) {
  std::vector<double> kernels(lists.graph_count(), 0.0);
  std::vector<uint32_t> overlaps(lists.graph_count());
  uint64_t unchecked = 0;  // Postings since the last look at `interrupt`.
  for (Level level = 0; level <= scoring.depth(); ++level) {
    // Whole overlaps first, then one product a level: the same roundings as Scoring::Kernel.
    std::fill(overlaps.begin(), overlaps.end(), 0);
    for (const Histogram::Entry& entry : query.at_level(level)) {
      for (auto rest = lists.list(entry.colour); !rest.empty();) {
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
    for (uint32_t graph = 0; graph < lists.graph_count(); ++graph) {
      kernels[graph] += weight * overlaps[graph];
    }
  }
  return kernels;
}

}  // namespace kindred
