// Puts that have to be novel: what counts, what is told, and that nothing else changes.

#include <cmath>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/engine.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/hard_graphs.h"
#include "tests/support/novel_writes.h"
#include "tests/support/novelty_model.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::EngineHarness;
using test::HeldWriter;
using test::OptionsOf;
using test::Path;
using test::PutNovel;
using test::PutOf;
using test::StatusIs;
using test::WriteNovel;
using Kind = Outcome::Kind;

const NoveltyParts kSame{.min_similarity = 1};
const NoveltyParts kSameGraph{.min_similarity = 1, .isomorphic = true};

Graph OneRing() { return test::UniformCycle(6); }
Graph TwoRings() { return test::DisjointUnion({test::UniformCycle(3), test::UniformCycle(3)}); }

TEST(Novelty, StoresWhatIsNovelAndTellsWhatIsClosest) {
  EngineHarness harness(OptionsOf(2, 1));
  const NoveltyParts rule{.min_similarity = 0.75};
  EXPECT_EQ(PutNovel(harness, rule, PutOf("a", Path("CCO"))).kind, Kind::kInserted);
  const Outcome same = PutNovel(harness, rule, PutOf("b", Path("OCC")));
  EXPECT_EQ(same.kind, Kind::kNotNovel);
  EXPECT_EQ(same.external_id, "b");
  EXPECT_EQ(*same.closest, (ClosestGraph{"a", 6, 1.0, Identity::kIsomorphic}));
  // All three vertices find a partner at both levels: 6 of 6 + 8 - 6.
  const Outcome similar = PutNovel(harness, rule, PutOf("c", Path("CCCO")));
  EXPECT_EQ(*similar.closest, (ClosestGraph{"a", 6, 0.75, Identity::kDifferent}));
  const NoveltyParts stricter{.min_similarity = std::nextafter(0.75, 1)};
  EXPECT_EQ(PutNovel(harness, stricter, PutOf("c", Path("CCCO"))).kind, Kind::kInserted);
  EXPECT_EQ(harness.engine().stats().graphs, 2u);
}

TEST(Novelty, ALaterRecordOfARequestIsComparedWithAnEarlierOne) {
  EngineHarness harness;
  const WriteResult result =
      WriteNovel(harness, kSame, {PutOf("a", Path("CCO")), PutOf("b", Path("OCC")), PutOf("c", Path("CCN"))});
  EXPECT_EQ(result.outcomes[0].kind, Kind::kInserted);
  EXPECT_EQ(result.outcomes[1].kind, Kind::kNotNovel);
  EXPECT_EQ(result.outcomes[1].closest->id, "a");
  EXPECT_EQ(result.outcomes[2].kind, Kind::kInserted);
  EXPECT_EQ(result.sequence, CommitSequence{2}) << "what is not novel is no commit";
}

// The colours of both are unknown when they are prepared; those of the first are known when it is the
// second's turn.
TEST(Novelty, ColoursIssuedMeanwhileAreLookedUpAgain) {
  EngineHarness harness;
  std::future<WriteResult> first;
  std::future<WriteResult> second;
  {
    const HeldWriter held(harness);
    first = SubmitNovel(harness, kSame, {PutOf("a", Path("XYZ", "new"))});
    second = SubmitNovel(harness, kSame, {PutOf("b", Path("ZYX", "new"))});
  }
  EXPECT_EQ(first.get().outcomes[0].kind, Kind::kInserted);
  const WriteResult result = second.get();
  ASSERT_EQ(result.outcomes[0].kind, Kind::kNotNovel);
  EXPECT_EQ(result.outcomes[0].closest->id, "a");
}

TEST(Novelty, WhatIsRemovedBeforeItsTurnDoesNotCount) {
  EngineHarness harness;
  harness.Put("a", Path("CCO"));
  const WriteResult result =
      WriteNovel(harness, kSame,
                 {PutOf("b", Path("CCO")), test::DeleteOf("a"), PutOf("c", Path("CCO")), test::DeleteOf("c"),
                  PutOf("d", Path("CCO")), PutOf("e", Path("CCO"))});
  const std::vector<Kind> expected{Kind::kNotNovel, Kind::kDeleted,  Kind::kInserted,
                                   Kind::kDeleted,  Kind::kInserted, Kind::kNotNovel};
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(result.outcomes[i].kind, expected[i]) << i;
  }
  EXPECT_EQ(result.outcomes[5].closest->id, "d");
}

// Found when it was prepared, and replaced by something else, or by the same again, before its turn.
TEST(Novelty, WhatIsReplacedBeforeItsTurnCountsAsWhatItIsThen) {
  EngineHarness harness;
  harness.Put("a", Path("CCO"));
  harness.Put("b", Path("NNO"));
  std::future<WriteResult> first;
  std::future<WriteResult> second;
  {
    const HeldWriter held(harness);
    harness.writer().Submit(
        {{PutOf("a", Path("FFF")), PutOf("b", Path("ONN"))}, 0, [](const WriteResult&) {}});
    first = SubmitNovel(harness, kSame, {PutOf("c", Path("CCO"))});
    second = SubmitNovel(harness, kSame, {PutOf("d", Path("NNO"))});
  }
  EXPECT_EQ(first.get().outcomes[0].kind, Kind::kInserted);
  const WriteResult result = second.get();
  ASSERT_EQ(result.outcomes[0].kind, Kind::kNotNovel);
  EXPECT_EQ(result.outcomes[0].closest->id, "b");
}

