#include "index/search/pruned.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "index/base/status.h"
#include "index/search/block_search.h"
#include "index/search/bound_units.h"
#include "index/search/list_sum.h"
#include "index/search/plain_search.h"
#include "index/search/top_k.h"

namespace kindred {
namespace {

// Outsize graphs are few: all are scored.
absl::Status SearchOutsize(const SegmentView& view, const Query& query, const Interrupt& interrupt, TopK& top,
                           SearchStats& stats) {
  const Segment& segment = *view.segment;
  if (view.NextShown(segment.first_outsize_slot()) >= segment.graphs().slot_count()) {
    return absl::OkStatus();
  }
  KINDRED_ASSIGN_OR_RETURN(const std::vector<double> kernels,
                           SumLists(segment.outsize(), query.histogram, query.scoring, interrupt, stats));
  for (uint32_t graph = 0; graph < kernels.size(); ++graph) {
    const uint32_t slot = segment.first_outsize_slot() + graph;
    if (!view.is_live(slot)) {
      continue;
    }
    ++stats.candidates;
    top.Offer({kernels[graph], segment.graphs().vertex_count(slot)},
              [&] { return segment.graphs().external_id(slot); });
  }
  return absl::OkStatus();
}

// Kept by the thread from search to search: a megabyte for two million graphs. A search that gets no memory
// leaves it as it happens to be: the next begins with a new one.
BlockScratch& ThreadsScratch() {
  static thread_local BlockScratch scratch;
  return scratch;
}

// One part of every segment. The largest segments come first, and plain ones last: what others have raises
// the threshold for them.
absl::Status SearchPart(std::span<const SegmentView* const> views, BlockPart part, const Query& query,
                        const BoundUnits& units, const Interrupt& interrupt, TopK& top, SearchStats& stats) {
  BlockScratch& scratch = ThreadsScratch();
  const PlainSearch plain(query, units);
  for (const SegmentView* view : views) {
    if (view->segment->is_plain()) {
      KINDRED_RETURN_IF_ERROR(plain.Search(*view, part, interrupt, top, stats));
      continue;
    }
    KINDRED_RETURN_IF_ERROR(SearchBlocks(*view, part, query, units, interrupt, scratch, top, stats));
    if (part.number == 0) {
      KINDRED_RETURN_IF_ERROR(SearchOutsize(*view, query, interrupt, top, stats));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Answer> PrunedSearcher::Search(const Query& query, const Interrupt& interrupt) const {
  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  const BoundUnits units(query);
  std::vector<const SegmentView*> views;
  for (const SegmentView& view : segments_) {
    views.push_back(&view);
  }
  std::ranges::stable_sort(views, std::greater<>(), [](const SegmentView* view) {
    return std::pair(!view->segment->is_plain(), view->segment->size());
  });

  SharedLeast shared;
  std::vector<TopK> tops(parts_, TopK(query, parts_ > 1 ? &shared : nullptr));
  std::vector<SearchStats> stats(parts_);
  std::vector<absl::Status> statuses(parts_);
  run_(parts_, [&](size_t part) {
    try {
      statuses[part] = SearchPart(views, {static_cast<uint32_t>(part), parts_}, query, units, interrupt,
                                  tops[part], stats[part]);
    } catch (...) {
      ThreadsScratch() = {};
      throw;
    }
  });
  Answer answer;
  for (uint32_t part = 0; part < parts_; ++part) {
    KINDRED_RETURN_IF_ERROR(statuses[part]);
    answer.stats.postings_read += stats[part].postings_read;
    answer.stats.blocks_bounded += stats[part].blocks_bounded;
    answer.stats.blocks_scored += stats[part].blocks_scored;
    answer.stats.candidates += stats[part].candidates;
    if (part > 0) {
      tops[0].Absorb(tops[part]);
    }
  }
  answer.hits = tops[0].TakeHits();
  return answer;
}

}  // namespace kindred
