// Compactions of a running engine: what was deleted or replaced is gone from lists and tables, answers stay
// what they are, whatever is written meanwhile and wherever they are given up.

#include "index/engine/compact.h"

#include <atomic>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/worn_colours.h"
#include "index/store/store_view.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"
#include "tests/support/workload.h"

namespace kindred::test {
namespace {

constexpr uint64_t kCompactSeed = 307;
constexpr RandomGraphOptions kCompactGraphs{.vertices_max = 12, .vertex_labels = 3};

void IgnoreProgress(const CompactProgress&) {}

EngineOptions CompactOptions() {
  EngineOptions options = OptionsOf(2, 2);
  options.store.write_buffer_bytes = kTinyWriteBufferBytes;
  return options;
}

class CompactTest : public ::testing::Test {
 protected:
  CompactTest() : harness_(CompactOptions()) {}

  static std::string IdOf(uint64_t number) { return "g" + std::to_string(number); }

  void PutMany(uint64_t first, uint64_t count, size_t payload_bytes = 0) {
    std::vector<Mutation> puts;
    for (uint64_t i = first; i < first + count; ++i) {
      puts.push_back(PutOf(IdOf(i), RandomGraph(rng_, kCompactGraphs)));
      (*puts.back().record)->payload = RandomBytes(payload_bytes);
    }
    ASSERT_THAT(harness_.Write(std::move(puts)).status, IsOk());
  }
  void DeleteMany(uint64_t first, uint64_t count) {
    std::vector<Mutation> deletes;
    for (uint64_t i = first; i < first + count; ++i) {
      deletes.push_back(DeleteOf(IdOf(i)));
    }
    ASSERT_THAT(harness_.Write(std::move(deletes)).status, IsOk());
  }
  // So that RocksDB cannot compress them away.
  std::string RandomBytes(size_t bytes) {
    std::string random;
    while (random.size() < bytes) {
      random += static_cast<char>(rng_());
    }
    return random;
  }

  absl::StatusOr<CompactProgress> TryCompact(const Interrupt& interrupt = {}) {
    return Compact(harness_.engine(), IgnoreProgress, interrupt);
  }
  // The answers to some queries, which both modes agree on.
  std::vector<std::vector<Hit>> Answers() {
    std::vector<std::vector<Hit>> answers;
    Rng rng(kCompactSeed + 1);
    for (int i = 0; i < 30; ++i) {
      SearchRequest request = Ask(RandomGraph(rng, kCompactGraphs), 20);
      answers.push_back(harness_.Hits(request));
      request.mode = SearchMode::kExhaustive;
      EXPECT_EQ(answers.back(), harness_.Hits(request)) << "query " << i;
    }
    return answers;
  }
  StoreContents Contents() { return ReadContents(*harness_.Newest()->store); }
  uint64_t HiddenInLists() {
    uint64_t hidden = 0;
    for (const SegmentView& view : harness_.Newest()->segments) {
      hidden += view.segment->size() - view.live_count();
    }
    return hidden;
  }

