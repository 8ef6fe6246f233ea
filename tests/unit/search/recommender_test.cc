// Both recommenders where there is little or nothing to find, when they are interrupted, and what they count.

#include <string>

#include "gtest/gtest.h"
#include "index/search/exhaustive_recommender.h"
#include "index/search/pruned_recommender.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"
#include "tests/support/recommend_modes.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::Corpus;
using test::IsOk;
using test::Must;
using test::StatusIs;

enum class Way { kPruned, kPlain, kExhaustive };

class Recommenders : public ::testing::TestWithParam<Way> {
 protected:
  void Fill(int graphs) {
    for (int i = 0; i < graphs; ++i) {
      stored_.Add("g" + std::to_string(i), Histogram(carbon_));
    }
    stored_.Seal();
  }

  RecommendQuery Asked(uint32_t k = 10) const {
    return {{{carbon_, 1, true}, {carbon_, 0.5, false}},
            RecommendForm::kWeightedSum,
            Must(Scoring::Create(Measure::kTanimoto, 3, {}, {})),
            k,
            {},
            {}};
  }

  absl::StatusOr<RecommendAnswer> Recommend(const RecommendQuery& query,
                                            const Interrupt& interrupt = Interrupt()) {
    switch (GetParam()) {
      case Way::kPruned:
        return PrunedRecommender(stored_.segments()).Recommend(query, interrupt);
      case Way::kPlain:
        return PrunedRecommender(stored_.plain_segments()).Recommend(query, interrupt);
      case Way::kExhaustive:
        break;
    }
    return ExhaustiveRecommender(stored_.source()).Recommend(query, interrupt);
  }

  ColourHierarchy hierarchy_;
  const Histogram carbon_ = test::GrowHistogram(hierarchy_, test::Isolated("C"), 3);
  test::SearchedHistograms stored_;
};

INSTANTIATE_TEST_SUITE_P(All, Recommenders, ::testing::Values(Way::kPruned, Way::kPlain, Way::kExhaustive));

TEST_P(Recommenders, FindNothingInNothing) { EXPECT_TRUE(Must(Recommend(Asked())).hits.empty()); }

TEST_P(Recommenders, GiveAllThereIsWhenMoreIsAskedFor) {
  Fill(20);
  const RecommendAnswer answer = Must(Recommend(Asked(1'000)));
  ASSERT_EQ(answer.hits.size(), 20u);
  EXPECT_EQ(answer.hits[0].id, "g0");
  EXPECT_EQ(answer.hits[1].id, "g1");
  EXPECT_EQ(answer.hits[2].id, "g10") << "ties go by id, bytewise";
  EXPECT_EQ(answer.hits[0].score, 0.5);
  EXPECT_EQ(answer.hits[0].similarities, (std::vector<double>{1, 1}));
  EXPECT_EQ(answer.stats.candidates, 20u);
}

TEST_P(Recommenders, LeaveOutExcludedIdsAndFillTheirPlaces) {
  Fill(5'000);
  RecommendQuery query = Asked(3);
  for (int i = 0; i < 4'990; ++i) {
    query.excluded.insert("g" + std::to_string(i));
  }
  const RecommendAnswer answer = Must(Recommend(query));
  ASSERT_EQ(answer.hits.size(), 3u);
  EXPECT_EQ(answer.hits[0].id, "g4990");
  EXPECT_EQ(answer.hits[2].id, "g4992");
}

TEST_P(Recommenders, StopWhenTheyAreCancelledOrLate) {
  Fill(5'000);
  const auto never = Interrupt::Clock::time_point::max();
  EXPECT_THAT(Recommend(Asked(), Interrupt([] { return true; }, never)),
              StatusIs(absl::StatusCode::kCancelled, ""));
  EXPECT_THAT(Recommend(Asked(), Interrupt(nullptr, Interrupt::Clock::now() - std::chrono::hours(1))),
              StatusIs(absl::StatusCode::kDeadlineExceeded, ""));
  int asked = 0;
  Fill(0);
  EXPECT_THAT(Recommend(Asked(), Interrupt([&] { return ++asked == 3; }, never)),
              StatusIs(absl::StatusCode::kCancelled, ""));
  EXPECT_EQ(asked, 3) << "it went on asking after it was told to stop";
}

// Twice as many postings between two checks as searches have are let pass.
TEST_P(Recommenders, LookAtTheInterruptEvery10000Postings) {
  Fill(100'000);  // All alike: every one of them is a tie, so that none is pruned.
  uint64_t asked = 0;
  const auto answer = Recommend(Asked(), Interrupt(
                                             [&] {
                                               ++asked;
                                               return false;
                                             },
                                             Interrupt::Clock::time_point::max()));
  ASSERT_THAT(answer, IsOk());
  EXPECT_GE(answer->stats.postings_read, 60'000u);
  EXPECT_GE(asked, answer->stats.postings_read / (2 * kPostingsBetweenChecks));
}

TEST(ExhaustiveRecommender, PassesOnAnErrorOfItsSource) {
  ColourHierarchy hierarchy;
  const RecommendQuery query{{{test::GrowHistogram(hierarchy, test::Isolated("C"), 1), 1, true}},
                             RecommendForm::kBestMinimum,
                             Must(Scoring::Create(Measure::kTanimoto, 1, {}, {})),
                             1,
                             {},
                             {}};
  const ExhaustiveRecommender recommender(
      [](const HistogramVisitor&) { return absl::DataLossError("row 7 is damaged"); });
  EXPECT_THAT(recommender.Recommend(query, Interrupt()), StatusIs(absl::StatusCode::kDataLoss, "row 7"));
}

}  // namespace
}  // namespace kindred
