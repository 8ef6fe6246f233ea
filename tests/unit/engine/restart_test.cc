// Recovery: an index that was closed and opened again is the index that never was.

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/engine.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"
#include "tests/support/store_surgery.h"

namespace kindred {
namespace {

using schema::Family;
using test::EngineHarness;
using test::IsOk;
using test::kDataLoss;
using test::Path;
using test::Rng;
using test::StatusIs;

// Random puts, replaces and deletes over few ids.
std::vector<Mutation> RandomMutations(Rng& rng, size_t count) {
  std::vector<Mutation> mutations;
  for (size_t i = 0; i < count; ++i) {
    const std::string id = "g" + std::to_string(test::Below(rng, 60));
    mutations.push_back(test::Below(rng, 4) == 0
                            ? test::DeleteOf(id)
                            : test::PutOf(id, test::RandomGraph(rng, {.vertex_labels = 3})));
  }
  return mutations;
}

void ExpectSameAnswers(EngineHarness& a, EngineHarness& b, uint64_t seed) {
  Rng rng(seed);
  for (int round = 0; round < 30; ++round) {
    SearchRequest request =
        test::Ask(test::RandomGraph(rng, {.vertex_labels = 4}), 50, static_cast<Measure>(round % 3));
    request.depth = static_cast<uint32_t>(test::Below(rng, 4));
    request.mode = round % 2 == 0 ? SearchMode::kPruned : SearchMode::kExhaustive;
    const SearchReply left = test::Must(a.Search(request));
    const SearchReply right = test::Must(b.Search(request));
    ASSERT_EQ(left.sequence, right.sequence);
    ASSERT_EQ(left.answer.hits, right.answer.hits) << "seed " << seed << " round " << round;
  }
}

class RestartThreads : public ::testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Threads, RestartThreads, ::testing::Values(1, 2, 5));

TEST_P(RestartThreads, EqualsNoRestart) {
  constexpr uint64_t kSeed = 83;
  Rng rng(kSeed);
  EngineHarness steady(test::OptionsOf(GetParam()));
  EngineHarness restarted(test::OptionsOf(GetParam()));
  for (int round = 0; round < 4; ++round) {
    const std::vector<Mutation> mutations = RandomMutations(rng, 80);
    steady.Write(mutations);
    restarted.Write(mutations);
    restarted.Restart();

    const EngineStats left = steady.engine().stats();
    const EngineStats right = restarted.engine().stats();
    ASSERT_EQ(left.graphs, right.graphs) << "seed " << kSeed;
    ASSERT_EQ(left.depth, right.depth);
    ASSERT_EQ(left.sequence, right.sequence);
    ASSERT_EQ(left.labels, right.labels);
    ASSERT_EQ(left.colours, right.colours);
    ASSERT_EQ(test::ReadContents(*steady.Newest()->store), test::ReadContents(*restarted.Newest()->store));
    ExpectSameAnswers(steady, restarted, kSeed + static_cast<uint64_t>(round));
  }
}

TEST(Restart, AnEmptyIndexStaysEmpty) {
  EngineHarness harness;
  harness.Restart();
  EXPECT_EQ(harness.Newest()->sequence, CommitSequence{0});
  EXPECT_EQ(harness.Hits(test::Ask(Path("CC"))), std::vector<Hit>{});
}

TEST(Restart, WhatIsQueuedWhenTheEngineClosesIsCommitted) {
  EngineHarness harness;
  int answered = 0;
  for (int i = 0; i < 50; ++i) {
    harness.writer().Submit({{test::PutOf("g" + std::to_string(i), Path("CC"))}, 0, [&](WriteResult result) {
                               EXPECT_THAT(result.status, IsOk());
                               ++answered;
                             }});
  }
  harness.Restart();
  EXPECT_EQ(answered, 50);
  EXPECT_EQ(harness.engine().stats().graphs, 50u);
}

TEST(Restart, ReportsItsProgressUpToTheEnd) {
  EngineHarness harness;
  harness.Write({test::PutOf("a", Path("CO")), test::PutOf("b", Path("CO"))});
  harness.Close();
  std::vector<RecoveryProgress> reports;
  EngineOptions options = test::OptionsOf(2);
  options.report_recovery = [&](const RecoveryProgress& progress) { reports.push_back(progress); };
  const auto engine = Engine::Open(test::Must(DataDirectory::Open(harness.path())), options);
  ASSERT_THAT(engine, IsOk());
  ASSERT_FALSE(reports.empty());
  EXPECT_TRUE(reports.back().done);
  EXPECT_EQ(reports.back().graphs, 2u);
  EXPECT_EQ(reports.back().colours, 8u);  // Two a level.
  for (size_t i = 1; i < reports.size(); ++i) {
    EXPECT_GE(reports[i].graphs, reports[i - 1].graphs);
    EXPECT_FALSE(reports[i - 1].done);
  }
}

TEST(Restart, AnotherDepthIsRefused) {
  EngineHarness harness(test::OptionsOf(1, 2));
  harness.Close();
  EXPECT_THAT(Engine::Open(test::Must(DataDirectory::Open(harness.path())), test::OptionsOf(1, 3)),
              StatusIs(absl::StatusCode::kFailedPrecondition, "depth 2"));
}

// A closed index of two graphs, C-O and C-N: labels C, O, "", N; colours C, O at level 0, and so on.
class DamagedRestart : public ::testing::Test {
 protected:
  DamagedRestart() {
    harness_.Put("a", Path("CO"));
    harness_.Put("b", Path("CN"));
    harness_.Close();
    test::StoreSurgery(harness_.path()).SplitColourRows();
  }