  Rng rng_{kCompactSeed};
  EngineHarness harness_;
};

TEST_F(CompactTest, OneSegmentIsLeftWithoutGraphsThatAreGone) {
  PutMany(0, 3'000);
  harness_.writer().merger().Settle();
  DeleteMany(0, 1'200);
  PutMany(1'200, 100);  // Replaced.
  harness_.writer().merger().Settle();
  const uint64_t hidden = HiddenInLists();
  EXPECT_EQ(hidden, 1'300u) << "less than half is hidden: the policy leaves it";
  const auto answers = Answers();
  const CompactProgress done = Must(TryCompact());
  EXPECT_EQ(done.graphs_dropped, hidden);
  EXPECT_EQ(done.segments_after, 1u);
  EXPECT_LT(done.memory_bytes_after, done.memory_bytes_before);
  ASSERT_EQ(harness_.Newest()->segments.size(), 1u);
  EXPECT_EQ(harness_.Newest()->segments.front().segment->size(), 1'800u);
  EXPECT_EQ(HiddenInLists(), 0u);
  EXPECT_EQ(Answers(), answers);
}

TEST_F(CompactTest, AnIndexWithoutGraphsIsFine) {
  EXPECT_EQ(Must(TryCompact()).segments_after, 0u);
  PutMany(0, 10);
  DeleteMany(0, 10);
  const CompactProgress done = Must(TryCompact());
  EXPECT_EQ(done.segments_after, 0u);
  EXPECT_EQ(done.colours_unused, done.colours);
  PutMany(5, 10);
  EXPECT_EQ(Must(TryCompact()).segments_after, 1u);
  EXPECT_EQ(harness_.Newest()->graph_count(), 10u);
}

TEST_F(CompactTest, DiskSpaceComesBackAndARestartFindsEverything) {
  for (uint64_t i = 0; i < 20; ++i) {
    PutMany(100 * i, 100, 2'000);
  }
  DeleteMany(0, 1'800);
  const StoreContents contents = Contents();
  const CompactProgress done = Must(TryCompact());
  EXPECT_LT(done.disk_bytes_after, done.disk_bytes_before / 2);
  EXPECT_EQ(Contents(), contents);
  const auto answers = Answers();
  harness_.Restart();
  EXPECT_EQ(Contents(), contents);
  EXPECT_EQ(Answers(), answers);
}

TEST_F(CompactTest, CountsTheColoursThatNoStoredGraphWears) {
  PutMany(0, 400);
  // One that lies in no block, and one with a label of its own; both go.
  harness_.Put("large", Path(std::string(2'000, 'Z')));
  harness_.Put("rare", Path("XYX"));
  DeleteMany(0, 300);
  harness_.Delete("rare");
  const auto worn = [&] {
    std::set<uint32_t> colours;
    EXPECT_THAT(harness_.Newest()->store->ForEachHistogram(
                    GraphId{0}, GraphId{UINT64_MAX},
                    [&](GraphId, const StoredHistogram& stored) {
                      for (Level level = 0; level <= harness_.engine().depth(); ++level) {
                        for (const Histogram::Entry& entry : stored.histogram.at_level(level)) {
                          colours.insert(Raw(entry.colour));
                        }
                      }
                      return absl::OkStatus();
                    }),
                IsOk());
    return colours.size();
  };
  for (const bool large_stays : {true, false}) {
    if (!large_stays) {
      harness_.Delete("large");
    }
    const CompactProgress done = Must(TryCompact());
    EXPECT_EQ(done.colours, harness_.engine().hierarchy().colour_count());
    EXPECT_EQ(done.colours_unused, done.colours - worn());
    EXPECT_GT(done.colours_unused, 0u);
  }
}

TEST_F(CompactTest, WornColoursArePlainGraphsToo) {
  harness_.Put("a", Path("CCO"));
  const auto snapshot = harness_.Newest();
  const uint32_t colours = harness_.engine().hierarchy().colour_count();
  EXPECT_EQ(Must(WornColours(*snapshot, colours)), std::vector<bool>(colours, true));
}

TEST_F(CompactTest, WritesAndDeletesGoOnMeanwhile) {
  PutMany(0, 2'000);
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> commits{0};
  std::set<std::string> ids;
  for (uint64_t i = 0; i < 2'000; ++i) {
    ids.insert(IdOf(i));
  }
  std::thread writer([&] {
    Rng rng(kCompactSeed + 2);
    for (; !stop; ++commits) {
      std::vector<Mutation> group;
      for (int i = 0; i < 20; ++i) {
        const std::string id = IdOf(Below(rng, 2'500));
        const bool gone = ids.contains(id) && Below(rng, 2) == 0;
        group.push_back(gone ? DeleteOf(id) : PutOf(id, RandomGraph(rng, kCompactGraphs)));
        gone ? static_cast<void>(ids.erase(id)) : static_cast<void>(ids.insert(id));
      }
      ASSERT_THAT(harness_.Write(std::move(group)).status, IsOk());
    }
  });
  for (int round = 0; round < 6; ++round) {
    for (const uint64_t goal = commits + 10; commits < goal;) {
      std::this_thread::yield();
    }
    ASSERT_THAT(TryCompact().status(), IsOk());
    Rng rng(kCompactSeed + 3);
    SearchRequest request = Ask(RandomGraph(rng, kCompactGraphs), 20);
    const SearchReply pruned = Must(harness_.Search(request));
    request.mode = SearchMode::kExhaustive;
    const SearchReply exhaustive = Must(harness_.Search(request));
    if (pruned.sequence == exhaustive.sequence) {
      EXPECT_EQ(pruned.answer.hits, exhaustive.answer.hits);
    }
  }
  stop = true;
  writer.join();
  ASSERT_THAT(TryCompact().status(), IsOk());
  EXPECT_EQ(harness_.Newest()->segments.size(), 1u);
  EXPECT_EQ(HiddenInLists(), 0u);
  EXPECT_EQ(harness_.Newest()->graph_count(), ids.size());
  const StoreContents contents = Contents();
  EXPECT_EQ(contents.graphs.size(), ids.size());
  const auto answers = Answers();
  harness_.Restart();
  EXPECT_EQ(Contents(), contents);
  EXPECT_EQ(Answers(), answers);
}

TEST_F(CompactTest, GivenUpAnywhereItLeavesTheIndexAsItWas) {
  PutMany(0, 500, 500);
  DeleteMany(0, 200);
  const StoreContents contents = Contents();
  const auto answers = Answers();
  int cancelled = 0;
  for (int looks = 0;; ++looks) {
    int left = looks;
    const Interrupt interrupt([&] { return left-- <= 0; }, Interrupt::Clock::time_point::max());
    const auto done = TryCompact(interrupt);
    EXPECT_EQ(Contents(), contents);
    EXPECT_EQ(Answers(), answers);
    if (done.ok()) {
      break;
    }
    EXPECT_EQ(done.status().code(), absl::StatusCode::kCancelled);
    ++cancelled;
  }
  EXPECT_GE(cancelled, 2) << "the lists and the tables";
  EXPECT_EQ(HiddenInLists(), 0u);
  EXPECT_FALSE(harness_.engine().compacting());
}

TEST_F(CompactTest, ASecondOneIsRefusedWhileOneIsUnderWay) {
  PutMany(0, 50);
  int refused = 0;
  const auto done =
      Compact(harness_.engine(),
              [&](const CompactProgress&) {
                refused += TryCompact().status().code() == absl::StatusCode::kFailedPrecondition ? 1 : 0;
              },
              {});
  EXPECT_THAT(done.status(), IsOk());
  EXPECT_GE(refused, 3) << "one a stage at least";
  EXPECT_THAT(TryCompact().status(), IsOk());
}

TEST(CompactSpace, WithoutSpaceForTheTablesItDoesNotBegin) {
  EngineOptions options = OptionsOf(2, 1);
  options.limits.disk_reserve_bytes = uint64_t{1} << 60;
  EngineHarness harness(options);
  const auto refused = Compact(harness.engine(), IgnoreProgress, {});
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace kindred::test
