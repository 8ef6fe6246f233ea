// Snapshot::FindGraph: which graph has an id, as of the snapshot, whatever came, went or was merged since.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/filtered_snapshot.h"
#include "index/engine/snapshot.h"
#include "index/filter/filter.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"
#include "tests/support/workload.h"

namespace kindred {
namespace {

using test::EngineHarness;
using test::Must;
using test::Path;

TEST(SnapshotIds, AreThoseOfTheSnapshotAfterAReplacement) {
  EngineHarness harness;
  harness.Put("a", Path("CC"));
  const auto before = harness.Newest();
  harness.Put("a", Path("CO"));
  EXPECT_EQ(before->FindGraph("a"), GraphId{1});
  EXPECT_EQ(harness.Newest()->FindGraph("a"), GraphId{2});
}

TEST(SnapshotIds, AreThoseOfTheSnapshotAfterADeleteAndAReturn) {
  EngineHarness harness;
  harness.Put("a", Path("CC"));
  const auto there = harness.Newest();
  harness.Delete("a");
  const auto gone = harness.Newest();
  harness.Put("a", Path("CO"));
  harness.Put("a", Path("CN"));
  EXPECT_EQ(there->FindGraph("a"), GraphId{1});
  EXPECT_EQ(gone->FindGraph("a"), std::nullopt);
  EXPECT_EQ(harness.Newest()->FindGraph("a"), GraphId{4});
}

TEST(SnapshotIds, AFilterHidesNoId) {
  EngineHarness harness;
  harness.Put("a", Path("CC"));
  const auto filtered =
      Must(Filtered(harness.Newest(), Must(Filter::Parse("exists x", Limits())), Interrupt()));
  EXPECT_EQ(filtered->graph_count(), 0u);
  EXPECT_EQ(filtered->FindGraph("a"), GraphId{1});
}

TEST(SnapshotIds, AreThereAfterARestart) {
  EngineHarness harness;
  harness.Write({test::PutOf("a", Path("CC")), test::PutOf("b", Path("CO")), test::DeleteOf("a")});
  harness.Restart();
  EXPECT_EQ(harness.Newest()->FindGraph("a"), std::nullopt);
  EXPECT_EQ(harness.Newest()->FindGraph("b"), GraphId{2});
  EXPECT_EQ(harness.Put("b", Path("CN")).kind, Outcome::Kind::kReplaced);
}

// What a snapshot has to answer, read from its store, which keeps no table of ids.
std::map<std::string, GraphId> StoredIdsOf(const Snapshot& snapshot) {
  std::map<std::string, GraphId> ids;
  EXPECT_THAT(snapshot.store->ForEachHistogram(GraphId{0}, GraphId{UINT64_MAX},
                                               [&](GraphId id, const StoredHistogram& stored) {
                                                 ids[stored.external_id] = id;
                                                 return absl::OkStatus();
                                               }),
              test::IsOk());
  return ids;
}

void ExpectIdsOf(const Snapshot& snapshot) {
  const auto expected = StoredIdsOf(snapshot);
  for (int i = 0; i < 60; ++i) {
    const std::string id = "g" + std::to_string(i);
    const auto found = expected.find(id);
    EXPECT_EQ(snapshot.FindGraph(id), found == expected.end() ? std::nullopt : std::optional(found->second))
        << id << " at " << Raw(snapshot.sequence);
  }
}

TEST(SnapshotIds, OfEverySnapshotHoldWhateverIsWrittenAndMergedLater) {
  EngineHarness harness(test::OptionsOf(2, 1));
  std::vector<std::shared_ptr<const Snapshot>> held;
  for (const auto& group : test::Workload(/*seed=*/977, /*groups=*/400)) {
    harness.Write(group);
    if (held.size() < 100 || Raw(harness.Newest()->sequence) % 7 == 0) {
      held.push_back(harness.Newest());
    }
  }
  harness.writer().merger().Settle();
  held.push_back(harness.Newest());
  for (const auto& snapshot : held) {
    ExpectIdsOf(*snapshot);
  }
  held.clear();
  harness.Restart();
  ExpectIdsOf(*harness.Newest());
}

}  // namespace
}  // namespace kindred
