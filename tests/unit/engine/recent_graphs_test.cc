#include "index/engine/recent_graphs.h"

#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/engine.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"
#include "tests/support/stored_graphs.h"

namespace kindred {
namespace {

using test::EngineHarness;
using test::Must;
using test::Rng;
using test::StoredGraph;
using test::StoredGraphs;

constexpr Level kDepth = 3;

std::string Packed(const Histogram& histogram) {
  std::string packed;
  AppendPacked(packed, histogram);
  return packed;
}

using Found = std::set<std::pair<std::string, double>>;  // External ids and similarities.

Found FindByDefinition(const std::vector<StoredGraph>& graphs, const Histogram& query, const Scoring& scoring,
                       double min_similarity, CommitSequence after) {
  Found found;
  for (const StoredGraph& graph : graphs) {
    const Score score{scoring.Kernel(LevelOverlaps(query, graph.histogram)), graph.histogram.vertex_count()};
    const double similarity = scoring.Similarity(score, query.vertex_count());
    if (Raw(graph.id) > Raw(after) && similarity >= min_similarity) {
      found.emplace(graph.external_id, similarity);
    }
  }
  return found;
}

Found AsFound(const std::vector<RecentGraphs::Near>& near) {
  Found found;
  for (const RecentGraphs::Near& graph : near) {
    found.emplace(std::string(graph.external_id), graph.similarity);
  }
  EXPECT_EQ(found.size(), near.size());
  return found;
}

// Whichever level it reads, it misses none and invents none.
TEST(RecentGraphs, FindsWhatIsSimilarEnoughAndNothingElse) {
  const uint64_t seed = 5;
  StoredGraphs stored(seed, kDepth);
  stored.AddTiny(150);
  stored.AddMoleculeLike(150);
  RecentGraphs recent;
  for (const StoredGraph& graph : stored.graphs()) {
    recent.Add(graph.id, graph.external_id, graph.histogram.vertex_count(), Packed(graph.histogram));
  }
  const std::vector<std::vector<double>> weights{{},
                                                 {1, 0, 0, 0},
                                                 {0, 0, 0, 1},
                                                 {4, 1, 2, 0},
                                                 {0, 3, 0, 0},
                                                 {1'048'576, 1, 1, 1e-9},
                                                 {0.1, 0.7, 1.3, 2}};
  Rng rng(seed);
  size_t hits = 0;
  for (int round = 0; round < 2'000; ++round) {
    const auto measure = static_cast<Measure>(test::Below(rng, 3));
    const Scoring scoring =
        Must(Scoring::Create(measure, kDepth, std::nullopt, weights[test::Below(rng, weights.size())]));
    const Histogram& query = stored.graphs()[test::Below(rng, stored.graphs().size())].histogram;
    const CommitSequence after{Raw(stored.graphs()[test::Below(rng, stored.graphs().size())].id) / 2};
    // Mostly a similarity that some graph has exactly.
    const Histogram& other = stored.graphs()[test::Below(rng, stored.graphs().size())].histogram;
    const double least = scoring.Similarity(
        {scoring.Kernel(LevelOverlaps(query, other)), other.vertex_count()}, query.vertex_count());
    if (least <= 0) {
      continue;
    }
    const Found expected = FindByDefinition(stored.graphs(), query, scoring, least, after);
    ASSERT_EQ(AsFound(recent.Find(query, scoring, least, after)), expected)
        << "seed " << seed << " round " << round;
    hits += expected.size();
  }
  EXPECT_GT(hits, 10'000u);
}

// The graphs that it has, by their ids.
std::set<std::string> Ids(RecentGraphs& recent, EngineHarness& harness) {
  const Histogram query = Histogram::Of(
      RefineKnown(harness.engine().hierarchy().view(), test::Isolated("C"), harness.engine().depth()));
  const Scoring scoring = Must(Scoring::Create(Measure::kKernel, harness.engine().depth(), 0u, {}));
  std::set<std::string> ids;
  for (const RecentGraphs::Near& near : recent.Find(query, scoring, 1, recent.from())) {
    ids.emplace(near.external_id);
  }
  return ids;
}

std::string IdOf(int i) { return "g" + std::to_string(i); }

class CatchUp : public ::testing::Test {
 protected:
  // Commits `count` more graphs, one each.
  void Put(int count) {
    for (; count > 0; --count) {
      harness_.Put(IdOf(++stored_), test::Path("CO"));
    }
  }
  std::set<std::string> Expected(int first, int last) {
    std::set<std::string> ids;
    for (int i = first; i <= last; ++i) {
      ids.insert(IdOf(i));
    }
    return ids;
  }
  std::set<std::string> Ids() { return kindred::Ids(recent_, harness_); }

  EngineHarness harness_{test::OptionsOf(1, 1)};
  RecentGraphs recent_;
  int stored_ = 0;
};

TEST_F(CatchUp, TakesWhatWasCommittedSince) {
  Put(5);
  recent_.CatchUp(*harness_.Newest(), CommitSequence{3});
  EXPECT_EQ(recent_.from(), CommitSequence{3});
  EXPECT_EQ(recent_.to(), CommitSequence{5});
  EXPECT_EQ(Ids(), Expected(4, 5));
  Put(3);
  recent_.CatchUp(*harness_.Newest(), CommitSequence{4});
  EXPECT_LE(recent_.from(), CommitSequence{4});
  EXPECT_EQ(recent_.to(), CommitSequence{8});
  EXPECT_EQ(Ids(), Expected(4, 8));
}

TEST_F(CatchUp, StartsAnewAfterACommitThatWasGivenUp) {
  Put(2);
  recent_.CatchUp(*harness_.Newest(), CommitSequence{0});
  const Histogram histogram =
      Histogram::Of(RefineKnown(harness_.engine().hierarchy().view(), test::Path("CO"), 1));
  recent_.Add(GraphId{3}, "given up", 2, Packed(histogram));
  EXPECT_EQ(Ids(), (std::set<std::string>{"g1", "g2", "given up"}));
  recent_.CatchUp(*harness_.Newest(), CommitSequence{1});
  EXPECT_EQ(Ids(), Expected(2, 2));
}

TEST_F(CatchUp, DoesNotReachBehindWhatIsInverted) {
  Put(4);
  harness_.writer().merger().Settle();
  Put(2);
  recent_.CatchUp(*harness_.Newest(), CommitSequence{1});
  EXPECT_EQ(recent_.from(), CommitSequence{4});
  EXPECT_EQ(Ids(), Expected(5, 6));
}

TEST_F(CatchUp, LeavesOutWhatIsRemoved) {
  Put(4);
  harness_.Delete(IdOf(3));
  recent_.CatchUp(*harness_.Newest(), CommitSequence{1});
  EXPECT_EQ(recent_.to(), CommitSequence{5});
  EXPECT_EQ(Ids(), (std::set<std::string>{"g2", "g4"}));
}

TEST_F(CatchUp, ForgetsWhatNobodyAsksFor) {
  std::vector<Mutation> puts;
  for (int i = 0; i < 5'000; ++i) {
    puts.push_back(test::PutOf(IdOf(++stored_), test::Path("CO")));
  }
  harness_.Write(std::move(puts));
  recent_.CatchUp(*harness_.Newest(), CommitSequence{0});
  EXPECT_EQ(recent_.size(), 5'000u);
  recent_.CatchUp(*harness_.Newest(), CommitSequence{4'000});
  EXPECT_EQ(recent_.from(), CommitSequence{4'000});
  EXPECT_EQ(recent_.to(), CommitSequence{5'000});
  EXPECT_EQ(Ids(), Expected(4'001, 5'000));
}

}  // namespace
}  // namespace kindred
