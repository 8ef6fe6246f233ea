// Recommendations in every way there is, on which all have to agree.

#pragma once

#include <ostream>

#include "index/search/recommendation.h"
#include "tests/support/graphs.h"
#include "tests/support/searched_histograms.h"

namespace kindred {

// So that GoogleTest and RapidCheck show an answer, not its bytes.
std::ostream& operator<<(std::ostream& out, const RecommendHit& hit);

}  // namespace kindred

namespace kindred::test {

// Of all sizes, also such that products with it have no digits left.
double DrawExampleWeight(Rng& rng);

// Expects the pruned way, over blocks and over plain graphs, to answer as the exhaustive one. Returns the
// answer of the pruned one over blocks.
RecommendAnswer ExpectRecommendersAgree(const SearchedHistograms& stored, const RecommendQuery& query);

}  // namespace kindred::test
