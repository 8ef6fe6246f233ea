// Limits the writer keeps: graphs_max and colours_max of the index, write_queue_bytes_max of the queue.

#include <future>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/engine.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::EngineHarness;
using test::IsOk;
using test::kResourceExhausted;
using test::StatusIs;
using Kind = Outcome::Kind;

EngineOptions WithColours(uint64_t colours_max, Level depth) {
  EngineOptions options = test::OptionsOf(1, depth);
  options.limits.colours_max = colours_max;
  return options;
}

TEST(ColoursMax, AtItsEdge) {
  EngineHarness harness(WithColours(6, 2));
  EXPECT_EQ(harness.Put("two labels", test::Isolated("CN")).kind, Kind::kInserted);  // 2 at each of 3 levels.
  EXPECT_EQ(harness.engine().stats().colours, (std::vector<uint64_t>{2, 2, 2}));
  const Outcome outcome = harness.Put("a third", test::Isolated("O"));
  EXPECT_EQ(outcome.kind, Kind::kRejected);
  EXPECT_THAT(outcome.status,
              StatusIs(kResourceExhausted, "colours of the index: 9 is over the limit colours_max = 6"));
}

TEST(ColoursMax, ARejectedGraphChangesNothing) {
  EngineHarness harness(WithColours(3, 2));
  harness.Put("a", test::Isolated("C"));
  const auto before = test::ReadContents(*harness.Newest()->store);
  EXPECT_EQ(harness.Put("b", test::Path("CN", "new")).kind, Kind::kRejected);
  EXPECT_EQ(harness.Put("a", test::Isolated("N")).kind, Kind::kRejected);
  EXPECT_EQ(test::ReadContents(*harness.Newest()->store), before);
  EXPECT_EQ(harness.engine().stats().labels, 1u);
  EXPECT_EQ(harness.Newest()->sequence, CommitSequence{1});
}

TEST(ColoursMax, GraphsOfKnownColoursGoOnBeingTaken) {
  EngineHarness harness(WithColours(3, 2));
  EXPECT_EQ(harness.Put("a", test::Isolated("C")).kind, Kind::kInserted);
  EXPECT_EQ(harness.Put("b", test::Isolated("CCC")).kind, Kind::kInserted);
  EXPECT_EQ(harness.Put("a", test::Isolated("CC")).kind, Kind::kReplaced);
}

// Five vertices of one colour add one colour a level, not five.
TEST(ColoursMax, CountsDistinctColoursNotVertices) {
  EngineHarness harness(WithColours(3, 2));
  const Outcome outcome = harness.Put("a", test::Isolated("CCCCC"));
  EXPECT_EQ(outcome.kind, Kind::kInserted) << outcome.status;
  EXPECT_EQ(harness.engine().stats().colours, (std::vector<uint64_t>{1, 1, 1}));
}

TEST(ColoursMax, HoldsWithinOneBatch) {
  EngineHarness harness(WithColours(4, 1));
  const WriteResult result =
      harness.Write({test::PutOf("a", test::Isolated("C")), test::PutOf("b", test::Isolated("N")),
                     test::PutOf("c", test::Isolated("O"))});
  ASSERT_EQ(result.outcomes.size(), 3u);
  EXPECT_EQ(result.outcomes[0].kind, Kind::kInserted);
  EXPECT_EQ(result.outcomes[1].kind, Kind::kInserted);
  EXPECT_EQ(result.outcomes[2].kind, Kind::kRejected);
  EXPECT_EQ(harness.engine().stats().colours, (std::vector<uint64_t>{2, 2}));
}

EngineOptions WithGraphs(uint64_t graphs_max) {
  EngineOptions options = test::OptionsOf(1, 1);
  options.limits.graphs_max = graphs_max;
  return options;
}

TEST(GraphsMax, AtItsEdge) {
  EngineHarness harness(WithGraphs(2));
  EXPECT_EQ(harness.Put("a", test::Isolated("C")).kind, Kind::kInserted);
  EXPECT_EQ(harness.Put("b", test::Isolated("C")).kind, Kind::kInserted);
  const Outcome outcome = harness.Put("c", test::Isolated("N"));
  EXPECT_EQ(outcome.kind, Kind::kRejected);
  EXPECT_THAT(outcome.status,
              StatusIs(kResourceExhausted, "graphs of the index: 3 is over the limit graphs_max = 2"));
  EXPECT_EQ(harness.engine().stats().labels, 1u) << "a rejected graph left something behind";
}

