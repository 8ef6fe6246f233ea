// Recommendations of an engine: what is refused, at the edges of each limit; what is no hit.

#include "index/engine/recommend.h"

#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/recommend_model.h"
#include "tests/support/recommend_modes.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::EngineHarness;
using test::IsOk;
using test::kFailedPrecondition;
using test::kInvalid;
using test::kResourceExhausted;
using test::Must;
using test::Path;
using test::StatusIs;
using ::testing::ElementsAre;
using Example = RecommendRequest::Example;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

class Recommendations : public ::testing::Test {
 protected:
  Recommendations() {
    EngineOptions options = test::OptionsOf(1, 2);
    options.limits.k_max = 5;
    options.limits.recommend_examples_max = 4;
    harness_ = std::make_unique<EngineHarness>(options);
    for (const char* const id : {"CCO", "CCN", "CCC", "CCCC", "CCCO", "NCCO"}) {
      harness_->Put(id, Path(id));
    }
  }

  absl::StatusOr<RecommendReply> Ask(const RecommendRequest& request) {
    return Recommend(harness_->engine(), request, Interrupt());
  }
  // Both modes, which agree.
  std::vector<RecommendHit> Hits(RecommendRequest request) {
    const auto pruned = Must(Ask(request)).answer.hits;
    request.mode = SearchMode::kExhaustive;
    EXPECT_EQ(Must(Ask(request)).answer.hits, pruned);
    return pruned;
  }
  static std::vector<std::string> IdsOf(const std::vector<RecommendHit>& hits) {
    std::vector<std::string> ids;
    for (const RecommendHit& hit : hits) {
      ids.push_back(hit.id);
    }
    return ids;
  }
  static Example Id(const std::string& id, double weight = 1) { return {id, weight}; }
  static RecommendRequest Of(std::vector<Example> liked, std::vector<Example> disliked = {}) {
    RecommendRequest request;
    request.liked = std::move(liked);
    request.disliked = std::move(disliked);
    request.k = 5;
    return request;
  }
  static RecommendRequest Minimum(std::vector<Example> liked) {
    RecommendRequest request = Of(std::move(liked));
    request.form = RecommendForm::kBestMinimum;
    return request;
  }

  std::unique_ptr<EngineHarness> harness_;
};

TEST_F(Recommendations, AddUpWeightsTimesSimilaritiesInOrder) {
  const auto hits = Hits(Of({Id("CCO", 2), {Path("CCCO"), 0.5}}, {Id("CCN", 3)}));
  for (const RecommendHit& hit : hits) {
    ASSERT_EQ(hit.similarities.size(), 3u);
    EXPECT_EQ(hit.score, 0.0 + 2 * hit.similarities[0] + 0.5 * hit.similarities[1] - 3 * hit.similarities[2]);
  }
  // The graph that was given, not named, is stored as well, and found.
  EXPECT_EQ(hits.front().id, "CCCO");
  EXPECT_EQ(hits.front().similarities[1], 1);
}

TEST_F(Recommendations, OfTheLeastSimilarityAreItsBest) {
  const auto hits = Hits(Minimum({Id("CCO"), Id("CCN")}));
  for (const RecommendHit& hit : hits) {
    EXPECT_EQ(hit.score, std::min(hit.similarities[0], hit.similarities[1]));
  }
  EXPECT_EQ(hits.size(), 4u);
}

TEST_F(Recommendations, NeverFindExamplesNorWhatIsExcluded) {
  RecommendRequest request = Of({Id("CCO")}, {Id("CCN")});
  EXPECT_THAT(IdsOf(Hits(request)), ::testing::UnorderedElementsAre("CCC", "CCCC", "CCCO", "NCCO"));
  request.excluded = {"CCC", "CCO", "not stored"};
  EXPECT_THAT(IdsOf(Hits(request)), ::testing::UnorderedElementsAre("CCCC", "CCCO", "NCCO"));
}

TEST_F(Recommendations, FindOnlyWhatMatchesTheFilter) {
  for (const char* const id : {"CCC", "CCCO", "CCO"}) {
    Mutation put = test::PutOf(id, Path(id));
    put.record.value()->tags = {{"kind", id == std::string("CCCO") ? "odd" : "even"}};
    harness_->Write({put});
  }
  RecommendRequest request = Of({Id("NCCO")}, {Id("CCO")});
  const auto matching = [&](const char* text) {
    request.filter = Must(Filter::Parse(text, Limits()));
    return IdsOf(Hits(request));
  };
  EXPECT_THAT(matching("kind = even"), ElementsAre("CCC"));
  EXPECT_THAT(matching("exists kind"), ::testing::UnorderedElementsAre("CCC", "CCCO"));
  EXPECT_THAT(matching("not exists kind"), ::testing::UnorderedElementsAre("CCN", "CCCC"));
  EXPECT_THAT(matching("kind = none"), ElementsAre());
}

TEST_F(Recommendations, NeedSomethingLiked) {
  EXPECT_THAT(Ask(Of({})), StatusIs(kInvalid, "liked: is empty"));
  EXPECT_THAT(Ask(Of({}, {Id("CCO")})), StatusIs(kInvalid, "liked: is empty"));
}

