// Store: what was committed is there after reopening; depth and schema are checked; damage is DATA_LOSS.

#include "index/store/store.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "index/base/coding.h"
#include "index/base/limits.h"
#include "index/store/commit_batch.h"
#include "index/store/store_view.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"
#include "tests/support/store_surgery.h"
#include "tests/support/temp_dir.h"

namespace kindred {
namespace {

using schema::Family;
using test::IsOk;
using test::kDataLoss;
using test::kFailedPrecondition;
using test::Must;
using test::StatusIs;
using test::StoreSurgery;

std::string Fixed32(uint32_t value) {
  std::string out;
  AppendFixed32(out, value);
  return out;
}

class StoreTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<Store>> Open(std::optional<Level> depth = std::nullopt) {
    auto directory = DataDirectory::Open(path_);
    if (!directory.ok()) {
      return directory.status();
    }
    return Store::Open(*std::move(directory), {.depth = depth});
  }

  // Stores one graph as commit 1, with nothing of the hierarchy.
  static absl::Status PutOne(Store& store, const std::string& id) {
    ColourHierarchy hierarchy;
    CommitBatch batch(store);
    const Graph graph = test::Path("CO");
    batch.PutGraph(GraphId{1}, EncodeRecord({id, graph, "payload", {{"k", "v"}}}),
                   EncodeHistogram(id, test::GrowHistogram(hierarchy, graph, store.depth())));
    batch.SetSequence(CommitSequence{1});
    return store.Commit(batch);
  }

  test::TempDir temp_;
  const std::string path_ = temp_.Sub("index");
};

TEST_F(StoreTest, ANewStoreIsEmptyAtSequenceZeroWithTheDefaultDepth) {
  const auto store = Must(Open());
  EXPECT_EQ(store->depth(), kDepthDefault);
  EXPECT_EQ(store->path(), path_);
  EXPECT_EQ(Must(store->view()->sequence()), CommitSequence{0});
  EXPECT_TRUE(Must(store->view()->Empty()));
}

TEST_F(StoreTest, KeepsItsDepth) {
  EXPECT_EQ(Must(Open(7))->depth(), 7);
  EXPECT_EQ(Must(Open())->depth(), 7);
  EXPECT_EQ(Must(Open(7))->depth(), 7);
}

TEST_F(StoreTest, RefusesAnotherDepthAndSaysWhich) {
  Must(Open(2));
  EXPECT_THAT(Open(3), StatusIs(kFailedPrecondition, "was created with depth 2, not 3"));
  EXPECT_THAT(Open(0), StatusIs(kFailedPrecondition, "was created with depth 2, not 0"));
  EXPECT_EQ(Must(Open())->depth(), 2) << "the refusal changed something";
}

TEST_F(StoreTest, TakesDepthsFrom0ToTheDeepest) {
  EXPECT_EQ(Must(Open(0))->depth(), 0);
  std::filesystem::remove_all(path_);
  EXPECT_EQ(Must(Open(kDepthMax))->depth(), kDepthMax);
}

// Beyond kDepthMax the counters of the hierarchy overflow, and the store cannot be opened again.
TEST_F(StoreTest, RefusesToCreateAStoreDeeperThanTheDeepest) {
  EXPECT_THAT(Open(kDepthMax + 1), StatusIs(absl::StatusCode::kInvalidArgument, "depth"));
}

TEST_F(StoreTest, WhatIsCommittedIsThereAfterReopening) {
  ASSERT_THAT(PutOne(*Must(Open(1)), "my id"), IsOk());
  const auto store = Must(Open());
  const auto view = store->view();
  EXPECT_EQ(Must(view->sequence()), CommitSequence{1});
  EXPECT_FALSE(Must(view->Empty()));
  const StoredRecord record = Must(view->ReadRecord(GraphId{1}));
  EXPECT_EQ(record.external_id, "my id");
  EXPECT_EQ(record.payload, "payload");
  EXPECT_EQ(record.tags, (Tags{{"k", "v"}}));
  EXPECT_TRUE(test::SameGraph(record.graph, test::Path("CO")));
  EXPECT_EQ(Must(view->ReadHistogram(GraphId{1})).external_id, "my id");
}

// The log is what a start has to read again.
TEST_F(StoreTest, WhatSettlesIsNoLongerInTheLog) {
  const auto log_bytes = [&] {
    uint64_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_ + "/db")) {
      bytes += entry.path().extension() == ".log" ? entry.file_size() : 0;
    }
    return bytes;
  };
  const std::string payload(10 << 20, 'x');
  {
    const auto store = Must(Open(1));
    ColourHierarchy hierarchy;
    const Graph graph = test::Path("CO");
    CommitBatch batch(*store);
    batch.PutGraph(GraphId{1}, EncodeRecord({"a", graph, payload, {}}),
                   EncodeHistogram("a", test::GrowHistogram(hierarchy, graph, 1)));
    batch.SetSequence(CommitSequence{1});
    ASSERT_THAT(store->Commit(batch), IsOk());
    EXPECT_GT(log_bytes(), payload.size());
    store->Settle();
    EXPECT_LT(log_bytes(), payload.size() / 10);
  }
  EXPECT_EQ(Must(Must(Open())->view()->ReadRecord(GraphId{1})).payload, payload);
}