TEST(GraphsMax, WhatIsThereCanBeReplacedAndItsPlaceTakenOnceItIsGone) {
  EngineHarness harness(WithGraphs(1));
  EXPECT_EQ(harness.Put("a", test::Isolated("C")).kind, Kind::kInserted);
  EXPECT_EQ(harness.Put("a", test::Isolated("N")).kind, Kind::kReplaced);
  EXPECT_EQ(harness.Delete("a").kind, Kind::kDeleted);
  EXPECT_EQ(harness.Put("b", test::Isolated("C")).kind, Kind::kInserted);
}

TEST(GraphsMax, HoldsWithinOneBatchAndAfterARestart) {
  EngineHarness harness(WithGraphs(2));
  const WriteResult result =
      harness.Write({test::PutOf("a", test::Isolated("C")), test::PutOf("b", test::Isolated("C")),
                     test::PutOf("c", test::Isolated("C")), test::DeleteOf("a"),
                     test::PutOf("d", test::Isolated("C")), test::PutOf("e", test::Isolated("C"))});
  std::vector<Kind> kinds;
  for (const Outcome& outcome : result.outcomes) {
    kinds.push_back(outcome.kind);
  }
  EXPECT_EQ(kinds, (std::vector{Kind::kInserted, Kind::kInserted, Kind::kRejected, Kind::kDeleted,
                                Kind::kInserted, Kind::kRejected}));
  harness.Restart();
  EXPECT_EQ(harness.Put("f", test::Isolated("C")).kind, Kind::kRejected);
}

// A writer that is held up, so that what is submitted stays in its queue.
class WriteQueue : public ::testing::Test {
 protected:
  WriteQueue() {
    std::promise<void> held;
    harness_.writer().Submit({{}, 0, [&](WriteResult) {
                                held.set_value();
                                release_.get_future().wait();
                              }});
    held.get_future().wait();
  }
  ~WriteQueue() override { Release(); }

  void Release() {
    if (!std::exchange(released_, true)) {
      release_.set_value();
    }
  }

  absl::Status TrySubmit(uint64_t bytes) {
    return harness_.writer().TrySubmit({{}, bytes, [this](WriteResult) { ++answered_; }});
  }

  static EngineOptions Options() {
    EngineOptions options;
    options.limits.write_queue_bytes_max = 1'000;
    return options;
  }

  std::promise<void> release_;
  bool released_ = false;
  std::atomic<int> answered_{0};
  EngineHarness harness_{Options()};  // Last: destroyed first, while the members above live.
};

TEST_F(WriteQueue, BytesAtTheirEdge) {
  EXPECT_THAT(TrySubmit(600), IsOk());
  EXPECT_THAT(TrySubmit(400), IsOk());
  EXPECT_THAT(TrySubmit(1),
              StatusIs(kResourceExhausted, "1001 is over the limit write_queue_bytes_max = 1000"));
  Release();
  harness_.Close();
  EXPECT_EQ(answered_, 2) << "a refused request must not be answered";
}

TEST_F(WriteQueue, ARequestBeyondTheLimitIsTakenWhenNothingWaits) {
  EXPECT_THAT(TrySubmit(5'000), IsOk());
  EXPECT_THAT(TrySubmit(1), StatusIs(kResourceExhausted, "write_queue_bytes_max"));
}

TEST_F(WriteQueue, ThereIsRoomAgainOnceTheQueueWasTaken) {
  EXPECT_THAT(TrySubmit(1'000), IsOk());
  EXPECT_THAT(TrySubmit(500), StatusIs(kResourceExhausted, ""));
  Release();
  EXPECT_THAT(harness_.Write({}).status, IsOk());  // Behind the first in the queue.
  EXPECT_THAT(TrySubmit(1'000), IsOk());
}

}  // namespace
}  // namespace kindred