  EngineHarness harness_{test::OptionsOf(1, 1)};
};

TEST_F(DamagedRestart, WithoutDamageItOpens) { EXPECT_THAT(harness_.Open(), IsOk()); }

TEST_F(DamagedRestart, AMissingLabelIsDataLoss) {
  test::StoreSurgery(harness_.path()).Delete(Family::kLabels, schema::Key(LabelId{1}));
  EXPECT_THAT(harness_.Open(), StatusIs(kDataLoss, "label 2 is stored where label 1"));
}

TEST_F(DamagedRestart, AMissingColourIsDataLoss) {
  test::StoreSurgery(harness_.path()).Delete(Family::kColours, schema::Key(ColourId{1}));
  EXPECT_THAT(harness_.Open(), StatusIs(kDataLoss, "colour 2 is stored where colour 1"));
}

TEST_F(DamagedRestart, AMissingLastColourIsDataLoss) {
  // Level 0: C, O, then N; level 1: four in all.
  test::StoreSurgery(harness_.path()).Delete(Family::kColours, schema::Key(ColourId{6}));
  EXPECT_THAT(harness_.Open(),
              StatusIs(kDataLoss, "4 labels and 6 colours where the last commit left 4 and 7"));
}

TEST_F(DamagedRestart, AMissingColourThatNobodyCountedIsDataLossAtTheGraphThatWearsIt) {
  {
    test::StoreSurgery surgery(harness_.path());
    Totals totals = test::Must(DecodeTotals(surgery.Get(Family::kMeta, schema::kMetaTotals)));
    --totals.colours;
    surgery.Put(Family::kMeta, schema::kMetaTotals, EncodeTotals(totals));
    surgery.Delete(Family::kColours, schema::Key(ColourId{6}));
  }
  EXPECT_THAT(harness_.Open(), StatusIs(kDataLoss, "graph 2: wears colour 6"));
}

TEST_F(DamagedRestart, AMissingRowOfAnyFamilyIsDataLoss) {
  const std::string key = schema::Key(GraphId{1});
  const std::vector<std::pair<Family, std::string>> rows{{Family::kGraphs, key}, {Family::kHistograms, key}};
  for (const auto& [family, row] : rows) {
    const std::string intact = test::StoreSurgery(harness_.path()).Get(family, row);
    test::StoreSurgery(harness_.path()).Delete(family, row);
    EXPECT_THAT(harness_.Open(), StatusIs(kDataLoss, "store: "));
    test::StoreSurgery(harness_.path()).Put(family, row, intact);
  }
  EXPECT_THAT(harness_.Open(), IsOk());
}

TEST_F(DamagedRestart, AnIdThatTwoGraphsHaveIsDataLoss) {
  {
    test::StoreSurgery surgery(harness_.path());
    StoredHistogram b =
        test::Must(DecodeHistogram(surgery.Get(Family::kHistograms, schema::Key(GraphId{2})), 1));
    surgery.Put(Family::kHistograms, schema::Key(GraphId{2}), EncodeHistogram("a", b.histogram));
  }
  EXPECT_THAT(harness_.Open(), StatusIs(kDataLoss, "store: graphs 1 and 2 both have the id 'a'"));
}

TEST_F(DamagedRestart, ADamagedSignatureIsDataLoss) {
  test::StoreSurgery(harness_.path())
      .Put(Family::kColours, schema::Key(ColourId{2}), test::StoreSurgery::ColourRow("\x01"));
  EXPECT_THAT(harness_.Open(), StatusIs(kDataLoss, "signature"));
}

TEST_F(DamagedRestart, ARowOfColoursThatEndsEarlyIsDataLoss) {
  test::StoreSurgery(harness_.path()).Put(Family::kColours, schema::Key(ColourId{2}), "\x02\x01");
  EXPECT_THAT(harness_.Open(), StatusIs(kDataLoss, "row of colour 2 does not decode at colour 2"));
}

TEST_F(DamagedRestart, AnEmptyRowOfColoursIsDataLoss) {
  test::StoreSurgery(harness_.path()).Put(Family::kColours, schema::Key(ColourId{2}), "");
  EXPECT_THAT(harness_.Open(), StatusIs(kDataLoss, "colour 3 is stored where colour 2"));
}

TEST_F(DamagedRestart, ADamagedHistogramIsDataLossThatNamesTheGraph) {
  test::StoreSurgery(harness_.path()).Put(Family::kHistograms, schema::Key(GraphId{1}), "\x01 rubbish");
  EXPECT_THAT(harness_.Open(), StatusIs(kDataLoss, "graph 1: "));
}

TEST_F(DamagedRestart, AHistogramWithAColourOfAnotherLevelIsDataLoss) {
  const auto histogram = Histogram::FromLevels(2, {{{ColourId{0}, 2}}, {{ColourId{1}, 2}}});
  test::StoreSurgery(harness_.path())
      .Put(Family::kHistograms, schema::Key(GraphId{2}), EncodeHistogram("b", *histogram));
  EXPECT_THAT(harness_.Open(), StatusIs(kDataLoss, "graph 2: wears colour 1 at level 1"));
}

TEST_F(DamagedRestart, AGraphBeyondTheLastCommitIsDataLoss) {
  std::string sequence;
  AppendFixed64(sequence, 1);
  test::StoreSurgery(harness_.path()).Put(Family::kMeta, schema::kMetaSequence, sequence);
  EngineOptions options;
  options.store.accept_loss = true;  // The witness says 2.
  EXPECT_THAT(Engine::Open(test::Must(DataDirectory::Open(harness_.path())), options),
              StatusIs(kDataLoss, "graph 2 lies beyond the last commit, 1"));
}

}  // namespace
}  // namespace kindred
