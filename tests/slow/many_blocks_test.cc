// More than 65,536 blocks, all of which survive every bound: positions do not fit 16 bits, lists have to
// skip, and every graph is a tie.

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"
#include "tests/support/searched_histograms.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

constexpr uint32_t kGraphs = 1'060'000;
constexpr uint32_t kSurvivingBlocks = 65'536;
constexpr Level kManyDepth = 2;

class ManyBlocks : public ::testing::Test {
 protected:
  // One vertex each: carbon, but for an oxygen at both ends and here and there, so that its list has to skip.
  static void SetUpTestSuite() {
    stored_ = new SearchedHistograms;
    ColourHierarchy hierarchy;
    carbon_ = GrowHistogram(hierarchy, Isolated("C"), kManyDepth);
    oxygen_ = GrowHistogram(hierarchy, Isolated("O"), kManyDepth);
    for (uint32_t i = 0; i < kGraphs; ++i) {
      const bool oxygen = i < 3 || i + 3 > kGraphs || i % 500'009 == 0;
      stored_->Add(std::to_string(uint64_t{i} * 7'919 % kGraphs), oxygen ? oxygen_ : carbon_);
    }
    stored_->Seal(Ordering::kBySize);
    for (size_t i = 0; i < 40; ++i) {
      stored_->Hide(i * 26'000 + 1);
    }
  }
  static void TearDownTestSuite() { delete stored_; }

  static Answer ExpectModesAgree(const Histogram& histogram, Measure measure, uint32_t k,
                                 const std::vector<double>& weights) {
    return stored_->ExpectModesAgree(
        {histogram, Must(Scoring::Create(measure, kManyDepth, {}, weights)), k, std::nullopt});
  }

  static inline SearchedHistograms* stored_ = nullptr;
  static inline Histogram carbon_;
  static inline Histogram oxygen_;
};

TEST_F(ManyBlocks, AllSurviveAndTiesGoByIdWhenLevelsAreSummed) {
  for (const uint32_t k : {1u, 100u, 10'000u}) {
    const Answer answer = ExpectModesAgree(carbon_, Measure::kTanimoto, k, {});
    EXPECT_GT(answer.stats.blocks_scored, kSurvivingBlocks);
  }
}

TEST_F(ManyBlocks, AllSurviveAndTiesGoByIdWhenLevelsAreApart) {
  EXPECT_GT(ExpectModesAgree(carbon_, Measure::kCosine, 10'000, {0.1, 0.7, 1.3}).stats.blocks_scored,
            kSurvivingBlocks);
  EXPECT_GT(ExpectModesAgree(carbon_, Measure::kKernel, 100, {1, 2, 4}).stats.blocks_scored,
            kSurvivingBlocks);
}

TEST_F(ManyBlocks, AListThatSkipsFindsItsLastBlock) {
  for (const Measure measure : {Measure::kKernel, Measure::kTanimoto}) {
    const Answer answer = ExpectModesAgree(oxygen_, measure, 6, {});
    EXPECT_EQ(answer.hits.back().kernel, 3.0) << "so many are oxygen";
  }
  ExpectModesAgree(oxygen_, Measure::kTanimoto, 100, {0.1, 0.7, 1.3});
}

}  // namespace
}  // namespace kindred::test
