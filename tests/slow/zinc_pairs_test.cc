// A quarter of a million real molecules: all pairs of some of them with all others, against merging every two
// histograms. Takes minutes; labelled slow.

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/pair_expansion.h"
#include "tests/support/engine_harness.h"
#include "tests/support/found_pairs.h"
#include "tests/support/graphs.h"
#include "tests/support/naive_pairs.h"
#include "tests/support/shared_data.h"
#include "tests/support/status_matchers.h"
#include "tests/support/zinc.h"

namespace kindred::test {
namespace {

constexpr size_t kSample = 250;
constexpr uint64_t kSeed = 51;

class ZincPairs : public ::testing::Test {
 protected:
  void Store(size_t most) {
    std::vector<Mutation> mutations;
    const auto write = [&] { ASSERT_TRUE(harness_.Write(std::exchange(mutations, {})).status.ok()); };
    ForEachZinc(most, [&](const std::string& id, const Graph& graph) {
      mutations.push_back(PutOf(id, graph));
      if (mutations.size() == 8'192) {
        write();
      }
    });
    write();
    harness_.writer().merger().Settle();
  }

  EngineHarness harness_{OptionsOf(2)};
};

TEST_F(ZincPairs, OfASampleAreThoseThatMergingFinds) {
  KINDRED_SKIP_WITHOUT_SHARED_DATA();
  Store(SIZE_MAX);
  const std::shared_ptr<const Snapshot> snapshot = harness_.Newest();
  ASSERT_EQ(snapshot->graph_count(), 249'455u);
  std::vector<StoredHistogram> stored;
  ASSERT_TRUE(snapshot->store
                  ->ForEachHistogram(GraphId{0}, GraphId{UINT64_MAX},
                                     [&](GraphId, const StoredHistogram& each) {
                                       stored.push_back(each);
                                       return absl::OkStatus();
                                     })
                  .ok());
  SCOPED_TRACE(kSeed);
  Rng rng(kSeed);
  for (const double least : {0.8, 0.7}) {
    const std::vector<IdPair> pairs = Must(FindPairs(snapshot, {Measure::kTanimoto, least}, {2}));
    EXPECT_GT(pairs.size(), 5'000u);
    // Half of the sample are in pairs, as most molecules are not.
    std::set<std::string> sample;
    while (sample.size() < kSample / 2) {
      sample.insert(pairs[Below(rng, pairs.size())].a);
    }
    while (sample.size() < kSample) {
      sample.insert(stored[Below(rng, stored.size())].external_id);
    }
    std::vector<IdPair> of_sample;
    std::ranges::copy_if(pairs, std::back_inserter(of_sample), [&](const IdPair& pair) {
      return sample.contains(pair.a) || sample.contains(pair.b);
    });
    std::set<IdPair> expected;
    const Scoring scoring = Must(Scoring::Create(Measure::kTanimoto, 3, {}, {}));
    for (const StoredHistogram& one : stored) {
      if (!sample.contains(one.external_id)) {
        continue;
      }
      for (const StoredHistogram& other : stored) {
        const Score score{scoring.Kernel(LevelOverlaps(one.histogram, other.histogram)),
                          other.histogram.vertex_count()};
        const double similarity = scoring.Similarity(score, one.histogram.vertex_count());
        if (similarity >= least && one.external_id != other.external_id) {
          const auto& [a, b] = std::minmax(one.external_id, other.external_id);
          expected.insert({a, b, score.kernel, similarity});
        }
      }
    }
    EXPECT_EQ(of_sample, std::vector<IdPair>(expected.begin(), expected.end()));
    EXPECT_GT(expected.size(), kSample / 2);
  }
}

}  // namespace
}  // namespace kindred::test
