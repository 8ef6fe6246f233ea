// A watch of an engine: what it tells, from where, and what it refuses.

#include "index/engine/watch.h"

#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/watching.h"

namespace kindred::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class WatchTest : public ::testing::Test {
 protected:
  std::unique_ptr<Watch> Start(const std::vector<WatchQuery>& queries, std::optional<uint64_t> after = {}) {
    WatchRequest request;
    if (after) {
      request.after = CommitSequence{*after};
    }
    return Must(StartWatch(harness_.engine(), queries, std::move(request)));
  }

  static std::vector<std::string> Ids(const std::vector<Told>& told) {
    std::vector<std::string> ids;
    for (const Told& one : told) {
      ids.push_back(one.id);
    }
    return ids;
  }

  EngineHarness harness_{OptionsOf(2)};
};

TEST_F(WatchTest, TellsOfWhatIsStoredAfterItsStartInTheOrderOfCommitsAndQueries) {
  harness_.Put("before", Path("CCO"));
  const auto watch = Start({{"b", Path("CCO"), 1}, {"a", Path("CCO"), 0.5}, {"n", Path("NN"), 1}});
  EXPECT_THAT(PullAll(*watch), IsEmpty());
  EXPECT_EQ(Raw(watch->position()), 1u);
  harness_.Write({PutOf("z", Path("CCO")), PutOf("other", Path("NNN")), PutOf("y", Path("OCC"))});
  EXPECT_THAT(PullAll(*watch), ElementsAre(Told{2, "z", "b", 12, 1}, Told{2, "z", "a", 12, 1},
                                           Told{4, "y", "b", 12, 1}, Told{4, "y", "a", 12, 1}));
  EXPECT_THAT(PullAll(*watch), IsEmpty()) << "told twice";
}

TEST_F(WatchTest, AMoleculeNobodyStoredYetMatchesItselfWhenItComes) {
  const Graph rare = Path("CXYZC", "weird");
  const auto watch = Start({{"rare", rare, 1}, {"close", rare, 0.3}});
  harness_.Put("far", Path("CCO"));
  EXPECT_THAT(PullAll(*watch), IsEmpty());
  harness_.Put("near", Path("CXYZO", "weird"));
  EXPECT_THAT(Ids(PullAll(*watch)), ElementsAre("near"));
  harness_.Put("it", Renumber(rare, {4, 2, 0, 3, 1}));
  EXPECT_THAT(PullAll(*watch), ElementsAre(Told{3, "it", "rare", 20, 1}, Told{3, "it", "close", 20, 1}));
}

TEST_F(WatchTest, StartsBehindAnyCommitAlsoAfterARestart) {
  for (int i = 1; i <= 10; ++i) {
    harness_.Put("g" + std::to_string(i), Path("CCO"));
  }
  for (int round = 0; round < 3; ++round) {
    SCOPED_TRACE(round);  // As they came, then inverted, then recovered.
    EXPECT_THAT(Ids(PullAll(*Start({{"q", Path("CCO"), 1}}, 7))), ElementsAre("g8", "g9", "g10"));
    EXPECT_THAT(PullAll(*Start({{"q", Path("CCO"), 1}}, 0)), SizeIs(10));
    EXPECT_THAT(PullAll(*Start({{"q", Path("CCO"), 1}}, 10)), IsEmpty());
    EXPECT_THAT(StartWatch(harness_.engine(), {}, {.after = CommitSequence{11}}),
                StatusIs(absl::StatusCode::kOutOfRange, "after_sequence: 11 is beyond the last commit, 10"));
    if (round == 0) {
      harness_.writer().merger().Settle();
      EXPECT_FALSE(harness_.Newest()->segments.front().segment->is_plain());
    } else if (round == 1) {
      harness_.Restart();
    }
  }
}

TEST_F(WatchTest, WhatIsGoneBeforeTheWatchComesToItIsNotToldOf) {
  const auto watch = Start({{"q", Path("CCO"), 1}});
  harness_.Put("replaced", Path("CCO"));
  harness_.Put("deleted", Path("CCO"));
  harness_.Put("stays", Path("CCO"));
  harness_.Put("replaced", Path("NN"));
  harness_.Put("again", Path("CCO"));
  harness_.Put("again", Path("OCC"));
  harness_.Delete("deleted");
  EXPECT_THAT(PullAll(*watch), ElementsAre(Told{3, "stays", "q", 12, 1}, Told{6, "again", "q", 12, 1}));
  EXPECT_EQ(Raw(watch->position()), 7u) << "a position moves over commits that stored nothing";
}

