// Writes: what becomes of a put or a delete in each mode, alone and in a batch; what is rejected changes
// nothing.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "index/engine/engine.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::DeleteOf;
using test::EngineHarness;
using test::IsOk;
using test::Must;
using test::Path;
using test::PutOf;
using test::StatusIs;
using Kind = Outcome::Kind;

MATCHER_P(Became, kind, "") {
  *result_listener << "kind " << static_cast<int>(arg.kind) << ", " << arg.status;
  return arg.kind == kind && arg.status.ok() == (kind != Kind::kRejected);
}

std::vector<Kind> Kinds(const WriteResult& result) {
  std::vector<Kind> kinds;
  for (const Outcome& outcome : result.outcomes) {
    EXPECT_EQ(outcome.status.ok(), outcome.kind != Kind::kRejected);
    kinds.push_back(outcome.kind);
  }
  return kinds;
}

// The external ids of an index and how many vertices their graphs have, best similarity first.
std::vector<std::string> IdsIn(EngineHarness& harness) {
  std::vector<std::string> ids;
  for (const Hit& hit : harness.Hits(test::Ask(Path("C"), 1000, Measure::kKernel))) {
    ids.push_back(hit.id);
  }
  std::ranges::sort(ids);
  return ids;
}

using Strings = std::vector<std::string>;

TEST(Writes, PutInsertsThenReplaces) {
  EngineHarness harness;
  EXPECT_THAT(harness.Put("a", Path("CC")), Became(Kind::kInserted));
  EXPECT_THAT(harness.Put("a", Path("CO")), Became(Kind::kReplaced));
  EXPECT_EQ(harness.Hits(test::Ask(Path("CO"))), (std::vector<Hit>{{"a", 8, 1.0, 2}}));
  EXPECT_EQ(harness.engine().stats().graphs, 1u);
}

TEST(Writes, InsertModeRefusesWhatExists) {
  EngineHarness harness;
  EXPECT_THAT(harness.Put("a", Path("CC"), WriteMode::kInsert), Became(Kind::kInserted));
  const Outcome outcome = harness.Put("a", Path("CO"), WriteMode::kInsert);
  EXPECT_EQ(outcome.kind, Kind::kRejected);
  EXPECT_THAT(outcome.status, StatusIs(absl::StatusCode::kAlreadyExists, "'a'"));
  EXPECT_EQ(harness.Hits(test::Ask(Path("CC"))), (std::vector<Hit>{{"a", 8, 1.0, 2}}))
      << "the old graph is gone";
}

TEST(Writes, ReplaceModeRefusesWhatDoesNotExist) {
  EngineHarness harness;
  const Outcome outcome = harness.Put("a", Path("CC"), WriteMode::kReplace);
  EXPECT_EQ(outcome.kind, Kind::kRejected);
  EXPECT_THAT(outcome.status, StatusIs(absl::StatusCode::kNotFound, "'a'"));
  EXPECT_EQ(harness.engine().stats().graphs, 0u);
  harness.Put("a", Path("CC"));
  EXPECT_THAT(harness.Put("a", Path("CO"), WriteMode::kReplace), Became(Kind::kReplaced));
}

TEST(Writes, DeleteRemovesAndRefusesWhatDoesNotExist) {
  EngineHarness harness;
  harness.Put("a", Path("CC"));
  harness.Put("b", Path("CC"));
  EXPECT_THAT(harness.Delete("a"), Became(Kind::kDeleted));
  EXPECT_EQ(IdsIn(harness), Strings{"b"});
  const Outcome outcome = harness.Delete("a");
  EXPECT_EQ(outcome.kind, Kind::kRejected);
  EXPECT_THAT(outcome.status, StatusIs(absl::StatusCode::kNotFound, "'a'"));
  EXPECT_THAT(harness.Search(test::Ask(std::string("a"))), StatusIs(absl::StatusCode::kNotFound, "'a'"));
}