TEST(Novelty, TheGraphOfTheRecordsOwnIdCountsToo) {
  EngineHarness harness;
  harness.Put("a", Path("CCO"));
  EXPECT_EQ(PutNovel(harness, kSame, PutOf("a", Path("CCO"))).closest->id, "a");
  EXPECT_EQ(PutNovel(harness, kSame, PutOf("a", Path("CCN"))).kind, Kind::kReplaced);
}

TEST(Novelty, ComesBeforeTheWriteMode) {
  EngineHarness harness;
  harness.Put("a", Path("CCO"));
  EXPECT_EQ(PutNovel(harness, kSame, PutOf("a", Path("CCO"), WriteMode::kInsert)).kind, Kind::kNotNovel);
  EXPECT_EQ(PutNovel(harness, kSame, PutOf("b", Path("CCO"), WriteMode::kReplace)).kind, Kind::kNotNovel);
  EXPECT_THAT(PutNovel(harness, kSame, PutOf("a", Path("CCN"), WriteMode::kInsert)).status,
              StatusIs(absl::StatusCode::kAlreadyExists, "a"));
  EXPECT_THAT(PutNovel(harness, kSame, PutOf("b", Path("CCN"), WriteMode::kReplace)).status,
              StatusIs(absl::StatusCode::kNotFound, "b"));
}

TEST(Novelty, ARefusedRecordIsNotCompared) {
  EngineHarness harness;
  const Graph graph = Path("CCO");
  const auto molecule = [&](const std::string& id, const std::string& scheme) {
    Mutation put = PutOf(id, graph);
    (**put.record).is_molecule = true;
    put.molecule_scheme = scheme;
    return put;
  };
  Mutation bad = PutOf("bad", graph);
  bad.record = absl::InvalidArgumentError("no graph");
  EXPECT_EQ(PutNovel(harness, kSame, molecule("a", "element,bonds")).kind, Kind::kInserted);
  EXPECT_THAT(PutNovel(harness, kSame, molecule("b", "ecfp,bonds")).status,
              StatusIs(test::kFailedPrecondition, "scheme"));
  EXPECT_THAT(PutNovel(harness, kSame, bad).status, StatusIs(absl::StatusCode::kInvalidArgument, "no graph"));
}

TEST(Novelty, TellsAnEqualHistogramFromAnIsomorphicGraph) {
  EngineHarness harness(OptionsOf(2, 2));
  harness.Put("one ring", OneRing());
  const double all = 18;
  EXPECT_EQ(*PutNovel(harness, kSame, PutOf("x", TwoRings())).closest,
            (ClosestGraph{"one ring", all, 1.0, Identity::kEqualHistogram}));
  EXPECT_EQ(PutNovel(harness, kSameGraph, PutOf("two rings", TwoRings())).kind, Kind::kInserted);
  EXPECT_EQ(*PutNovel(harness, kSameGraph, PutOf("x", TwoRings())).closest,
            (ClosestGraph{"two rings", all, 1.0, Identity::kIsomorphic}))
      << "the isomorphic one comes first, though its id is larger";
  EXPECT_EQ(*PutNovel(harness, kSame, PutOf("x", OneRing())).closest,
            (ClosestGraph{"one ring", all, 1.0, Identity::kIsomorphic}));
}

// With `isomorphic`, an equal histogram aside, what is less similar counts as ever.
TEST(Novelty, ALessSimilarGraphCountsWhereAnEqualHistogramDoesNot) {
  EngineHarness harness(OptionsOf(2, 2));
  harness.Put("one ring", OneRing());
  harness.Put("larger", test::UniformCycle(7));
  const Outcome outcome =
      PutNovel(harness, {.min_similarity = 0.5, .isomorphic = true}, PutOf("x", TwoRings()));
  ASSERT_EQ(outcome.kind, Kind::kNotNovel);
  EXPECT_EQ(*outcome.closest, (ClosestGraph{"larger", 18, 18.0 / 21.0, Identity::kDifferent}));
}

