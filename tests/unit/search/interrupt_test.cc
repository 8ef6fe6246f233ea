// Interrupts: a caller that left or a deadline that passed stops every search. No clock is waited for:
// deadlines lie in the past or far ahead, and cancellation counts how often it was asked for.

#include "index/search/interrupt.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using std::chrono::hours;
using test::Corpus;
using test::IsOk;
using test::StatusIs;

constexpr auto kCancelled = absl::StatusCode::kCancelled;
constexpr auto kDeadlineExceeded = absl::StatusCode::kDeadlineExceeded;
constexpr auto kNever = Interrupt::Clock::time_point::max();

const Interrupt::Clock::time_point kPast = Interrupt::Clock::now() - hours(1);
const Interrupt::Clock::time_point kFuture = Interrupt::Clock::now() + hours(1000);

TEST(Interrupt, ByDefaultNeverInterrupts) { EXPECT_THAT(Interrupt().Check(), IsOk()); }

TEST(Interrupt, TellsCancellationFromDeadline) {
  EXPECT_THAT(Interrupt(nullptr, kPast).Check(), StatusIs(kDeadlineExceeded, "deadline"));
  EXPECT_THAT(Interrupt(nullptr, kFuture).Check(), IsOk());
  EXPECT_THAT(Interrupt([] { return true; }, kFuture).Check(), StatusIs(kCancelled, "cancelled"));
  EXPECT_THAT(Interrupt([] { return false; }, kPast).Check(), StatusIs(kDeadlineExceeded, ""));
  EXPECT_THAT(Interrupt([] { return true; }, kPast).Check(), StatusIs(kCancelled, ""));
}

TEST(Interrupt, WithinALimitTellsTheLimitAndTheCallersDeadlineFirst) {
  const Interrupt patient(nullptr, kFuture);
  EXPECT_THAT(patient.Within(kFuture, "search_millis_max = 5").Check(), IsOk());
  EXPECT_THAT(patient.Within(kPast, "search_millis_max = 5").Check(),
              StatusIs(kDeadlineExceeded, "longer than the limit search_millis_max = 5"));
  EXPECT_THAT(Interrupt().Within(kPast, "search_millis_max = 5").Check(),
              StatusIs(kDeadlineExceeded, "limit"));
  EXPECT_THAT(Interrupt(nullptr, kPast).Within(kPast, "x").Check(), StatusIs(kDeadlineExceeded, "deadline"));
}

enum class Which { kPruned, kExhaustive };

class SearchInterrupts : public ::testing::TestWithParam<Which> {
 protected:
  // One segment of `graphs` graphs that all wear the query's colours: 4 postings each at depth 3.
  void Fill(int graphs) {
    for (int i = 0; i < graphs; ++i) {
      corpus_.Add("g" + std::to_string(i), test::Isolated("C"));
    }
    corpus_.Seal();
  }

  absl::StatusOr<Answer> Search(const Interrupt& interrupt) {
    const Query query = corpus_.QueryFor(test::Isolated("C"), {});
    if (GetParam() == Which::kPruned) {
      return PrunedSearcher(corpus_.segments()).Search(query, interrupt);
    }
    return ExhaustiveSearcher(corpus_.source()).Search(query, interrupt);
  }

  Corpus corpus_{3};
};

INSTANTIATE_TEST_SUITE_P(All, SearchInterrupts, ::testing::Values(Which::kPruned, Which::kExhaustive));

TEST_P(SearchInterrupts, AnAnswerComesWhenNothingInterrupts) {
  Fill(5'000);
  EXPECT_THAT(Search(Interrupt([] { return false; }, kFuture)), IsOk());
}

TEST_P(SearchInterrupts, ACancelledSearchStops) {
  Fill(5'000);
  EXPECT_THAT(Search(Interrupt([] { return true; }, kNever)), StatusIs(kCancelled, ""));
}

TEST_P(SearchInterrupts, ASearchPastItsDeadlineStops) {
  Fill(5'000);
  EXPECT_THAT(Search(Interrupt(nullptr, kPast)), StatusIs(kDeadlineExceeded, ""));
}

TEST_P(SearchInterrupts, ASearchPastItsDeadlineStopsInATinyIndexToo) {
  Fill(3);
  EXPECT_THAT(Search(Interrupt(nullptr, kPast)), StatusIs(kDeadlineExceeded, ""));
}

TEST_P(SearchInterrupts, ACancellationDuringTheSearchStopsIt) {
  Fill(20'000);
  int asked = 0;
  const Interrupt third([&] { return ++asked == 3; }, kNever);
  EXPECT_THAT(Search(third), StatusIs(kCancelled, ""));
  EXPECT_EQ(asked, 3) << "it went on asking after it was told to stop";
}

// Design: every ~10,000 postings. Twice as many between two checks is let pass.
TEST_P(SearchInterrupts, IsLookedAtEvery10000Postings) {
  Fill(60'000);  // All alike: every one of them is a tie, so that none is pruned.
  uint64_t asked = 0;
  const auto answer = Search(Interrupt(
      [&] {
        ++asked;
        return false;
      },
      kNever));
  ASSERT_THAT(answer, IsOk());
  EXPECT_EQ(answer->stats.candidates, 60'000u);
  EXPECT_GE(asked, answer->stats.postings_read / (2 * kPostingsBetweenChecks));
}

TEST(ExhaustiveSearcher, CountsCandidatesAndPostings) {
  Corpus corpus(3);
  for (int i = 0; i < 100; ++i) {
    corpus.Add("g" + std::to_string(i), test::Isolated("C"));
  }
  const auto answer =
      ExhaustiveSearcher(corpus.source()).Search(corpus.QueryFor(test::Isolated("C"), {}), Interrupt());
  ASSERT_THAT(answer, IsOk());
  EXPECT_EQ(answer->stats.candidates, 100u);
  EXPECT_EQ(answer->stats.postings_read, 400u);
}

TEST(ExhaustiveSearcher, PassesOnAnErrorOfItsSource) {
  Corpus corpus(1);
  const ExhaustiveSearcher searcher(
      [](const HistogramVisitor&) { return absl::DataLossError("row 7 is damaged"); });
  EXPECT_THAT(searcher.Search(corpus.QueryFor(test::Isolated("C"), {}), Interrupt()),
              StatusIs(absl::StatusCode::kDataLoss, "row 7"));
}

}  // namespace
}  // namespace kindred
