// Search by adding up the inverted lists of the query's colours: reads the postings of colours the query
// wears and no others, then ranks all graphs by what has come together.

#pragma once

#include <span>
#include <vector>

#include "index/lists/segment.h"
#include "index/search/searcher.h"

namespace kindred {

// K(query, graph) for every graph of a segment, live or not. Adds what it read to `stats`.
absl::StatusOr<std::vector<double>> SumLists(const Segment& segment, const Histogram& query,
                                             const Scoring& scoring, const Interrupt& interrupt,
                                             SearchStats& stats);

class ListSumSearcher : public Searcher {
 public:
  // `segments` must outlive this.
  explicit ListSumSearcher(std::span<const SegmentView> segments) : segments_(segments) {}

  absl::StatusOr<Answer> Search(const Query& query, const Interrupt& interrupt) const override;

 private:
  std::span<const SegmentView> segments_;
};

}  // namespace kindred
