#include "tests/support/recommend_modes.h"

#include <iterator>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "gtest/gtest.h"
#include "index/search/exhaustive_recommender.h"
#include "index/search/pruned_recommender.h"
#include "tests/support/status_matchers.h"

namespace kindred {

std::ostream& operator<<(std::ostream& out, const RecommendHit& hit) {
  return out << fmt::format("'{}' {:.17g} ({})", hit.id, hit.score, fmt::join(hit.similarities, " "));
}

}  // namespace kindred

namespace kindred::test {

double DrawExampleWeight(Rng& rng) {
  constexpr double kWeights[] = {1, 0.1, 0.7, 1048576, 1.0 / 3, 1e-9, 1e-300, 5e-324};
  return kWeights[Below(rng, std::size(kWeights))];
}

RecommendAnswer ExpectRecommendersAgree(const SearchedHistograms& stored, const RecommendQuery& query) {
  const auto expected = Must(ExhaustiveRecommender(stored.source()).Recommend(query, Interrupt())).hits;
  RecommendAnswer pruned = Must(PrunedRecommender(stored.segments()).Recommend(query, Interrupt()));
  EXPECT_EQ(pruned.hits, expected);
  EXPECT_EQ(Must(PrunedRecommender(stored.plain_segments()).Recommend(query, Interrupt())).hits, expected)
      << "not inverted";
  return pruned;
}

}  // namespace kindred::test
