// Reclaim: colours that no graph wears leave the store; ids keep their meaning, and answers are the same.

#include "index/engine/reclaim.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/verify.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"
#include "tests/support/store_surgery.h"
#include "tests/support/workload.h"

namespace kindred {
namespace {

using test::EngineHarness;
using test::IsOk;
using test::Must;
using test::Path;
using test::StatusIs;

// REQUIRES: the harness is closed.
absl::StatusOr<ReclaimReport> ReclaimIn(const EngineHarness& harness) {
  StoreOptions options;
  options.hold_compactions = true;
  const auto store = Must(Store::Open(Must(DataDirectory::Open(harness.path())), options));
  Executor executor(2, 10);
  return Reclaim(*store, executor);
}

uint64_t FindingsIn(EngineHarness& harness) {
  Verifier verifier(*harness.Newest(), harness.engine().executor());
  while (verifier.Step()) {
  }
  return verifier.report().finding_count;
}

TEST(Reclaim, TakesColoursThatOnlyRemovedGraphsWore) {
  EngineHarness harness(test::OptionsOf(2, 1));
  harness.Put("a", Path("CC"));
  harness.Put("b", Path("NN"));
  harness.Put("c", Path("OO"));
  harness.Delete("b");
  harness.Close();
  const ReclaimReport report = Must(ReclaimIn(harness));
  EXPECT_EQ(report.graphs, 2u);
  EXPECT_EQ(report.reclaimed, 2u);
  EXPECT_EQ(report.colours, 4u);
  harness.Restart();
  EXPECT_EQ(harness.engine().stats().colours, (std::vector<uint64_t>{2, 2}));
  EXPECT_EQ(harness.engine().hierarchy().colour_count(), 6u);
  EXPECT_EQ(harness.engine().hierarchy().reclaimed_count(), 2u);
  EXPECT_EQ(FindingsIn(harness), 0u);
}

TEST(Reclaim, AColourThatComesBackGetsANewId) {
  EngineHarness harness(test::OptionsOf(2, 1));
  harness.Put("b", Path("NN"));  // Colours 0 and 1.
  harness.Put("a", Path("CC"));
  harness.Delete("b");
  harness.Close();
  EXPECT_EQ(Must(ReclaimIn(harness)).reclaimed, 2u);
  harness.Restart();
  harness.Put("b", Path("NN"));
  std::set<uint32_t> colours;
  const StoredHistogram stored =
      Must(harness.Newest()->store->ReadHistogram(*harness.Newest()->FindGraph("b")));
  for (const Histogram::Entry& entry : stored.histogram.entries()) {
    colours.insert(Raw(entry.colour));
  }
  EXPECT_EQ(colours, (std::set<uint32_t>{4, 5}));
  EXPECT_EQ(FindingsIn(harness), 0u);
  harness.Restart();
  EXPECT_EQ(harness.Hits(test::Ask(Path("NN"), 1)).front().id, "b");
}

TEST(Reclaim, FindsNothingTheSecondTime) {
  EngineHarness harness(test::OptionsOf(2, 1));
  harness.Put("a", Path("CC"));
  harness.Put("b", Path("NN"));
  harness.Delete("a");
  harness.Close();
  EXPECT_EQ(Must(ReclaimIn(harness)).reclaimed, 2u);
  const ReclaimReport again = Must(ReclaimIn(harness));
  EXPECT_EQ(again.reclaimed, 0u);
  EXPECT_EQ(again.colours, 2u);
}

TEST(Reclaim, MakesRoomUnderTheLimitOfColours) {
  EngineOptions options = test::OptionsOf(1, 1);
  options.limits.colours_max = 4;
  EngineHarness harness(options);
  harness.Put("a", Path("CC"));
  harness.Put("b", Path("NN"));
  harness.Delete("b");
  EXPECT_THAT(harness.Put("c", Path("OO")).status, StatusIs(test::kResourceExhausted, "colours_max"));
  harness.Close();
  Must(ReclaimIn(harness));
  harness.Restart();
  EXPECT_THAT(harness.Put("c", Path("OO")).status, IsOk());
  EXPECT_THAT(harness.Put("d", Path("SS")).status, StatusIs(test::kResourceExhausted, "colours_max"));
}

TEST(Reclaim, ADamagedStoreIsRefusedUnchanged) {
  EngineHarness harness(test::OptionsOf(1, 1));
  harness.Put("a", Path("CC"));
  harness.Put("b", Path("NN"));
  harness.Delete("a");
  harness.Close();
  const std::string key = schema::Key(GraphId{2});
  const std::string intact = test::StoreSurgery(harness.path()).Get(schema::Family::kHistograms, key);
  test::StoreSurgery(harness.path()).Put(schema::Family::kHistograms, key, "rubbish");
  EXPECT_THAT(ReclaimIn(harness), StatusIs(absl::StatusCode::kDataLoss, "graph 2"));
  test::StoreSurgery(harness.path()).Put(schema::Family::kHistograms, key, intact);
  harness.Restart();
  EXPECT_EQ(harness.engine().hierarchy().reclaimed_count(), 0u);
}

TEST(Reclaim, AGraphThatWearsAReclaimedColourIsDataLoss) {
  EngineHarness harness(test::OptionsOf(1, 1));
  harness.Put("a", Path("CC"));
  harness.Close();
  const auto store = [&] { return Must(Store::Open(Must(DataDirectory::Open(harness.path())), {})); };
  EXPECT_EQ(Must(store()->ReclaimColours([](ColourId colour) { return colour != ColourId{1}; })), 1u);
  EXPECT_THAT(harness.Open(), StatusIs(absl::StatusCode::kDataLoss, "wears colour 1"));
}

TEST(Reclaim, GivesDiskSpaceBack) {
  EngineHarness harness(test::OptionsOf(2, 1));
  test::Rng rng(7);  // So that nothing is saved by compression.
  for (int i = 0; i < 200; ++i) {
    Mutation put = test::PutOf("g" + std::to_string(i), Path("CC"));
    std::string& payload = (*put.record)->payload;
    while (payload.size() < 60'000) {
      payload.push_back(static_cast<char>(rng()));
    }
    harness.Write({put});
  }
  harness.Restart();
  for (int i = 1; i < 200; ++i) {
    harness.Delete("g" + std::to_string(i));
  }
  harness.Close();
  const ReclaimReport report = Must(ReclaimIn(harness));
  EXPECT_LT(report.disk_bytes_after, report.disk_bytes_before / 2);
}

TEST(Reclaim, AnswersAndWritesAfterItAreThoseWithoutIt) {
  const auto writes = test::Workload(/*seed=*/4711, /*groups=*/120);
  EngineHarness with(test::OptionsOf(2, 2));
  EngineHarness without(test::OptionsOf(2, 2));
  uint64_t reclaimed = 0;
  for (size_t i = 0; i < writes.size(); ++i) {
    with.Write(writes[i]);
    without.Write(writes[i]);
    if (i % 20 == 19) {
      with.Close();
      reclaimed += Must(ReclaimIn(with)).reclaimed;
      with.Restart();
    }
  }
  EXPECT_GT(reclaimed, 0u) << "nothing was tried";
  EXPECT_EQ(FindingsIn(with), 0u);
  test::Rng rng(3);
  for (int i = 0; i < 20; ++i) {
    const Graph query = test::RandomGraph(rng, {.vertex_labels = 3});
    for (const Measure measure : {Measure::kKernel, Measure::kTanimoto, Measure::kCosine}) {
      EXPECT_EQ(with.Hits(test::Ask(query, 10, measure)), without.Hits(test::Ask(query, 10, measure)));
    }
  }
}

}  // namespace
}  // namespace kindred
