// Adds up the inverted lists of a query's colours: reads the postings of colours the query wears, no others.

#pragma once

#include <vector>

#include "index/lists/colour_lists.h"
#include "index/search/searcher.h"

namespace kindred {

// K(query, graph) for every graph of the lists. Adds what it read to `stats`.
absl::StatusOr<std::vector<double>> SumLists(const ColourLists& lists, const Histogram& query,
                                             const Scoring& scoring, const Interrupt& interrupt,
                                             SearchStats& stats);

}  // namespace kindred