TEST_F(StoreTest, ABatchThatIsNotCommittedLeavesNoTrace) {
  {
    const auto store = Must(Open(1));
    CommitBatch batch(*store);
    batch.AddLabel(LabelId{0}, "C");
    batch.SetSequence(CommitSequence{9});
  }
  const auto store = Must(Open());
  EXPECT_EQ(Must(store->view()->sequence()), CommitSequence{0});
}

TEST_F(StoreTest, CountsTheBytesOfItsDirectory) {
  const auto store = Must(Open());
  const uint64_t before = store->disk_bytes();
  EXPECT_GT(before, 0u);
  ASSERT_THAT(PutOne(*store, std::string(500, 'x')), IsOk());
  EXPECT_GT(store->disk_bytes(), before + 500);
}

TEST_F(StoreTest, HoldsItsDirectoryWhileItIsOpen) {
  const auto store = Must(Open());
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kUnavailable, ""));
}

TEST_F(StoreTest, RefusesAnotherSchemaVersion) {
  Must(Open());
  for (const uint32_t version : {3u, 8u}) {
    StoreSurgery(path_).Put(Family::kMeta, schema::kMetaSchema, Fixed32(version));
    EXPECT_THAT(Open(), StatusIs(kFailedPrecondition, fmt::format("schema version {}", version)));
  }
}

TEST_F(StoreTest, RefusesDamagedMeta) {
  Must(Open());
  for (const auto& [name, value] :
       {std::pair(schema::kMetaDepth, Fixed32(kDepthMax + 1)),
        std::pair(schema::kMetaDepth, std::string("x")), std::pair(schema::kMetaSchema, std::string())}) {
    std::string intact;
    {
      StoreSurgery surgery(path_);
      intact = surgery.Get(Family::kMeta, name);
      surgery.Put(Family::kMeta, name, value);
    }
    EXPECT_THAT(Open(), StatusIs(kDataLoss, "depth")) << name;
    StoreSurgery(path_).Put(Family::kMeta, name, intact);
  }
  EXPECT_THAT(Open(), IsOk());
}

TEST_F(StoreTest, RefusesMetaThatIsMissingInPartOrBesideGraphs) {
  ASSERT_THAT(PutOne(*Must(Open()), "id"), IsOk());
  StoreSurgery(path_).Delete(Family::kMeta, schema::kMetaDepth);
  EXPECT_THAT(Open(), StatusIs(kDataLoss, "missing"));
  StoreSurgery(path_).Delete(Family::kMeta, schema::kMetaSchema);
  EXPECT_THAT(Open(), StatusIs(kDataLoss, "was in use"));
}

TEST_F(StoreTest, RefusesADamagedSequence) {
  ASSERT_THAT(PutOne(*Must(Open()), "id"), IsOk());
  StoreSurgery(path_).Put(Family::kMeta, schema::kMetaSequence, "1234567");
  EXPECT_THAT(Open(), StatusIs(kDataLoss, "sequence"));
  StoreSurgery(path_).Delete(Family::kMeta, schema::kMetaSequence);
  EXPECT_THAT(Open(), StatusIs(kDataLoss, "sequence"));
}

TEST_F(StoreTest, RefusesAMissingOrDamagedIdentityOrTotals) {
  ASSERT_THAT(PutOne(*Must(Open()), "id"), IsOk());
  for (const std::string_view name : {schema::kMetaIdentity, schema::kMetaTotals}) {
    const std::string intact = StoreSurgery(path_).Get(Family::kMeta, name);
    StoreSurgery(path_).Put(Family::kMeta, name, intact.substr(1));
    EXPECT_THAT(Open(), StatusIs(kDataLoss, name));
    StoreSurgery(path_).Delete(Family::kMeta, name);
    EXPECT_THAT(Open(), StatusIs(kDataLoss, name));
    StoreSurgery(path_).Put(Family::kMeta, name, intact);
  }
  EXPECT_THAT(Open(), IsOk());
}

TEST_F(StoreTest, RefusesTheSchemaBeforeTheWitness) {
  Must(Open());
  std::filesystem::remove(path_ + "/witness");
  StoreSurgery(path_).Put(Family::kMeta, schema::kMetaSchema, Fixed32(1));
  EXPECT_THAT(Open(), StatusIs(kFailedPrecondition, "schema version 1"));
}

}  // namespace
}  // namespace kindred
