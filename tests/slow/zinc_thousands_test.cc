// 5,000 real molecules: all their pairs against the comparison of every two, by definition.

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/engine_harness.h"
#include "tests/support/found_pairs.h"
#include "tests/support/naive_pairs.h"
#include "tests/support/shared_data.h"
#include "tests/support/status_matchers.h"
#include "tests/support/zinc.h"

namespace kindred::test {
namespace {

TEST(ZincThousands, PairsAreThoseByDefinition) {
  KINDRED_SKIP_WITHOUT_SHARED_DATA();
  EngineHarness harness(OptionsOf(2, 3));
  NaivePairs model(3);
  std::vector<Mutation> mutations;
  ForEachZinc(5'000, [&](const std::string& id, const Graph& graph) {
    mutations.push_back(PutOf(id, graph));
    model.Add(id, graph);
  });
  ASSERT_EQ(model.size(), 5'000u);
  ASSERT_TRUE(harness.Write(std::move(mutations)).status.ok());
  harness.writer().merger().Settle();
  const std::vector<PairQuestion> questions{{Measure::kTanimoto, 1},
                                            {Measure::kTanimoto, 0.8},
                                            {Measure::kTanimoto, 0.6},
                                            {Measure::kTanimoto, 0.5},
                                            {Measure::kCosine, 0.8},
                                            {Measure::kCosine, 0.7},
                                            {Measure::kKernel, 70},
                                            {Measure::kTanimoto, 0.9, 1},
                                            {Measure::kCosine, 0.8, 2},
                                            {Measure::kTanimoto, 0.5, 3, {1, 2, 4, 8}},
                                            {Measure::kKernel, 40, 3, {0.1, 0.7, 0, 1.3}}};
  size_t found = 0;
  for (PairQuestion question : questions) {
    const std::vector<IdPair> expected = model.Pairs(question);
    EXPECT_EQ(Must(FindPairs(harness.Newest(), question, {2})), expected)
        << "similarity " << question.min_similarity << ", measure " << static_cast<int>(question.measure);
    found += expected.size();
    if (!expected.empty()) {  // Exactly what one pair has.
      question.min_similarity = expected[expected.size() / 2].similarity;
      EXPECT_EQ(Must(FindPairs(harness.Newest(), question, {2})), model.Pairs(question));
    }
  }
  EXPECT_GT(found, 1'000u);
}

}  // namespace
}  // namespace kindred::test