TEST(Writes, ADeletedIdMayComeBack) {
  EngineHarness harness;
  harness.Put("a", Path("CC"));
  harness.Delete("a");
  EXPECT_THAT(harness.Put("a", Path("CO"), WriteMode::kInsert), Became(Kind::kInserted));
  EXPECT_EQ(IdsIn(harness), Strings{"a"});
}

TEST(Writes, EveryAppliedMutationTakesOneSequenceNumberInOrder) {
  EngineHarness harness;
  EXPECT_EQ(harness.Write({PutOf("a", Path("C"))}).sequence, CommitSequence{1});
  EXPECT_EQ(harness.Write({PutOf("b", Path("C")), PutOf("c", Path("C"))}).sequence, CommitSequence{3});
  EXPECT_EQ(harness.Write({DeleteOf("b")}).sequence, CommitSequence{4});
  EXPECT_EQ(harness.Newest()->sequence, CommitSequence{4});
  const auto snapshot = harness.Newest();
  EXPECT_EQ(snapshot->FindGraph("a"), GraphId{1});
  EXPECT_EQ(snapshot->FindGraph("b"), std::nullopt);
  EXPECT_EQ(snapshot->FindGraph("c"), GraphId{3});
}

TEST(Writes, ARejectedItemChangesNothingAndTheRestGoesThrough) {
  EngineHarness harness;
  harness.Put("there", Path("CC"));
  const WriteResult result = harness.Write({
      PutOf("new", Path("CN")),
      {"refused", absl::InvalidArgumentError("edges[3]: joins vertex 1 to itself"), WriteMode::kUpsert},
      PutOf("there", Path("XYZ"), WriteMode::kInsert),
      PutOf("absent", Path("XYZ"), WriteMode::kReplace),
      DeleteOf("nobody"),
      DeleteOf("there"),
  });
  ASSERT_THAT(result.status, IsOk());
  EXPECT_EQ(Kinds(result), (std::vector<Kind>{Kind::kInserted, Kind::kRejected, Kind::kRejected,
                                              Kind::kRejected, Kind::kRejected, Kind::kDeleted}));
  EXPECT_THAT(result.outcomes[1].status, StatusIs(absl::StatusCode::kInvalidArgument, "edges[3]"));
  EXPECT_EQ(result.sequence, CommitSequence{3});
  EXPECT_EQ(IdsIn(harness), Strings{"new"});
  EXPECT_EQ(harness.engine().stats().labels, 3u) << "labels of a rejected graph were kept";  // C, N and "".
}

TEST(Writes, WhenEverythingIsRejectedNotEvenTheSequenceChanges) {
  EngineHarness harness;
  harness.Put("a", Path("CC"));
  const auto before = harness.Newest();
  const auto contents = test::ReadContents(*before->store);
  const WriteResult result = harness.Write({
      {"a", absl::InvalidArgumentError("bad"), WriteMode::kUpsert},
      PutOf("a", Path("NNN"), WriteMode::kInsert),
      PutOf("b", Path("NNN"), WriteMode::kReplace),
      DeleteOf("b"),
  });
  ASSERT_THAT(result.status, IsOk());
  EXPECT_EQ(Kinds(result), std::vector<Kind>(4, Kind::kRejected));
  EXPECT_EQ(result.sequence, CommitSequence{1});
  EXPECT_EQ(harness.Newest(), before);
  EXPECT_EQ(test::ReadContents(*harness.engine().snapshot().value()->store), contents);
}

TEST(Writes, ARequestWithoutMutationsIsAnswered) {
  EngineHarness harness;
  const WriteResult result = harness.Write({});
  EXPECT_THAT(result.status, IsOk());
  EXPECT_TRUE(result.outcomes.empty());
  EXPECT_EQ(result.sequence, CommitSequence{0});
}

