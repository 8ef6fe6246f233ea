// Held compactions: the tables that a start checks one by one stay where they are until it is done. When they
// did not, a start of a large index was refused now and then: a table was gone before its turn came.

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "index/store/commit_batch.h"
#include "index/store/store.h"
#include "index/store/store_view.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_dir.h"

namespace kindred {
namespace {

using test::IsOk;
using test::Must;

// More than RocksDB leaves side by side.
constexpr uint64_t kTables = 12;

std::unique_ptr<Store> OpenHeld(const std::string& path) {
  StoreOptions options;
  options.hold_compactions = true;
  return Must(Store::Open(Must(DataDirectory::Open(path)), options));
}

std::vector<std::string> GraphTables(const Store& store) {
  return Must(store.view()->Tables(schema::Family::kGraphs)).paths;
}

// What is in the log when a store is opened becomes a table of its own.
void StoreOneAStart(const std::string& path) {
  ColourHierarchy hierarchy;
  const Graph graph = test::Path("CO");
  for (uint64_t i = 1; i <= kTables; ++i) {
    const auto store = OpenHeld(path);
    const std::string id = fmt::format("graph {}", i);
    CommitBatch batch(*store);
    batch.PutGraph(GraphId{i}, EncodeRecord({id, graph, "", {}}),
                   EncodeHistogram(id, test::GrowHistogram(hierarchy, graph, store->depth())));
    if (i > 1) {
      batch.RemoveGraph(GraphId{i - 1});  // So that tables overlap, and are merged.
    }
    batch.SetSequence(CommitSequence{i});
    ASSERT_THAT(store->Commit(batch), IsOk());
  }
}

TEST(HeldCompactions, TablesStayUntilCompactionsAreStarted) {
  const test::TempDir temp;
  const std::string path = temp.Sub("index");
  StoreOneAStart(path);
  const auto store = OpenHeld(path);
  const std::vector<std::string> held = GraphTables(*store);
  EXPECT_EQ(held.size(), kTables);
  ASSERT_THAT(store->StartCompactions(), IsOk());
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (GraphTables(*store) == held) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "nothing was compacted";
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace
}  // namespace kindred
