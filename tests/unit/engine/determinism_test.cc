// Deterministic apply: what is stored depends on the order of the mutations alone, not on how they are
// grouped, on threads or on restarts.

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/engine.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"

namespace kindred {
namespace {

using test::EngineHarness;
using test::PutOf;
using test::Rng;
using test::StoreContents;

constexpr uint64_t kScriptSeed = 89;

std::vector<Mutation> RandomScript() {
  Rng rng(kScriptSeed);
  std::vector<Mutation> script;
  for (int i = 0; i < 300; ++i) {
    const std::string id = "g" + std::to_string(test::Below(rng, 40));
    const auto mode = static_cast<WriteMode>(test::Below(rng, 3));
    if (test::Below(rng, 5) == 0) {
      script.push_back(test::DeleteOf(id));
    } else {
      const auto labels = static_cast<uint32_t>(1 + i / 60);  // New labels keep coming.
      script.push_back(
          PutOf(id, test::RandomGraph(rng, {.vertex_labels = labels, .edge_labels = labels}), mode));
    }
  }
  return script;
}

StoreContents Contents(EngineHarness& harness) { return test::ReadContents(*harness.Newest()->store); }

// Cuts the script into chunks of these sizes, over and over.
std::vector<std::vector<Mutation>> Chunks(const std::vector<size_t>& sizes) {
  const std::vector<Mutation> script = RandomScript();
  std::vector<std::vector<Mutation>> chunks;
  for (size_t at = 0, i = 0; at < script.size(); ++i) {
    const size_t end = std::min(script.size(), at + sizes[i % sizes.size()]);
    chunks.emplace_back(script.begin() + static_cast<std::ptrdiff_t>(at),
                        script.begin() + static_cast<std::ptrdiff_t>(end));
    at = end;
  }
  return chunks;
}

class Determinism : public ::testing::Test {
 protected:
  // One by one, on one thread.
  static const StoreContents& Expected() {
    static const StoreContents contents = [] {
      EngineHarness harness;
      for (auto& chunk : Chunks({1})) {
        harness.Write(std::move(chunk));
      }
      return Contents(harness);
    }();
    return contents;
  }
};

TEST_F(Determinism, TheScriptDoesSomething) {
  EXPECT_GT(Expected().graphs.size(), 20u);
  EXPECT_GT(Expected().colours.size(), 500u);
  EXPECT_GT(Expected().labels.size(), 8u);
}

TEST_F(Determinism, OneBatchStoresTheSame) {
  EngineHarness harness;
  harness.Write(RandomScript());
  EXPECT_EQ(Contents(harness), Expected()) << "seed " << kScriptSeed;
}

TEST_F(Determinism, OneBatchOnManyThreadsStoresTheSame) {
  EngineHarness harness(test::OptionsOf(4));
  harness.Write(RandomScript());
  EXPECT_EQ(Contents(harness), Expected()) << "seed " << kScriptSeed;
}

TEST_F(Determinism, UnevenBatchesStoreTheSame) {
  EngineHarness harness(test::OptionsOf(2));
  for (auto& chunk : Chunks({7, 1, 64, 3})) {
    harness.Write(std::move(chunk));
  }
  EXPECT_EQ(Contents(harness), Expected()) << "seed " << kScriptSeed;
}

TEST_F(Determinism, ManyRequestsInOneGroupStoreTheSame) {
  EngineHarness harness(test::OptionsOf(2));
  harness.WriteInOneGroup(Chunks({1, 5}));
  EXPECT_EQ(Contents(harness), Expected()) << "seed " << kScriptSeed;
}

TEST_F(Determinism, RestartsInBetweenStoreTheSame) {
  EngineHarness harness;
  for (auto& chunk : Chunks({75})) {
    harness.Write(std::move(chunk));
    harness.Restart();
  }
  EXPECT_EQ(Contents(harness), Expected()) << "seed " << kScriptSeed;
}

// Colours looked up for a whole group at once are out of date for all but its first graph. The verdict
// on a graph must not depend on that: an equal graph adds no colour, so it always fits.
TEST_F(Determinism, TheVerdictOnColoursMaxDoesNotDependOnTheGrouping) {
  const Graph graph = test::Path("CNO");
  EngineOptions options;
  options.limits.colours_max = 12;  // What one of them needs: three at each of four levels.
  const auto contents = [&](const std::function<void(EngineHarness&)>& write) {
    EngineHarness harness(options);
    write(harness);
    return Contents(harness);
  };
  const StoreContents one_by_one = contents([&](EngineHarness& harness) {
    harness.Write({PutOf("a", graph)});
    harness.Write({PutOf("b", graph)});
  });
  EXPECT_EQ(one_by_one.graphs.size(), 2u);
  EXPECT_EQ(one_by_one.colours.size(), 12u);
  EXPECT_EQ(contents([&](EngineHarness& harness) {
              harness.Write({PutOf("a", graph), PutOf("b", graph)});
            }),
            one_by_one);
}

}  // namespace
}  // namespace kindred