TEST(WritesInOneBatch, TheSameIdTwiceInsertsThenReplaces) {
  EngineHarness harness;
  const WriteResult result = harness.Write({PutOf("a", Path("CC")), PutOf("a", Path("CO"))});
  EXPECT_EQ(Kinds(result), (std::vector<Kind>{Kind::kInserted, Kind::kReplaced}));
  EXPECT_EQ(harness.Hits(test::Ask(Path("CO"))), (std::vector<Hit>{{"a", 8, 1.0, 2}}));
  EXPECT_EQ(harness.Newest()->FindGraph("a"), GraphId{2});
}

TEST(WritesInOneBatch, ModesSeeWhatTheBatchDidBefore) {
  EngineHarness harness;
  harness.Put("old", Path("C"));
  const WriteResult result = harness.Write({
      PutOf("a", Path("CC"), WriteMode::kInsert),
      PutOf("a", Path("CC"), WriteMode::kInsert),
      PutOf("a", Path("CO"), WriteMode::kReplace),
      DeleteOf("a"),
      DeleteOf("a"),
      PutOf("a", Path("CO"), WriteMode::kReplace),
      PutOf("a", Path("CN"), WriteMode::kInsert),
      DeleteOf("old"),
      PutOf("old", Path("CN"), WriteMode::kInsert),
  });
  EXPECT_EQ(Kinds(result), (std::vector<Kind>{Kind::kInserted, Kind::kRejected, Kind::kReplaced,
                                              Kind::kDeleted, Kind::kRejected, Kind::kRejected,
                                              Kind::kInserted, Kind::kDeleted, Kind::kInserted}));
  EXPECT_EQ(IdsIn(harness), (Strings{"a", "old"}));
  SearchRequest equal = test::Ask(Path("CN"));
  equal.min_similarity = 1.0;
  EXPECT_EQ(harness.Hits(equal), (std::vector<Hit>{{"a", 8, 1.0, 2}, {"old", 8, 1.0, 2}}));
}

TEST(WritesInOneBatch, PutAndDeleteLeaveNothingButTheSequence) {
  EngineHarness harness;
  const WriteResult result = harness.Write({PutOf("a", Path("CC")), DeleteOf("a")});
  EXPECT_EQ(Kinds(result), (std::vector<Kind>{Kind::kInserted, Kind::kDeleted}));
  EXPECT_EQ(result.sequence, CommitSequence{2});
  EXPECT_EQ(IdsIn(harness), Strings{});
  EXPECT_TRUE(test::ReadContents(*harness.Newest()->store).graphs.empty());
  harness.Restart();
  EXPECT_EQ(harness.Newest()->sequence, CommitSequence{2});
  EXPECT_EQ(IdsIn(harness), Strings{});
}

TEST(WritesInOneGroup, RequestsSeeEachOtherInTheOrderOfTheQueue) {
  EngineHarness harness;
  const std::vector<WriteResult> results = harness.WriteInOneGroup({
      {PutOf("a", Path("CC"), WriteMode::kInsert)},
      {PutOf("a", Path("CC"), WriteMode::kInsert), PutOf("b", Path("CC"))},
      {DeleteOf("a")},
      {},
      {PutOf("a", Path("CO"), WriteMode::kInsert)},
  });
  EXPECT_EQ(Kinds(results[0]), std::vector<Kind>{Kind::kInserted});
  EXPECT_EQ(Kinds(results[1]), (std::vector<Kind>{Kind::kRejected, Kind::kInserted}));
  EXPECT_EQ(Kinds(results[2]), std::vector<Kind>{Kind::kDeleted});
  EXPECT_EQ(Kinds(results[3]), std::vector<Kind>{});
  EXPECT_EQ(Kinds(results[4]), std::vector<Kind>{Kind::kInserted});
  std::vector<uint64_t> sequences;  // Those each would have had alone.
  for (const WriteResult& result : results) {
    EXPECT_THAT(result.status, IsOk());
    sequences.push_back(Raw(result.sequence));
  }
  EXPECT_EQ(sequences, (std::vector<uint64_t>{1, 2, 3, 3, 4}));
  EXPECT_EQ(harness.Newest()->sequence, CommitSequence{4});
}

}  // namespace
}  // namespace kindred
