// Engine::Search: what it refuses, at the edges of each limit, and what it promises about sequences.

#include <limits>
#include <string>

#include "gtest/gtest.h"
#include "index/engine/engine.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::Ask;
using test::EngineHarness;
using test::IsOk;
using test::kInvalid;
using test::Must;
using test::Path;
using test::StatusIs;

constexpr Measure kAskedMeasures[] = {Measure::kKernel, Measure::kCosine, Measure::kTanimoto};
constexpr SearchMode kModes[] = {SearchMode::kPruned, SearchMode::kExhaustive};

class SearchRequests : public ::testing::Test {
 protected:
  SearchRequests() {
    EngineOptions options;
    options.limits.k_max = 10;
    harness_ = std::make_unique<EngineHarness>(options);
    for (int i = 0; i < 12; ++i) {
      harness_->Put("g" + std::to_string(i), Path("CCO"));
    }
  }

  absl::StatusOr<SearchReply> Search(const SearchRequest& request) { return harness_->Search(request); }

  std::unique_ptr<EngineHarness> harness_;
};

TEST_F(SearchRequests, KAtItsEdges) {
  EXPECT_THAT(Search(Ask(Path("CC"), 0)), StatusIs(kInvalid, "k: must be at least 1"));
  EXPECT_EQ(Must(Search(Ask(Path("CC"), 1))).answer.hits.size(), 1u);
  EXPECT_EQ(Must(Search(Ask(Path("CC"), 10))).answer.hits.size(), 10u);
  EXPECT_THAT(Search(Ask(Path("CC"), 11)),
              StatusIs(absl::StatusCode::kResourceExhausted, "k: 11 is over the limit k_max = 10"));
}

TEST_F(SearchRequests, MinSimilarityAtItsEdges) {
  SearchRequest request = Ask(Path("CCO"));
  const auto with = [&](Measure measure, double least) {
    request.measure = measure;
    request.min_similarity = least;
    return Search(request);
  };
  const double kNotANumber = std::numeric_limits<double>::quiet_NaN();
  for (const Measure measure : kAskedMeasures) {
    EXPECT_THAT(with(measure, 0), IsOk());
    EXPECT_THAT(with(measure, 1), IsOk());
    EXPECT_THAT(with(measure, -0.001), StatusIs(kInvalid, "min_similarity"));
    EXPECT_THAT(with(measure, kNotANumber), StatusIs(kInvalid, "min_similarity"));
  }
  EXPECT_THAT(with(Measure::kTanimoto, 1.001), StatusIs(kInvalid, "between 0 and 1"));
  EXPECT_THAT(with(Measure::kCosine, 1.001), StatusIs(kInvalid, "between 0 and 1"));
  EXPECT_EQ(Must(with(Measure::kKernel, 12)).answer.hits.size(), 10u);  // 3 vertices, 4 levels.
  EXPECT_EQ(Must(with(Measure::kKernel, 12.001)).answer.hits.size(), 0u);
}

TEST_F(SearchRequests, DepthAndWeightsAreChecked) {
  SearchRequest request = Ask(Path("CC"));
  request.depth = 3;
  EXPECT_THAT(Search(request), IsOk());
  request.depth = 4;
  EXPECT_THAT(Search(request), StatusIs(absl::StatusCode::kFailedPrecondition, "depth: 4"));
  request.depth = 1;
  request.weights = {1, 2, 3};
  EXPECT_THAT(Search(request), StatusIs(kInvalid, "weights"));
}

TEST_F(SearchRequests, AStoredGraphMayBeTheQuery) {
  harness_->Put("other", Path("NNN"));
  for (const SearchMode mode : kModes) {
    SearchRequest request = Ask(std::string("other"), 2);
    request.mode = mode;
    const auto hits = harness_->Hits(request);
    ASSERT_EQ(hits.size(), 2u);
    EXPECT_EQ(hits[0], (Hit{"other", 12, 1.0, 3}));
    EXPECT_EQ(hits[1].id, "g0");
  }
  EXPECT_THAT(Search(Ask(std::string("nobody"))), StatusIs(absl::StatusCode::kNotFound, "'nobody'"));
}

TEST_F(SearchRequests, AQueryGrowsNothing) {
  const EngineStats before = harness_->engine().stats();
  EXPECT_THAT(Search(Ask(Path("XYZ", "new"))), IsOk());
  const EngineStats after = harness_->engine().stats();
  EXPECT_EQ(after.labels, before.labels);
  EXPECT_EQ(after.colours, before.colours);
  EXPECT_EQ(after.sequence, before.sequence);
}

TEST_F(SearchRequests, MinSequenceIsServedWhenCommittedAndElseRefused) {
  SearchRequest request = Ask(Path("CC"));
  request.min_sequence = CommitSequence{12};
  EXPECT_EQ(Must(Search(request)).sequence, CommitSequence{12});
  request.min_sequence = CommitSequence{13};
  EXPECT_THAT(Search(request), StatusIs(absl::StatusCode::kFailedPrecondition, "min_sequence: 13"));
  harness_->Delete("g0");
  EXPECT_EQ(Must(Search(request)).sequence, CommitSequence{13});
}

TEST_F(SearchRequests, BothModesGiveOneAnswer) {
  for (const Measure measure : kAskedMeasures) {
    SearchRequest request = Ask(Path("CO"), 5, measure);
    const auto pruned = harness_->Hits(request);
    request.mode = SearchMode::kExhaustive;
    EXPECT_EQ(harness_->Hits(request), pruned);
  }
}

TEST_F(SearchRequests, BothModesStopForACallerThatLeft) {
  for (const SearchMode mode : kModes) {
    SearchRequest request = Ask(Path("CO"));
    request.mode = mode;
    EXPECT_THAT(harness_->engine().Search(
                    request, Interrupt([] { return true; }, Interrupt::Clock::time_point::max())),
                StatusIs(absl::StatusCode::kCancelled, ""));
  }
}

TEST_F(SearchRequests, StatsCountWhatIsThere) {
  harness_->writer().merger().Settle();
  const EngineStats stats = harness_->engine().stats();
  EXPECT_EQ(stats.graphs, 12u);
  EXPECT_EQ(stats.depth, 3);
  EXPECT_EQ(stats.sequence, CommitSequence{12});
  EXPECT_EQ(stats.labels, 3u);                                    // C, O and "".
  EXPECT_EQ(stats.colours, (std::vector<uint64_t>{2, 3, 3, 3}));  // C, O; then C-, -C-, -O.
  // Twelve equal graphs in one block: one posting for each of their features.
  EXPECT_EQ(stats.segments, 1u);
  EXPECT_EQ(stats.postings, 3u * 4);
  EXPECT_GT(stats.memory_bytes, 0u);
  EXPECT_GT(stats.disk_bytes, 0u);
}

}  // namespace
}  // namespace kindred
