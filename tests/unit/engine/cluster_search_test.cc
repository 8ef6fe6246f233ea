// Groups of similar graphs and their medoids against the definition.

#include "index/engine/cluster_search.h"

#include <string>
#include <utility>
#include <vector>

#include "bench/generated_molecules.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "tests/support/engine_harness.h"
#include "tests/support/found_pairs.h"
#include "tests/support/graphs.h"
#include "tests/support/naive_clusters.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

constexpr Level kClustersDepth = 3;

class ClusterSearchTest : public ::testing::Test {
 protected:
  void Put(const std::string& id, const Graph& graph) {
    mutations_.push_back(PutOf(id, graph));
    model_.Add(id, graph);
  }
  void Write() {
    if (!mutations_.empty()) {
      EXPECT_TRUE(harness_.Write(std::exchange(mutations_, {})).status.ok());
    }
  }

  std::vector<IdCluster> Find(const PairQuestion& question, uint64_t size_min, int threads) {
    Write();
    const auto search =
        Must(ClusterSearch::Create(harness_.Newest(), {ToRequest(question), size_min}, limits_));
    std::vector<IdCluster> clusters;
    for (bool more = true; more;) {
      std::optional<Cluster> cluster;
      more = Must(search->Step(ForEachOnThreads(threads), Interrupt(), cluster));
      if (cluster) {
        clusters.push_back({std::string(cluster->representative), {}});
        clusters.back().members.assign(cluster->members.begin(), cluster->members.end());
      }
    }
    EXPECT_EQ(search->pair_count(), model_.Pairs(question).size());
    return clusters;
  }

  void ExpectClusters(const PairQuestion& question, uint64_t size_min = 2, int threads = 1) {
    const auto expected = NaiveClusters(model_, question, size_min, limits_.cluster_medoid_max);
    EXPECT_EQ(Find(question, size_min, threads), expected) << "similarity " << question.min_similarity;
    found_ += expected.size();
  }

  EngineHarness harness_{OptionsOf(2, kClustersDepth)};
  NaivePairs model_{kClustersDepth};
  std::vector<Mutation> mutations_;
  Limits limits_;
  size_t found_ = 0;
};

TEST_F(ClusterSearchTest, NothingHasNoClusters) {
  ExpectClusters({});
  Put("alone", Path("CC"));
  ExpectClusters({});
  ExpectClusters({}, 1);
  EXPECT_EQ(found_, 1u);
}

TEST_F(ClusterSearchTest, APathOfPairsIsOneClusterWithItsMiddleAsMedoid) {
  for (int length = 8; length < 15; ++length) {
    Put(fmt::format("path-{:02}", length), Path(std::string(static_cast<size_t>(length), 'C')));
  }
  const auto clusters = Find({Measure::kTanimoto, 0.85}, 2, 1);
  ASSERT_EQ(clusters.size(), 1u);
  EXPECT_EQ(clusters[0].members.size(), 7u);
  EXPECT_EQ(clusters[0].representative, "path-11");
  ExpectClusters({Measure::kTanimoto, 0.85});
}

TEST_F(ClusterSearchTest, EqualGraphsTieAndTheSmallestIdStandsForThem) {
  for (int i = 0; i < 30; ++i) {
    Put(fmt::format("{}", i * 7 % 30), Path(i % 3 == 0 ? "CCO" : "CCN"));
  }
  Put("between", Path("CCF"));
  for (const double least : {1.0, 0.5, 0.1}) {
    for (const Measure measure : {Measure::kTanimoto, Measure::kCosine, Measure::kKernel}) {
      ExpectClusters({measure, measure == Measure::kKernel ? least * 12 : least});
      ExpectClusters({measure, measure == Measure::kKernel ? least * 12 : least}, 1);
    }
  }
  ExpectClusters({Measure::kKernel, 13}, 1);
}

TEST_F(ClusterSearchTest, GeneratedMoleculesAtManyThresholds) {
  auto source = bench::GeneratedMolecules(41);
  for (int i = 0; i < 900; ++i) {
    const auto record = source->Next();
    Put(record->external_id, record->graph);
    if (i % 7 == 0) {
      Put(record->external_id + "-again", record->graph);
    }
    if (i == 600) {
      Write();
      harness_.writer().merger().Settle();
    }
  }
  Write();
  for (const char* const id : {"generated-00000000", "generated-00000300", "generated-00000007-again"}) {
    harness_.Delete(id);
    model_.Remove(id);
  }
  for (const double least : {0.95, 0.8, 0.6, 0.5}) {
    ExpectClusters({Measure::kTanimoto, least}, 2, 2);
    ExpectClusters({Measure::kCosine, least, 2, {0.5, 0.1, 2}}, 3);
  }
  ExpectClusters({Measure::kKernel, 90}, 1);
  // Of larger groups only pairs count.
  for (const uint64_t most : {1u, 3u, 20u}) {
    limits_.cluster_medoid_max = most;
    ExpectClusters({Measure::kTanimoto, 0.6}, 2, 2);
  }
  EXPECT_GT(found_, 500u);
}

TEST_F(ClusterSearchTest, OutsizeGraphsAreMembersLikeOthers) {
  for (uint32_t more = 0; more < 8; ++more) {
    Put(fmt::format("isolated-{}", more), Isolated(std::string(250 + more * 3, 'C')));
    Put(fmt::format("again-{}", more), Isolated(std::string(250 + more * 3, 'C')));
  }
  Put("other", Isolated(std::string(300, 'N')));
  for (const double least : {1.0, 0.99, 0.98, 0.5}) {
    ExpectClusters({Measure::kTanimoto, least}, 1);
    limits_.cluster_medoid_max = 4;
    ExpectClusters({Measure::kTanimoto, least}, 1);
    limits_.cluster_medoid_max = 4'096;
  }
}

TEST_F(ClusterSearchTest, StopsWhenItIsToldTo) {
  auto source = bench::GeneratedMolecules(42);
  for (int i = 0; i < 300; ++i) {
    Put(fmt::format("{}", i), source->Next()->graph);
  }
  Write();
  int cancelled = 0;
  for (int at = 0; at < 500; ++at) {
    int looks = 0;
    const Interrupt interrupt([&] { return looks++ >= at; }, Interrupt::Clock::time_point::max());
    const auto search =
        Must(ClusterSearch::Create(harness_.Newest(), {ToRequest({Measure::kTanimoto, 0.6}), 2}, {}));
    absl::StatusOr<bool> more = true;
    while (more.ok() && *more) {
      std::optional<Cluster> cluster;
      more = search->Step(ForEachInTurn, interrupt, cluster);
    }
    if (more.ok()) {
      break;
    }
    EXPECT_EQ(more.status().code(), absl::StatusCode::kCancelled);
    ++cancelled;
  }
  EXPECT_GT(cancelled, 5);
  EXPECT_LT(cancelled, 500) << "it never came to an end";
}

}  // namespace
}  // namespace kindred::test
