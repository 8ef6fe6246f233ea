// Verify: an intact index has no findings; a fault of each kind is found, at its family and key.

#include "index/engine/verify.h"

#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"
#include "tests/support/store_surgery.h"
#include "tests/support/stored_graphs.h"
#include "tests/support/workload.h"

namespace kindred {

void PrintTo(const Finding& finding, std::ostream* out) {
  *out << finding.family << " '" << finding.key << "': " << finding.what;
}

namespace {

using schema::Family;
using test::EngineHarness;
using test::Path;
using test::StoreSurgery;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Snapshot WithSegments(Snapshot snapshot, std::vector<SegmentView> segments) {
  snapshot.segments = std::move(segments);
  return snapshot;
}

VerifyReport RunToEnd(Verifier& verifier) {
  while (verifier.Step()) {
  }
  return verifier.report();
}

MATCHER_P3(FindingOf, family, key, part, "") {
  return arg.family == family && arg.key == key && arg.what.find(part) != std::string::npos;
}

// Two graphs, C-O and C-N, closed. Labels C, O, "", N; seven colours.
class VerifyDamaged : public ::testing::Test {
 protected:
  VerifyDamaged() {
    harness_.Put("a", Path("CO"));
    harness_.Put("b", Path("CN"));
    harness_.Close();
    surgery().SplitColourRows();
  }

  StoreSurgery surgery() { return StoreSurgery(harness_.path()); }

  std::vector<Finding> Findings() {
    const auto store = test::Must(Store::Open(test::Must(DataDirectory::Open(harness_.path())), {}));
    Executor executor(2, 10);
    Verifier verifier(Snapshot{{}, {}, store->view()}, executor);
    return RunToEnd(verifier).findings;
  }