TEST_F(Recommendations, TakeSoManyExamplesAndNoMore) {
  EXPECT_THAT(Ask(Of({Id("CCO"), Id("CCN"), Id("CCC")}, {Id("CCCC")})), IsOk());
  EXPECT_THAT(
      Ask(Of({Id("CCO"), Id("CCN"), Id("CCC")}, {Id("CCCC"), Id("CCCO")})),
      StatusIs(kResourceExhausted, "liked and disliked: 5 is over the limit recommend_examples_max = 4"));
}

TEST_F(Recommendations, WeightsAtTheirEdges) {
  for (const double weight : {5e-324, 1e-300, 1.0, 1048576.0}) {
    EXPECT_THAT(Ask(Of({Id("CCO", weight)}, {Id("CCN", weight)})), IsOk()) << weight;
  }
  for (const double weight : {0.0, -1.0, 1048576.0001, kNan, kInfinite}) {
    EXPECT_THAT(Ask(Of({Id("CCC"), Id("CCO", weight)})), StatusIs(kInvalid, "liked[1].weight: ")) << weight;
    EXPECT_THAT(Ask(Of({Id("CCO")}, {Id("CCN", weight)})), StatusIs(kInvalid, "disliked[0].weight: "))
        << weight;
  }
}

TEST_F(Recommendations, ContradictionsAreRefused) {
  EXPECT_THAT(Ask(Of({Id("CCC"), Id("CCO")}, {Id("CCO")})),
              StatusIs(kInvalid, "disliked[0].graph.id: 'CCO' is liked as well: liked[1]"));
  EXPECT_THAT(Ask(Of({Id("CCO"), Id("CCO")})),
              StatusIs(kInvalid, "liked[1].graph.id: 'CCO' is liked[0] already"));
  EXPECT_THAT(Ask(Of({Id("CCO")}, {Id("CCN"), Id("CCN")})),
              StatusIs(kInvalid, "disliked[1].graph.id: 'CCN' is disliked[0] already"));
  RecommendRequest request = Minimum({Id("CCO"), Id("CCN", 2)});
  EXPECT_THAT(Ask(request),
              StatusIs(kInvalid, "liked[1].weight: is 2, but the least similarity takes no weights"));
  request = Minimum({Id("CCO")});
  request.disliked = {Id("CCN")};
  EXPECT_THAT(Ask(request), StatusIs(kInvalid, "disliked: the least similarity to the liked takes none"));
}

TEST_F(Recommendations, UnknownIdsAreNotFound) {
  EXPECT_THAT(Ask(Of({Id("CCO")}, {Id("CCN"), Id("nobody")})),
              StatusIs(absl::StatusCode::kNotFound, "disliked[1].graph.id: no graph has the id 'nobody'"));
  harness_->Delete("CCN");
  EXPECT_THAT(Ask(Of({Id("CCN")})), StatusIs(absl::StatusCode::kNotFound, "liked[0].graph.id"));
}

TEST_F(Recommendations, KAndMinScoreAtTheirEdges) {
  RecommendRequest request = Of({Id("CCO", 2)}, {Id("CCN")});
  request.k = 0;
  EXPECT_THAT(Ask(request), StatusIs(kInvalid, "k: must be at least 1"));
  request.k = 6;
  EXPECT_THAT(Ask(request), StatusIs(kResourceExhausted, "k: 6 is over the limit k_max = 5"));
  request.k = 5;
  for (const double least : {-1.0, 0.0, 2.0}) {
    request.min_score = least;
    EXPECT_THAT(Ask(request), IsOk()) << least;
  }
  for (const double least : {-1.0001, 2.0001, kNan, kInfinite, -kInfinite}) {
    request.min_score = least;
    EXPECT_THAT(Ask(request), StatusIs(kInvalid, "min_score: ")) << least;
  }
  request.measure = Measure::kKernel;
  request.min_score = 1e6;
  EXPECT_TRUE(Hits(request).empty());
  request.min_score = -1e6;
  EXPECT_EQ(Hits(request).size(), 4u);
  request = Minimum({Id("CCO"), Id("CCN")});
  request.min_score = 1.0001;
  EXPECT_THAT(Ask(request), StatusIs(kInvalid, "min_score: 1.0001 is not between 0 and 1"));
}

TEST_F(Recommendations, TakeDepthWeightsAndSequenceAsSearchesDo) {
  RecommendRequest request = Of({Id("CCO")});
  request.depth = 3;
  EXPECT_THAT(Ask(request), StatusIs(kFailedPrecondition, "depth: 3 is beyond the index"));
  request.depth = 1;
  request.weights = {1};
  EXPECT_THAT(Ask(request), StatusIs(kInvalid, "weights: there are 1"));
  request.weights = {1, 0.5};
  EXPECT_EQ(Hits(request).size(), 5u);
  request.min_sequence = CommitSequence{6};
  EXPECT_EQ(Must(Ask(request)).sequence, CommitSequence{6});
  request.min_sequence = CommitSequence{7};
  EXPECT_THAT(Ask(request), StatusIs(kFailedPrecondition, "min_sequence: 7"));
}

TEST_F(Recommendations, StopWhenInterrupted) {
  for (const SearchMode mode : {SearchMode::kPruned, SearchMode::kExhaustive}) {
    RecommendRequest request = Of({Id("CCO")}, {Id("CCN")});
    request.mode = mode;
    const Interrupt cancelled([] { return true; }, Interrupt::Clock::time_point::max());
    EXPECT_THAT(Recommend(harness_->engine(), request, cancelled),
                StatusIs(absl::StatusCode::kCancelled, ""));
  }
}

}  // namespace
}  // namespace kindred