// By the kernel itself a larger graph that has all of the record's colours is as similar as an equal one.
TEST(Novelty, TiesByTheKernelGoToTheIsomorphicOneThenToTheSmallerId) {
  const NoveltyParts kernel{.measure = Measure::kKernel, .min_similarity = 18};
  const NoveltyParts strict{.measure = Measure::kKernel, .min_similarity = 18, .isomorphic = true};
  for (const bool settled : {false, true}) {
    EngineHarness harness(OptionsOf(2, 2));
    harness.Put("a larger", test::UniformCycle(8));
    harness.Put("b one ring", OneRing());
    harness.Put("c larger", test::UniformCycle(9));
    if (settled) {
      harness.writer().merger().Settle();
    }
    EXPECT_EQ(*PutNovel(harness, kernel, PutOf("x", TwoRings())).closest,
              (ClosestGraph{"a larger", 18, 18, Identity::kDifferent}));
    EXPECT_EQ(*PutNovel(harness, kernel, PutOf("x", OneRing())).closest,
              (ClosestGraph{"b one ring", 18, 18, Identity::kIsomorphic}));
    EXPECT_EQ(*PutNovel(harness, strict, PutOf("x", TwoRings())).closest,
              (ClosestGraph{"a larger", 18, 18, Identity::kDifferent}));
    harness.Delete("a larger");
    EXPECT_EQ(*PutNovel(harness, kernel, PutOf("x", TwoRings())).closest,
              (ClosestGraph{"b one ring", 18, 18, Identity::kEqualHistogram}));
    EXPECT_EQ(*PutNovel(harness, strict, PutOf("x", TwoRings())).closest,
              (ClosestGraph{"c larger", 18, 18, Identity::kDifferent}));
  }
}

TEST(Novelty, MoreEqualHistogramsThanAreAskedForAtOnce) {
  EngineHarness harness(OptionsOf(2, 2));
  std::vector<Mutation> puts;
  for (int i = 0; i < 300; ++i) {
    puts.push_back(PutOf("ring " + std::to_string(i), OneRing()));
  }
  puts.push_back(PutOf("z two rings", TwoRings()));
  puts.push_back(PutOf("other", test::UniformCycle(7)));
  harness.Write(std::move(puts));
  EXPECT_EQ(PutNovel(harness, kSame, PutOf("x", TwoRings())).closest->id, "z two rings");
  harness.Delete("z two rings");
  EXPECT_EQ(PutNovel(harness, kSame, PutOf("x", TwoRings())).closest->id, "ring 0");
  EXPECT_EQ(
      PutNovel(harness, {.min_similarity = 0.5, .isomorphic = true}, PutOf("x", TwoRings())).closest->id,
      "other");
  EXPECT_EQ(PutNovel(harness, kSameGraph, PutOf("x", TwoRings())).kind, Kind::kInserted);
}

TEST(Novelty, OnlyGraphsThatMatchTheFilterCount) {
  EngineHarness harness;
  const auto tagged = [](const std::string& id, const std::string& source) {
    Mutation put = PutOf(id, Path("CCO"));
    (**put.record).tags = {{"source", source}};
    return put;
  };
  NoveltyParts rule = kSame;
  rule.filter = "source = x";
  harness.Write({tagged("a", "y"), tagged("b", "y")});
  const WriteResult result = WriteNovel(
      harness, rule,
      {tagged("c", "y"), tagged("d", "x"), tagged("e", "y"), test::DeleteOf("d"), tagged("f", "y")});
  const std::vector<Kind> expected{Kind::kInserted, Kind::kInserted, Kind::kNotNovel, Kind::kDeleted,
                                   Kind::kInserted};
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(result.outcomes[i].kind, expected[i]) << i;
  }
  EXPECT_EQ(result.outcomes[2].closest->id, "d");
  EXPECT_THAT(MakeNoveltyRule({.min_similarity = 1, .filter = "source ="}, 3, Limits()),
              StatusIs(test::kInvalid, "filter: "));
}

TEST(Novelty, WhatIsNotNovelChangesNothing) {
  EngineHarness harness;
  harness.Put("a", Path("CCCCCCO"));
  const auto before = test::ReadContents(*harness.Newest()->store);
  const auto colours = harness.engine().stats().colours;
  // New labels and new colours.
  EXPECT_EQ(PutNovel(harness, {.min_similarity = 0.1}, PutOf("b", Path("CCCCCCX"))).kind, Kind::kNotNovel);
  EXPECT_EQ(PutNovel(harness, {.min_similarity = 0.1}, PutOf("c", Path("CCCCCCO", "="))).kind,
            Kind::kNotNovel);
  EXPECT_EQ(test::ReadContents(*harness.Newest()->store), before);
  EXPECT_EQ(harness.engine().stats().colours, colours);
  EXPECT_EQ(harness.engine().stats().labels, 3u) << "C, O and that of edges without one";
}

TEST(Novelty, OnlyWhatIsStoredNeedsColours) {
  EngineOptions options = OptionsOf(1, 2);
  options.limits.colours_max = 6;
  EngineHarness harness(options);
  harness.Put("a", test::Isolated("CN"));
  EXPECT_EQ(PutNovel(harness, {.min_similarity = 0.1}, PutOf("b", test::Isolated("CNO"))).kind,
            Kind::kNotNovel);
  EXPECT_THAT(PutNovel(harness, {.min_similarity = 0.9}, PutOf("b", test::Isolated("CNO"))).status,
              StatusIs(test::kResourceExhausted, "colours_max"));
}

}  // namespace
}  // namespace kindred
