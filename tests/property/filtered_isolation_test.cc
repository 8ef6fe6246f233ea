// Filtered searches on their own threads while a writer changes graphs and their tags: every answer is that
// of the same snapshot's stored histograms and tags, filtered by hand, and pages of one snapshot make up its
// answer.

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/engine.h"
#include "index/engine/filtered_snapshot.h"
#include "index/search/exhaustive.h"
#include "index/search/pruned.h"
#include "tests/support/engine_harness.h"
#include "tests/support/random_filter.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

constexpr uint64_t kIsolationSeed = 611;
constexpr int kFilteredSearchers = 2;
constexpr int kSearchesEach = 150;

TagMap ToMap(const Tags& tags) { return {tags.begin(), tags.end()}; }

// What the store of a snapshot holds that matches.
HistogramSource MatchingHistograms(const Snapshot& snapshot, const RandomFilter& filter) {
  auto matching = std::make_shared<std::set<std::string>>();
  EXPECT_THAT(snapshot.store->ForEachRecord(GraphId{0}, GraphId{UINT64_MAX},
                                            [&](GraphId, const StoredRecord& record) {
                                              if (filter.matches(ToMap(record.tags))) {
                                                matching->insert(record.external_id);
                                              }
                                              return absl::OkStatus();
                                            }),
              IsOk());
  return [&snapshot, matching](const HistogramVisitor& visit) {
    return snapshot.store->ForEachHistogram(
        GraphId{0}, GraphId{UINT64_MAX}, [&](GraphId, const StoredHistogram& stored) {
          return matching->contains(stored.external_id) ? visit(stored.external_id, stored.histogram)
                                                        : absl::OkStatus();
        });
  };
}

class FilteringThread {
 public:
  FilteringThread(EngineHarness& harness, uint64_t seed) : harness_(harness), rng_(seed) {}

  void Search() {
    const RandomFilter filter = MakeRandomFilter(rng_, 2);
    const auto parsed = Filter::Parse(filter.text, Limits());
    if (!parsed.ok()) {
      return;
    }
    const auto snapshot = harness_.Newest();
    const auto shown = Must(Filtered(snapshot, *parsed, Interrupt()));
    const Graph graph = RandomGraph(rng_, {.vertex_labels = 3});
    const Level depth = harness_.engine().depth();
    const Measure measures[] = {Measure::kKernel, Measure::kCosine, Measure::kTanimoto};
    Query query{Histogram::Of(RefineKnown(harness_.engine().hierarchy().view(), graph, depth)),
                Must(Scoring::Create(measures[Below(rng_, 3)], depth, std::nullopt, {})), UINT16_MAX,
                std::nullopt};
    const ExhaustiveSearcher oracle(MatchingHistograms(*snapshot, filter));
    const std::vector<Hit> expected = Must(oracle.Search(query, Interrupt())).hits;
    EXPECT_EQ(expected.size(), shown->graph_count()) << filter.text;
    query.k = 1 + static_cast<uint32_t>(Below(rng_, 20));
    std::vector<Hit> paged;
    while (true) {
      const std::vector<Hit> page = Must(PrunedSearcher(shown->segments).Search(query, Interrupt())).hits;
      paged.insert(paged.end(), page.begin(), page.end());
      if (page.size() < query.k) {
        break;
      }
      query.after = AnswerPlace{{page.back().kernel, page.back().vertices}, page.back().id};
    }
    EXPECT_EQ(paged, expected) << filter.text << " at " << Raw(snapshot->sequence);
  }

 private:
  EngineHarness& harness_;
  Rng rng_;
};

TEST(FilteredIsolation, EveryAnswerIsThatOfOneSnapshotWhileTagsChange) {
  SCOPED_TRACE("seed " + std::to_string(kIsolationSeed));
  EngineHarness harness(OptionsOf(2, 2));
  std::atomic<int> running = kFilteredSearchers;
  std::vector<std::jthread> searchers;
  for (int t = 0; t < kFilteredSearchers; ++t) {
    searchers.emplace_back([&, t] {
      FilteringThread thread(harness, kIsolationSeed + 1 + static_cast<uint64_t>(t));
      for (int i = 0; i < kSearchesEach && !::testing::Test::HasFailure(); ++i) {
        thread.Search();
      }
      --running;
    });
  }
  Rng rng(kIsolationSeed);
  for (int write = 0; running > 0; ++write) {
    std::vector<Mutation> batch;
    for (uint64_t i = 1 + Below(rng, 40); i > 0; --i) {
      const std::string id = "g" + std::to_string(Below(rng, 300));
      batch.push_back(Below(rng, 5) == 0 ? DeleteOf(id) : PutOf(id, RandomGraph(rng, {.vertex_labels = 3})));
      if (batch.back().record->has_value()) {
        (*batch.back().record)->tags = ToTags(RandomTags(rng));
      }
    }
    ASSERT_THAT(harness.Write(std::move(batch)).status, IsOk());
    if (write % 25 == 0) {
      harness.writer().merger().Settle();  // Inverts and merges under the searches.
    }
  }
}

}  // namespace
}  // namespace kindred::test
