// Snapshots: searches on their own threads while a writer streams puts, replaces and deletes. Every answer
// is compared with the exhaustive one on the same snapshot, and every snapshot with what the script of the
// writer says the index holds at its sequence.

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/engine.h"
#include "index/search/exhaustive.h"
#include "index/search/pruned.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::EngineHarness;
using test::Must;
using test::Rng;

constexpr uint64_t kStreamSeed = 97;
constexpr int kSearchers = 4;
constexpr int kSearchesEachMin = 260;
constexpr size_t kBeforeTheSearches = 100;  // So that there is something to find.

// A writer's script: every mutation is applied, so that mutation i becomes sequence i + 1.
struct Script {
  std::vector<Mutation> mutations;
  std::vector<std::set<std::string>> ids_at;  // [sequence]: what the index holds.
};

Script MakeScript(size_t mutations) {
  Rng rng(kStreamSeed);
  Script script;
  script.ids_at.emplace_back();
  for (size_t i = 0; i < mutations; ++i) {
    std::set<std::string> ids = script.ids_at.back();
    const std::string id = "g" + std::to_string(test::Below(rng, 120));
    if (ids.contains(id) && test::Below(rng, 3) == 0) {
      ids.erase(id);
      script.mutations.push_back(test::DeleteOf(id));
    } else {
      ids.insert(id);
      script.mutations.push_back(test::PutOf(id, test::RandomGraph(rng, {.vertex_labels = 3})));
    }
    script.ids_at.push_back(std::move(ids));
  }
  return script;
}

HistogramSource StoredHistograms(const Snapshot& snapshot) {
  return [&snapshot](const HistogramVisitor& visit) {
    return snapshot.store->ForEachHistogram(
        GraphId{0}, GraphId{UINT64_MAX},
        [&](GraphId, const StoredHistogram& stored) { return visit(stored.external_id, stored.histogram); });
  };
}

// One search on one snapshot, checked; returns the sequence it saw.
uint64_t SearchAndCheck(Engine& engine, const Script& script, Rng& rng) {
  const std::shared_ptr<const Snapshot> snapshot = Must(engine.snapshot());
  const uint64_t sequence = Raw(snapshot->sequence);
  std::vector<StoredHistogram> stored;
  std::set<std::string> ids;
  EXPECT_THAT(snapshot->store->ForEachHistogram(GraphId{0}, GraphId{UINT64_MAX},
                                                [&](GraphId, const StoredHistogram& one) {
                                                  ids.insert(one.external_id);
                                                  stored.push_back(one);
                                                  return absl::OkStatus();
                                                }),
              test::IsOk());
  EXPECT_EQ(ids, script.ids_at[sequence]) << "sequence " << sequence;
  EXPECT_EQ(Must(snapshot->store->sequence()), snapshot->sequence);
  EXPECT_EQ(snapshot->graph_count(), ids.size());
  const auto measure = static_cast<Measure>(test::Below(rng, 3));
  const auto depth = static_cast<uint32_t>(test::Below(rng, engine.depth() + 1u));
  const Query query{stored.at(test::Below(rng, stored.size())).histogram,
                    Must(Scoring::Create(measure, engine.depth(), depth, {})),
                    static_cast<uint32_t>(1 + test::Below(rng, 30)), std::nullopt};
  const auto lists = PrunedSearcher(snapshot->segments).Search(query, Interrupt());
  const auto exhaustive = ExhaustiveSearcher(StoredHistograms(*snapshot)).Search(query, Interrupt());
  EXPECT_EQ(Must(lists).hits, Must(exhaustive).hits) << "sequence " << sequence;
  return sequence;
}

// Sends the script from mutation `at` on in small requests, several in flight, as a stream does.
void Stream(EngineHarness& harness, const Script& script, size_t at) {
  Rng rng(kStreamSeed);
  std::vector<std::future<CommitSequence>> in_flight;
  const auto await_all = [&] {
    for (auto& acknowledged : in_flight) {
      // Read your writes: an acknowledged sequence is visible.
      EXPECT_THAT(harness.engine().snapshot(acknowledged.get()), test::IsOk());
    }
    in_flight.clear();
  };
  while (at < script.mutations.size()) {
    const size_t end = std::min(script.mutations.size(), at + 1 + test::Below(rng, 6));
    auto promise = std::make_shared<std::promise<CommitSequence>>();
    in_flight.push_back(promise->get_future());
    const auto begin = script.mutations.begin();
    harness.writer().Submit(
        {{begin + static_cast<std::ptrdiff_t>(at), begin + static_cast<std::ptrdiff_t>(end)},
         0,
         [promise](WriteResult result) {
           EXPECT_THAT(result.status, test::IsOk());
           promise->set_value(result.sequence);
         }});
    at = end;
    if (in_flight.size() == 4) {
      await_all();
    }
  }
  await_all();
}

TEST(SnapshotIsolation, EverySearchSeesOneSequenceWhateverIsWritten) {
  const Script script = MakeScript(1'200);
  EngineHarness harness(test::OptionsOf(2));
  harness.Write({script.mutations.begin(), script.mutations.begin() + kBeforeTheSearches});
  std::atomic<bool> written{false};
  std::atomic<int> searches{0};
  std::mutex mutex;
  std::set<uint64_t> sequences;  // Those the searches saw.
  {
    std::vector<std::jthread> searchers;
    for (int searcher = 0; searcher < kSearchers; ++searcher) {
      searchers.emplace_back([&, searcher] {
        Rng rng(kStreamSeed + static_cast<uint64_t>(searcher));
        for (int i = 0; (i < kSearchesEachMin || !written) && !::testing::Test::HasFailure(); ++i) {
          const uint64_t sequence = SearchAndCheck(harness.engine(), script, rng);
          ++searches;
          const std::scoped_lock lock(mutex);
          sequences.insert(sequence);
        }
      });
    }
    Stream(harness, script, kBeforeTheSearches);
    written = true;
  }
  EXPECT_GE(searches, kSearchers * kSearchesEachMin) << "seed " << kStreamSeed;
  EXPECT_GT(sequences.size(), 10u) << "the searches saw too few commits";
  EXPECT_EQ(Raw(harness.Newest()->sequence), script.mutations.size());
}

TEST(SnapshotIsolation, ASnapshotStaysAsItWasWhenEverythingIsDeleted) {
  EngineHarness harness;
  for (int i = 0; i < 40; ++i) {
    harness.Put("g" + std::to_string(i), test::Path("CCO"));
  }
  const auto before = harness.Newest();
  for (int i = 0; i < 40; ++i) {
    harness.Delete("g" + std::to_string(i));
  }
  EXPECT_EQ(harness.Newest()->graph_count(), 0u);
  EXPECT_EQ(before->graph_count(), 40u);
  const Query query{Must(before->store->ReadHistogram(GraphId{1})).histogram,
                    Must(Scoring::Create(Measure::kTanimoto, 3, {}, {})), 100, std::nullopt};
  EXPECT_EQ(Must(PrunedSearcher(before->segments).Search(query, Interrupt())).hits.size(), 40u);
  EXPECT_EQ(Must(ExhaustiveSearcher(StoredHistograms(*before)).Search(query, Interrupt())).hits.size(), 40u);
}

}  // namespace
}  // namespace kindred
