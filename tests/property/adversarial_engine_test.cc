// Molecules are added, replaced and deleted as fast as the engine takes them, while background merges make
// blocks of them. Every answer is compared with the exhaustive one on its own snapshot, in any number of
// parts.

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "bench/generated_molecules.h"
#include "gtest/gtest.h"
#include "index/engine/engine.h"
#include "index/search/exhaustive.h"
#include "index/search/pruned.h"
#include "tests/support/bounded_blocks.h"
#include "tests/support/engine_harness.h"
#include "tests/support/searched_histograms.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

constexpr uint64_t kFullSpeedSeed = 31;
constexpr int kWriters = 2;
constexpr int kBatches = 60;  // Of each writer,
constexpr int kBatch = 60;    // so many mutations each.
constexpr int kSearchers = 2;
constexpr int kSearchesMin = 40;

void WriteMolecules(EngineHarness& harness, int writer) {
  Rng rng(kFullSpeedSeed + static_cast<uint64_t>(writer));
  const auto source = bench::GeneratedMolecules(kFullSpeedSeed + static_cast<uint64_t>(writer));
  for (int batch = 0; batch < kBatches; ++batch) {
    std::vector<Mutation> mutations;
    for (int i = 0; i < kBatch; ++i) {
      // Of two thousand ids, so that later writes replace and delete.
      const std::string id = std::to_string(writer) + "-" + std::to_string(Below(rng, 2'000));
      mutations.push_back(Below(rng, 5) == 0 ? DeleteOf(id) : PutOf(id, source->Next()->graph));
    }
    EXPECT_THAT(harness.Write(std::move(mutations)).status, IsOk());
  }
}

// Returns how many blocks the answer's segments have.
size_t SearchAndCompare(EngineHarness& harness, Rng& rng) {
  const auto snapshot = harness.Newest();
  std::vector<StoredHistogram> stored;
  EXPECT_THAT(snapshot->store->ForEachHistogram(GraphId{0}, GraphId{UINT64_MAX},
                                                [&](GraphId, const StoredHistogram& one) {
                                                  stored.push_back(one);
                                                  return absl::OkStatus();
                                                }),
              IsOk());
  EXPECT_EQ(stored.size(), snapshot->graph_count());
  if (stored.empty()) {
    return 0;
  }
  const Histogram histogram = stored[Below(rng, stored.size())].histogram;
  const auto depth = static_cast<Level>(Below(rng, histogram.depth() + 1u));
  const Scoring scoring =
      Must(Scoring::Create(static_cast<Measure>(Below(rng, 3)), histogram.depth(), depth,
                           WeightsOfKind(static_cast<int>(Below(rng, kWeightKinds)), depth, rng)));
  for (const uint32_t k : {1u, 10u, 10'000u}) {
    const Query query{histogram, scoring, k,
                      Below(rng, 3) == 0 ? std::optional<double>(Below(rng, 10) / 10.0) : std::nullopt};
    const auto expected = Must(ExhaustiveSearcher([&](const HistogramVisitor& visit) -> absl::Status {
                                 for (const StoredHistogram& one : stored) {
                                   EXPECT_THAT(visit(one.external_id, one.histogram), IsOk());
                                 }
                                 return absl::OkStatus();
                               }).Search(query, Interrupt()));
    for (const uint32_t parts : {1u, 3u}) {
      EXPECT_EQ(Must(PrunedSearcher(snapshot->segments, parts, OnThreads()).Search(query, Interrupt())).hits,
                expected.hits)
          << "sequence " << Raw(snapshot->sequence) << ", " << parts << " parts, seed " << kFullSpeedSeed;
    }
  }
  size_t blocks = 0;
  for (const SegmentView& view : snapshot->segments) {
    blocks = std::max<size_t>(blocks, view.segment->blocks().block_count());
  }
  return blocks;
}

TEST(AdversarialEngine, EveryAnswerIsItsSnapshotsWhileMoleculesAreAddedReplacedAndDeleted) {
  EngineHarness harness(OptionsOf(2));
  std::atomic<int> writing{kWriters};
  std::atomic<size_t> blocks_max{0};
  {
    std::vector<std::jthread> threads;
    for (int writer = 0; writer < kWriters; ++writer) {
      threads.emplace_back([&, writer] {
        WriteMolecules(harness, writer);
        --writing;
      });
    }
    threads.emplace_back([&] {
      while (writing > 0) {
        harness.writer().merger().Settle();  // So few graphs would not be inverted while more come.
      }
    });
    for (int searcher = 0; searcher < kSearchers; ++searcher) {
      threads.emplace_back([&, searcher] {
        Rng rng(100 * kFullSpeedSeed + static_cast<uint64_t>(searcher));
        for (int i = 0; (i < kSearchesMin || writing > 0) && !::testing::Test::HasFailure(); ++i) {
          const size_t blocks = SearchAndCompare(harness, rng);
          for (size_t most = blocks_max; blocks > most && !blocks_max.compare_exchange_weak(most, blocks);) {
          }
        }
      });
    }
  }
  EXPECT_GT(blocks_max, 24u) << "no segment had a column to prune with";
}

}  // namespace
}  // namespace kindred::test