TEST_F(WatchTest, AQueryByIdIsTheGraphThatIsStoredAtTheStart) {
  harness_.Put("it", Path("CCO"));
  const auto watch = Start({{"q", "it", 1}});
  harness_.Put("it", Path("NNN"));
  harness_.Put("like it was", Path("CCO"));
  harness_.Put("like it is", Path("NNN"));
  EXPECT_THAT(Ids(PullAll(*watch)), ElementsAre("like it was"));
  EXPECT_THAT(StartWatch(harness_.engine(), {{"q", "nothing", 1}}),
              StatusIs(absl::StatusCode::kNotFound, "graph.id: no graph has the id 'nothing'"));
}

TEST_F(WatchTest, RefusesSimilaritiesThatAreOutOfRange) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double least : {0.0, -0.5, 1.0001, nan, infinity, -infinity}) {
    EXPECT_THAT(StartWatch(harness_.engine(), {{"q", Path("C"), least}}),
                StatusIs(kInvalid, "min_similarity: "))
        << least;
  }
  for (const double least : {0.0, -1.0, nan, infinity}) {
    EXPECT_THAT(StartWatch(harness_.engine(), {{"q", Path("C"), least}}, {.measure = Measure::kKernel}),
                StatusIs(kInvalid, "is not a number above 0"))
        << least;
  }
  EXPECT_THAT(StartWatch(harness_.engine(), {{"q", Path("C"), 7e30}}, {.measure = Measure::kKernel}), IsOk());
  EXPECT_THAT(StartWatch(harness_.engine(), {}, {.depth = 4}), StatusIs(kFailedPrecondition, "depth"));
  EXPECT_THAT(StartWatch(harness_.engine(), {}, {.depth = 1, .weights = {1, 2, 3}}),
              StatusIs(kInvalid, "weights"));
}

TEST_F(WatchTest, LimitsHoldAtTheirEdge) {
  harness_.options().limits.watches_max = 2;
  harness_.options().limits.watch_vertices_max = 5;
  harness_.Restart();
  const auto one = Must(StartWatch(harness_.engine(), {}));
  {
    const auto two = Must(StartWatch(harness_.engine(), {}));
    EXPECT_THAT(StartWatch(harness_.engine(), {}),
                StatusIs(kResourceExhausted, "concurrent watches: 3 is over the limit watches_max = 2"));
  }
  EXPECT_THAT(StartWatch(harness_.engine(), {{"a", Path("CC"), 1}, {"b", Path("CCC"), 1}}), IsOk());
  EXPECT_THAT(StartWatch(harness_.engine(), {{"a", Path("CCC"), 1}, {"b", Path("CCC"), 1}}),
              StatusIs(kResourceExhausted, "watch_vertices_max = 5"));
}

TEST_F(WatchTest, TellsOfOneGraphInSeveralPartsWhenItMatchesVeryMany) {
  std::vector<WatchQuery> queries;
  const std::string long_name(500, 'q');
  for (int i = 0; i < 3000; ++i) {
    queries.push_back({long_name + std::to_string(i), Path("CCO"), 1});
  }
  const auto watch = Start(queries);
  harness_.Write({PutOf("a", Path("CCO")), PutOf("b", Path("CCO"))});
  harness_.Delete("a");  // Nothing to the parts that are left of it, once one is given out.
  std::vector<Told> told;
  size_t parts = 0;
  uint64_t last = 0;
  harness_.Put("a", Path("CCO"));
  do {
    const WatchPart part = Must(watch->Next(Interrupt()));
    EXPECT_LE(part.matches.size() * long_name.size(), 2u << 20) << "a part is bounded";
    EXPECT_GE(Raw(part.sequence), last);
    last = Raw(part.sequence);
    EXPECT_EQ(Raw(part.sequence) + part.behind, 4u);
    if (!part.matches.empty()) {
      ++parts;
      const uint64_t reached = Raw(part.matches.back().sequence);
      EXPECT_TRUE(Raw(part.sequence) == reached || Raw(part.sequence) == reached - 1);
    }
    Append(*watch, part, told);
  } while (!watch->up_to_date());
  EXPECT_GT(parts, 2u);
  ASSERT_THAT(told, SizeIs(6000));
  for (size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told[i].id, i < 3000 ? "b" : "a");
    EXPECT_EQ(told[i].query, queries[i % 3000].name);
  }
}

