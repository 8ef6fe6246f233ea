// All pairs of 5,000 generated graphs against the comparison of every two: measures, depths, weights, and
// thresholds, above all those that some pairs have exactly.

#include <string>
#include <vector>

#include "bench/generated_molecules.h"
#include "gtest/gtest.h"
#include "tests/support/engine_harness.h"
#include "tests/support/found_pairs.h"
#include "tests/support/graphs.h"
#include "tests/support/naive_pairs.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

constexpr Level kAllDepth = 3;
constexpr size_t kAllGraphs = 5'000;
constexpr uint64_t kSeed = 31;

class AllPairs : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    harness_ = new EngineHarness(OptionsOf(2, kAllDepth));
    model_ = new NaivePairs(kAllDepth);
    auto molecules = bench::GeneratedMolecules(kSeed);
    Rng rng(kSeed);
    std::vector<Mutation> mutations;
    std::vector<Graph> graphs;
    for (size_t i = 0; i < kAllGraphs; ++i) {
      const std::string id = std::to_string(i * 7'919 % kAllGraphs);
      // Like molecules, some small and of few labels, where ties abound, and copies of earlier ones.
      const uint64_t kind = Below(rng, 20);
      graphs.push_back(kind < 14   ? molecules->Next()->graph
                       : kind < 18 ? RandomGraph(rng, {.vertices_max = 12})
                                   : graphs[Below(rng, graphs.size())]);
      mutations.push_back(PutOf(id, graphs.back()));
      model_->Add(id, graphs.back());
      if (i == 1'000 || i == 3'500) {
        ASSERT_TRUE(harness_->Write(std::exchange(mutations, {})).status.ok());
        harness_->writer().merger().Settle();
      }
    }
    ASSERT_TRUE(harness_->Write(std::move(mutations)).status.ok());
  }
  static void TearDownTestSuite() {
    delete harness_;
    delete model_;
  }

  // Returns them.
  static std::vector<IdPair> ExpectAllPairs(const PairQuestion& question) {
    std::vector<IdPair> expected = model_->Pairs(question);
    EXPECT_EQ(Must(FindPairs(harness_->Newest(), question, {2})), expected)
        << "seed " << kSeed << ", similarity " << question.min_similarity << ", measure "
        << static_cast<int>(question.measure);
    return expected;
  }

  // Round thresholds, descending, and the similarities of pairs there are: nothing there may be lost or
  // added.
  static void ExpectAllPairsAtMany(PairQuestion question, const std::vector<double>& thresholds) {
    std::vector<IdPair> pairs;
    for (const double threshold : thresholds) {
      question.min_similarity = threshold;
      pairs = ExpectAllPairs(question);
    }
    ASSERT_GT(pairs.size(), 100u);
    Rng rng(kSeed);
    for (int edge = 0; edge < 5; ++edge) {
      question.min_similarity = pairs[Below(rng, pairs.size())].similarity;
      ExpectAllPairs(question);
    }
  }

  static inline EngineHarness* harness_ = nullptr;
  static inline NaivePairs* model_ = nullptr;
};

TEST_F(AllPairs, ByTanimoto) {
  ExpectAllPairsAtMany({Measure::kTanimoto}, {1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4});
}

TEST_F(AllPairs, ByCosine) { ExpectAllPairsAtMany({Measure::kCosine}, {1, 0.95, 0.9, 0.8, 0.7, 0.6}); }

TEST_F(AllPairs, ByKernel) { ExpectAllPairsAtMany({Measure::kKernel}, {120, 100, 80, 70}); }

TEST_F(AllPairs, ToLesserDepths) {
  ExpectAllPairsAtMany({Measure::kTanimoto, 0, 0}, {1, 0.97, 0.95});
  ExpectAllPairsAtMany({Measure::kTanimoto, 0, 1}, {1, 0.9, 0.8});
  ExpectAllPairsAtMany({Measure::kCosine, 0, 2}, {1, 0.9, 0.8});
}

TEST_F(AllPairs, WithIntegralWeights) {
  ExpectAllPairsAtMany({Measure::kTanimoto, 0, 3, {1, 2, 4, 8}}, {1, 0.8, 0.5, 0.4});
  ExpectAllPairsAtMany({Measure::kCosine, 0, 3, {8, 0, 0, 1}}, {1, 0.97, 0.95});
  ExpectAllPairsAtMany({Measure::kKernel, 0, 3, {0, 0, 5, 5}}, {250, 200, 150});
  ExpectAllPairsAtMany({Measure::kTanimoto, 0, 2, {0, 1, 0}}, {1, 0.9});
}

TEST_F(AllPairs, WithOtherWeights) {
  ExpectAllPairsAtMany({Measure::kTanimoto, 0, 3, {0.1, 0.7, 0, 1.3}}, {1, 0.8, 0.5});
  ExpectAllPairsAtMany({Measure::kCosine, 0, 3, {1e-9, 1, 0.3, 1'048'576}}, {1, 0.8, 0.6});
  ExpectAllPairsAtMany({Measure::kKernel, 0, 3, {0.3, 0.3, 0.3, 0.3}}, {30, 25});
}

}  // namespace
}  // namespace kindred::test
