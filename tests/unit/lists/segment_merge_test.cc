// MergeSegments: the same graphs as in a segment built from the live ones alone.

#include <algorithm>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/lists/segment.h"
#include "tests/support/segment_builder.h"
#include "tests/support/segment_contents.h"
#include "tests/support/stored_graphs.h"

namespace kindred {
namespace {

using test::ContentsOf;
using test::StoredGraph;

// Some segments with graphs hidden in them, and the graphs that are not.
struct Parts {
  std::vector<SegmentView> views;
  std::vector<StoredGraph> live;
};

// Cuts `graphs` into parts of fewer than `part_size_max`, some of them empty, and hides that share of them.
Parts Cut(test::Rng& rng, std::span<const StoredGraph> graphs, size_t part_size_max,
          uint64_t hidden_percent) {
  Parts parts;
  while (!graphs.empty()) {
    const auto part = graphs.first(std::min<size_t>(graphs.size(), test::Below(rng, part_size_max)));
    graphs = graphs.subspan(part.size());
    const Ordering ordering = test::Below(rng, 2) == 0 ? Ordering::kBySize : Ordering::kBySimilarity;
    SegmentView& view = parts.views.emplace_back(SegmentView{test::BuildSegment(part, ordering), nullptr});
    for (const StoredGraph& graph : part) {
      if (test::Below(rng, 100) < hidden_percent) {
        test::HideGraph(view, graph.id);
      } else {
        parts.live.push_back(graph);
      }
    }
  }
  return parts;
}

// At once, in both orderings, and step by step.
void ExpectMergeEqualsLive(const Parts& parts) {
  const test::SegmentContents expected = ContentsOf(parts.live);
  for (const Ordering ordering : {Ordering::kBySize, Ordering::kBySimilarity}) {
    const SegmentView merged{MergeSegments(parts.views, ordering), nullptr};
    EXPECT_EQ(ContentsOf(merged), expected);
  }
  SegmentView merged{test::SegmentBuilder().Build(Ordering::kBySize), nullptr};
  for (const SegmentView& part : parts.views) {
    const std::vector<SegmentView> two{merged, part};
    merged = {MergeSegments(two, Ordering::kBySimilarity), nullptr};
  }
  EXPECT_EQ(ContentsOf(merged), expected);
}

TEST(MergeSegments, NothingAndEmptyPartsMakeAnEmptySegment) {
  const auto empty = test::SegmentBuilder().Build(Ordering::kBySize);
  const std::vector<SegmentView> parts{{empty, nullptr}, {empty, nullptr}};
  for (const Ordering ordering : {Ordering::kBySize, Ordering::kBySimilarity}) {
    EXPECT_EQ(MergeSegments({}, ordering)->size(), 0u);
    EXPECT_EQ(MergeSegments(parts, ordering)->size(), 0u);
    EXPECT_EQ(MergeSegments(parts, ordering)->posting_count(), 0u);
  }
}

TEST(MergeSegments, AllHiddenMakesAnEmptySegmentWithoutPostings) {
  test::StoredGraphs random(1, 2);
  random.AddTiny(40);
  random.Add(test::Isolated(std::string(300, 'C')));  // Outsize.
  const Parts parts = Cut(random.rng(), random.graphs(), 30, 100);
  ASSERT_TRUE(parts.live.empty());
  const SegmentView merged{MergeSegments(parts.views, Ordering::kBySimilarity), nullptr};
  EXPECT_EQ(merged.segment->size(), 0u);
  EXPECT_EQ(merged.segment->posting_count(), 0u);
  EXPECT_EQ(merged.segment->blocks().block_count(), 0u);
  EXPECT_EQ(merged.segment->outsize().graph_count(), 0u);
  EXPECT_TRUE(ContentsOf(merged).empty());
  ExpectMergeEqualsLive(parts);
}

TEST(MergeSegments, OutsizeGraphsStayOutsizeAndHiddenOnesGo) {
  test::StoredGraphs random(2, 1);
  random.Add(test::Isolated(std::string(256, 'C')));
  random.Add(test::Isolated(std::string(255, 'C')));
  random.Add(test::Isolated(std::string(5000, 'N')));
  random.AddTiny(3);
  random.Add(test::Isolated(std::string(400, 'N') + std::string(400, 'C')));
  const std::span<const StoredGraph> graphs = random.graphs();
  Parts parts;
  for (const auto part : {graphs.first(3), graphs.subspan(3)}) {
    parts.views.push_back({test::BuildSegment(part, Ordering::kBySize), nullptr});
  }
  test::HideGraph(parts.views[0], graphs[2].id);
  parts.live.assign(graphs.begin(), graphs.end());
  parts.live.erase(parts.live.begin() + 2);
  EXPECT_EQ(MergeSegments(parts.views, Ordering::kBySize)->outsize().graph_count(), 2u);
  ExpectMergeEqualsLive(parts);
}

TEST(MergeSegments, AMergedSegmentMayBeHiddenFromAndMergedAgain) {
  test::StoredGraphs random(3, 3);
  random.AddTiny(100);
  Parts parts = Cut(random.rng(), random.graphs(), 40, 20);
  SegmentView merged{MergeSegments(parts.views, Ordering::kBySimilarity), nullptr};
  for (int i = 0; i < 10; ++i) {
    test::HideGraph(merged, parts.live.back().id);
    parts.live.pop_back();
  }
  EXPECT_EQ(ContentsOf(merged), ContentsOf(parts.live));
  parts.views = {merged};
  ExpectMergeEqualsLive(parts);
}

// Seeds, each with a random number of parts of depth seed % 4 and a share of their graphs hidden.
class MergeRandom : public ::testing::TestWithParam<uint64_t> {};

TEST_P(MergeRandom, EqualsBuildingFromTheLiveGraphs) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  test::StoredGraphs random(GetParam(), static_cast<Level>(GetParam() % 4));
  random.AddTiny(test::Below(random.rng(), 100));
  random.AddMoleculeLike(1 + test::Below(random.rng(), 100));
  ExpectMergeEqualsLive(Cut(random.rng(), random.graphs(), 70, test::Below(random.rng(), 4) * 33));
}

INSTANTIATE_TEST_SUITE_P(Seeds, MergeRandom, ::testing::Range<uint64_t>(0, 40));

TEST(MergeSegments, OfThousandsWithFrequentFeaturesEqualsTheLiveGraphs) {
  SCOPED_TRACE("seed 4");
  test::StoredGraphs random(4, 3);
  random.AddMoleculeLike(5000);
  const Parts parts = Cut(random.rng(), random.graphs(), 3000, 10);
  EXPECT_GT(parts.views.size(), 1u);
  EXPECT_TRUE(std::ranges::any_of(parts.views, [](const SegmentView& view) {
    return view.segment->blocks().frequent_count() > 64 && view.segment->blocks().group_count() > 1;
  }));
  EXPECT_GT(MergeSegments(parts.views, Ordering::kBySize)->blocks().shelf_count(), 1u);
  ExpectMergeEqualsLive(parts);
}

TEST(MergeSegments, AColourOnlyHiddenGraphsWoreIsGone) {
  const std::vector<StoredGraph> graphs{
      {GraphId{1}, "a", test::OneLevelHistogram({{ColourId{0}, 1}, {ColourId{1}, 5}})},
      {GraphId{2}, "b", test::OneLevelHistogram({{ColourId{1}, 2}})}};
  SegmentView view{test::BuildSegment(graphs, Ordering::kBySize), nullptr};
  test::HideGraph(view, GraphId{1});
  const std::vector<SegmentView> parts{view};
  const auto merged = MergeSegments(parts, Ordering::kBySize);
  EXPECT_EQ(merged->blocks().features().Find(0, ColourId{0}).size(), 0u);
  EXPECT_EQ(merged->blocks().features().Find(0, ColourId{1}).size(), 2u);
  EXPECT_EQ(ContentsOf({merged, nullptr}), ContentsOf(std::span(graphs).subspan(1)));
}

TEST(MergeSegments, ARequestedStopReturnsNothing) {
  test::StoredGraphs random(6, 2);
  random.AddTiny(50);
  const Parts parts = Cut(random.rng(), random.graphs(), 30, 0);
  std::stop_source stop;
  EXPECT_NE(MergeSegments(parts.views, Ordering::kBySimilarity, stop.get_token()), nullptr);
  stop.request_stop();
  EXPECT_EQ(MergeSegments(parts.views, Ordering::kBySimilarity, stop.get_token()), nullptr);
  EXPECT_EQ(MergeSegments(parts.views, Ordering::kBySize, stop.get_token()), nullptr);
}

}  // namespace
}  // namespace kindred
