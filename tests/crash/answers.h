// Whether an engine answers as the exhaustive search does.

#pragma once

#include "gtest/gtest.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"

namespace kindred::test {

inline void ExpectExactAnswers(EngineHarness& harness, uint64_t seed) {
  Rng rng(seed);
  for (int query = 0; query < 6; ++query) {
    SearchRequest request = Ask(RandomGraph(rng, {.vertex_labels = 3}), 20, static_cast<Measure>(query % 3));
    const std::vector<Hit> pruned = harness.Hits(request);
    request.mode = SearchMode::kExhaustive;
    EXPECT_EQ(pruned, harness.Hits(request)) << "seed " << seed << " query " << query;
  }
}

}  // namespace kindred::test