  EngineHarness harness_{test::OptionsOf(1, 1)};
};

TEST_F(VerifyDamaged, WithoutDamageFindsNothing) { EXPECT_THAT(Findings(), IsEmpty()); }

TEST_F(VerifyDamaged, FindsAMissingLabel) {
  surgery().Delete(Family::kLabels, schema::Key(LabelId{1}));
  EXPECT_THAT(Findings(), Contains(FindingOf("labels", "2", "label 2 is stored where label 1")));
}

TEST_F(VerifyDamaged, FindsAMissingColour) {
  surgery().Delete(Family::kColours, schema::Key(ColourId{3}));
  EXPECT_THAT(Findings(), Contains(FindingOf("colours", "4", "colour 4 is stored where colour 3")));
}

TEST_F(VerifyDamaged, FindsAMissingLastColour) {
  surgery().Delete(Family::kColours, schema::Key(ColourId{6}));
  EXPECT_THAT(Findings(), Contains(FindingOf("meta", "totals", "6 colours")));
  EXPECT_THAT(Findings(), Contains(FindingOf("histograms", "2", "level 1")));
}

TEST_F(VerifyDamaged, FindsASignatureThatStandsTwice) {
  const std::string first = surgery().Get(Family::kColours, schema::Key(ColourId{0}));
  surgery().Put(Family::kColours, schema::Key(ColourId{1}), first);
  EXPECT_THAT(Findings(), Contains(FindingOf("colours", "1", "")));
}

TEST_F(VerifyDamaged, FindsAParentThatDoesNotExistOrIsOfAnotherLevel) {
  surgery().Put(Family::kColours, schema::Key(ColourId{2}), StoreSurgery::ColourRow("\x01\x63"));
  EXPECT_THAT(Findings(), Contains(FindingOf("colours", "2", "")));
  surgery().Put(Family::kColours, schema::Key(ColourId{2}), StoreSurgery::ColourRow("\x02\x01"));
  EXPECT_THAT(Findings(), Contains(FindingOf("colours", "2", "")));
}

TEST_F(VerifyDamaged, FindsAGraphThatDoesNotDecode) {
  surgery().Put(Family::kGraphs, schema::Key(GraphId{1}), "rubbish");
  EXPECT_THAT(Findings(), Contains(FindingOf("graphs", "1", "version")));
}

TEST_F(VerifyDamaged, FindsAMissingGraph) {
  surgery().Delete(Family::kGraphs, schema::Key(GraphId{1}));
  const auto findings = Findings();
  EXPECT_THAT(findings, Contains(FindingOf("histograms", "1", "not stored")));
  EXPECT_THAT(findings,
              Contains(FindingOf("meta", "totals", "1 graphs are stored where the last commit left 2")));
}

TEST_F(VerifyDamaged, FindsAMissingOrDamagedHistogram) {
  surgery().Delete(Family::kHistograms, schema::Key(GraphId{2}));
  EXPECT_THAT(Findings(), Contains(FindingOf("histograms", "2", "no histogram")));
  surgery().Put(Family::kHistograms, schema::Key(GraphId{2}), "\x01 rubbish");
  EXPECT_THAT(Findings(), Contains(FindingOf("histograms", "2", "histogram")));
}

TEST_F(VerifyDamaged, FindsTheHistogramOfAnotherGraph) {
  const std::string other = surgery().Get(Family::kHistograms, schema::Key(GraphId{1}));
  surgery().Put(Family::kHistograms, schema::Key(GraphId{2}), other);
  const auto findings = Findings();
  EXPECT_THAT(findings, Contains(FindingOf("histograms", "2", "has the external id 'a', its graph 'b'")));
  EXPECT_THAT(findings, Contains(FindingOf("histograms", "2", "they differ at level 0")));
}

TEST_F(VerifyDamaged, FindsAnIdThatTwoGraphsHave) {
  StoredRecord b = test::Must(DecodeRecord(surgery().Get(Family::kGraphs, schema::Key(GraphId{2}))));
  b.external_id = "a";
  surgery().Put(Family::kGraphs, schema::Key(GraphId{2}), EncodeRecord(b));
  const auto findings = Findings();
  EXPECT_THAT(findings, Contains(FindingOf("graphs", "2", "has the id 'a', as graph 1 has")));
  EXPECT_THAT(findings, Contains(FindingOf("histograms", "2", "has the external id 'b', its graph 'a'")));
}

TEST_F(VerifyDamaged, FindsAGraphBeyondTheLastCommit) {
  const std::string record = surgery().Get(Family::kGraphs, schema::Key(GraphId{2}));
  surgery().Put(Family::kGraphs, schema::Key(GraphId{7}), record);
  EXPECT_THAT(Findings(), Contains(FindingOf("graphs", "7", "lies beyond the last commit, 2")));
}

TEST_F(VerifyDamaged, FindsAKeyOfTheWrongLength) {
  surgery().Put(Family::kGraphs, std::string("\0\0\0\0\0\0\0\1x", 9), "");
  EXPECT_THAT(Findings(), Contains(FindingOf("graphs", std::string("\0\0\0\0\0\0\0\1x", 9), "length")));
}

TEST(Verify, OfARunningIndexFindsNothingAndReadsItsListsBack) {
  EngineHarness harness(test::OptionsOf(2, 2));
  for (const auto& group : test::Workload(131, 60)) {
    harness.Write(group);
  }
  test::Rng rng(137);
  for (int i = 0; i < 40; ++i) {
    harness.Put("n" + std::to_string(i), test::RandomGraph(rng));
  }
  // Too large for a block.
  harness.Put("large", Path(std::string(70'000, 'C')));
  const auto snapshot = harness.Newest();
  Verifier verifier(*snapshot, harness.engine().executor());
  const VerifyReport report = RunToEnd(verifier);
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_EQ(report.graphs, snapshot->graph_count());
  EXPECT_EQ(report.listed, snapshot->graph_count());
  EXPECT_EQ(report.sequence, snapshot->sequence);
}

TEST(Verify, FindsAListThatSaysOtherThanTheStore) {
  EngineHarness harness(test::OptionsOf(1, 1));
  harness.Put("a", Path("CO"));
  harness.Put("b", Path("CN"));
  const auto snapshot = harness.Newest();
  // The lists of C-O under the ids of both.
  const Histogram histogram = test::Must(snapshot->store->ReadHistogram(GraphId{1})).histogram;
  const std::vector<test::StoredGraph> wrong{{GraphId{1}, "a", histogram}, {GraphId{2}, "b", histogram}};
  const SegmentView view{test::BuildSegment(wrong, Ordering::kBySize), nullptr};
  Verifier verifier(WithSegments(*snapshot, {view}), harness.engine().executor());
  const VerifyReport report = RunToEnd(verifier);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_THAT(report.findings.front(), FindingOf("lists", "2", "other colours"));
}

TEST(Verify, FindsTagsThatAreNotThoseOfTheStore) {
  EngineHarness harness(test::OptionsOf(1, 1));
  Mutation put = test::PutOf("a", Path("CO"));
  (*put.record)->tags = {{"x", "y"}, {"z", ""}};
  harness.Write({put});
  const auto snapshot = harness.Newest();
  const auto findings_with = [&](const Tags& tags) {
    PlainSegmentBuilder builder;
    const Segment& listed = *snapshot->segments.front().segment;
    builder.Add(GraphId{1}, "a", 2, listed.plain().packed(0));
    builder.AddTags(tags);
    Verifier verifier(WithSegments(*snapshot, {{std::move(builder).Build(), nullptr}}),
                      harness.engine().executor());
    return RunToEnd(verifier).findings;
  };
  EXPECT_THAT(findings_with({{"z", ""}, {"x", "y"}}), IsEmpty());
  EXPECT_THAT(findings_with({{"x", "y"}}), Contains(FindingOf("lists", "1", "lacks its tag 'z' = ''")));
  EXPECT_THAT(findings_with({{"x", "other"}, {"z", ""}}),
              Contains(FindingOf("lists", "1", "lacks its tag 'x' = 'y'")));
  EXPECT_THAT(findings_with({{"x", "y"}, {"z", ""}, {"more", ""}}),
              Contains(FindingOf("lists", "", "hold 3 tags, the store 2")));
}

TEST(Verify, FindsAGraphThatIsNotListed) {
  EngineHarness harness(test::OptionsOf(1, 1));
  harness.Put("a", Path("CO"));
  harness.Put("b", Path("CN"));
  const auto snapshot = harness.Newest();
  std::vector<SegmentView> segments = snapshot->segments;
  test::HideGraph(segments.back(), GraphId{2});
  Verifier verifier(WithSegments(*snapshot, segments), harness.engine().executor());
  const auto findings = RunToEnd(verifier).findings;
  EXPECT_THAT(findings, Contains(FindingOf("lists", "", "hold 1 graphs, the store 2")));
  EXPECT_THAT(findings, Contains(FindingOf("lists", "2", "is not found by its id 'b'")));
}

TEST(Verify, FindsAnIndexOfIdsThatLacksOne) {
  EngineHarness harness(test::OptionsOf(1, 1));
  harness.Put("a", Path("CO"));
  Snapshot snapshot = *harness.Newest();
  snapshot.ids = {};
  Verifier verifier(snapshot, harness.engine().executor());
  EXPECT_THAT(RunToEnd(verifier).findings, Contains(FindingOf("lists", "1", "is not found by its id 'a'")));
}

}  // namespace
}  // namespace kindred