TEST_F(WatchTest, GivesPayloadAndTagsOnRequest) {
  WatchRequest request;
  request.with_payload = request.with_tags = true;
  const auto watch = Must(StartWatch(harness_.engine(), {{"q", Path("CCO"), 1}}, request));
  const auto bare = Start({{"q", Path("CCO"), 1}});
  Mutation put = PutOf("x", Path("CCO"));
  (*put.record)->payload = "bytes";
  (*put.record)->tags = {{"source", "test"}};
  harness_.Write({put});
  const WatchPart part = Must(watch->Next(Interrupt()));
  ASSERT_THAT(part.matches, SizeIs(1));
  EXPECT_EQ(part.matches[0].graph->payload, "bytes");
  EXPECT_EQ(part.matches[0].graph->tags, (Tags{{"source", "test"}}));
  const WatchPart without = Must(bare->Next(Interrupt()));
  ASSERT_THAT(without.matches, SizeIs(1));
  EXPECT_EQ(without.matches[0].graph->payload + std::to_string(without.matches[0].graph->tags.size()), "0");
}

TEST_F(WatchTest, AFilterLeavesOutWhatItsTagsDoNotMatchAndThePositionMovesOverIt) {
  WatchRequest request;
  request.filter = Must(Filter::Parse("source = a and not exists old", Limits()));
  const auto watch =
      Must(StartWatch(harness_.engine(), {{"q", Path("CCO"), 1}, {"r", Path("CCO"), 0.5}}, request));
  const auto put = [](const std::string& id, Tags tags) {
    Mutation mutation = PutOf(id, Path("CCO"));
    (*mutation.record)->tags = std::move(tags);
    return mutation;
  };
  harness_.Write({put("none", {}), put("yes", {{"source", "a"}}), put("b", {{"source", "b"}}),
                  put("old", {{"old", ""}, {"source", "a"}})});
  EXPECT_THAT(PullAll(*watch), ElementsAre(Told{2, "yes", "q", 12, 1}, Told{2, "yes", "r", 12, 1}));
  EXPECT_EQ(Raw(watch->position()), 4u);
  // Tags are those of the commit that is told of.
  harness_.Write({put("b", {{"source", "a"}}), put("yes", {})});
  EXPECT_THAT(Ids(PullAll(*watch)), ElementsAre("b", "b"));
}

TEST_F(WatchTest, EndsWhenTheIndexBecomesOneOfOtherMolecules) {
  WatchRequest request;
  request.molecule_scheme = "element,bonds";
  const auto watch = Must(StartWatch(harness_.engine(), {{"q", Path("CCO"), 1}}, request));
  EXPECT_THAT(PullAll(*watch), IsEmpty());
  Mutation put = PutOf("x", Path("CCO"));
  put.molecule_scheme = "ecfp,bonds";
  (*put.record)->is_molecule = true;
  harness_.Write({put});
  EXPECT_THAT(watch->Next(Interrupt()), StatusIs(kFailedPrecondition, "molecule_scheme"));
  EXPECT_THAT(StartWatch(harness_.engine(), {}, request), StatusIs(kFailedPrecondition, "molecule_scheme"));
}

TEST_F(WatchTest, StopsWhenItIsInterrupted) {
  const auto watch = Start({{"q", Path("CCO"), 1}});
  const Interrupt cancelled([] { return true; }, Interrupt::Clock::time_point::max());
  EXPECT_THAT(watch->Next(cancelled), StatusIs(absl::StatusCode::kCancelled, ""));
}

TEST_F(WatchTest, CommitsWakeThoseWhoListenAndNobodyElse) {
  int woken = 0;
  auto handle = harness_.engine().commits().Add([&] { ++woken; });
  harness_.Put("a", Path("C"));
  EXPECT_EQ(woken, 1);
  harness_.Delete("not there");  // No commit.
  EXPECT_EQ(woken, 1);
  handle.reset();
  harness_.Put("b", Path("C"));
  EXPECT_EQ(woken, 1);
}

}  // namespace
}  // namespace kindred::test
