// Segment: graphs in order, a list for each colour, graphs found by id; LiveMask beside it.

#include "index/lists/segment.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/lists/live_mask.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"

namespace kindred {
namespace {

using PairList = std::vector<std::pair<uint32_t, uint32_t>>;

PairList ListOf(const Segment& segment, ColourId colour) {
  PairList list;
  for (const Posting& posting : segment.list(colour)) {
    list.emplace_back(posting.graph, posting.count);
  }
  return list;
}

Histogram OneLevel(const std::vector<Histogram::Entry>& entries) {
  uint32_t vertices = 0;
  for (const Histogram::Entry& entry : entries) {
    vertices += entry.count;
  }
  return *Histogram::FromLevels(vertices, {entries});
}

TEST(Segment, KeepsGraphsInTheOrderOfTheirIds) {
  SegmentBuilder builder;
  builder.Add(GraphId{3}, "first", OneLevel({{ColourId{0}, 2}}));
  builder.Add(GraphId{7}, "", OneLevel({{ColourId{0}, 1}, {ColourId{2}, 4}}));
  builder.Add(GraphId{uint64_t{1} << 40}, std::string("\0\xff", 2), OneLevel({{ColourId{2}, 9}}));
  EXPECT_EQ(builder.size(), 3u);
  const auto segment = std::move(builder).Build();
  ASSERT_EQ(segment->size(), 3u);
  EXPECT_EQ(segment->graph_id(0), GraphId{3});
  EXPECT_EQ(segment->graph_id(2), GraphId{uint64_t{1} << 40});
  EXPECT_EQ(segment->external_id(0), "first");
  EXPECT_EQ(segment->external_id(1), "");
  EXPECT_EQ(segment->external_id(2), std::string("\0\xff", 2));
  EXPECT_EQ(segment->vertex_count(0), 2u);
  EXPECT_EQ(segment->vertex_count(1), 5u);
  EXPECT_EQ(segment->vertex_count(2), 9u);
}

TEST(Segment, ListsEveryGraphThatWearsAColour) {
  SegmentBuilder builder;
  builder.Add(GraphId{1}, "a", OneLevel({{ColourId{0}, 2}, {ColourId{5}, 1}}));
  builder.Add(GraphId{2}, "b", OneLevel({{ColourId{5}, 7}}));
  builder.Add(GraphId{3}, "c", OneLevel({{ColourId{0}, 3}, {ColourId{9}, 1}}));
  const auto segment = std::move(builder).Build();
  EXPECT_EQ(ListOf(*segment, ColourId{0}), (PairList{{0, 2}, {2, 3}}));
  EXPECT_EQ(ListOf(*segment, ColourId{5}), (PairList{{0, 1}, {1, 7}}));
  EXPECT_EQ(ListOf(*segment, ColourId{9}), (PairList{{2, 1}}));
  EXPECT_EQ(segment->posting_count(), 5u);
}

TEST(Segment, AColourNobodyWearsHasAnEmptyList) {
  SegmentBuilder builder;
  builder.Add(GraphId{1}, "a", OneLevel({{ColourId{4}, 2}, {ColourId{6}, 1}}));
  const auto segment = std::move(builder).Build();
  for (const uint32_t colour : {0u, 3u, 5u, 7u, Raw(kUnknownColour)}) {
    EXPECT_TRUE(segment->list(ColourId{colour}).empty()) << colour;
  }
}

TEST(Segment, WithoutGraphsItIsEmptyAndAnswers) {
  const auto segment = SegmentBuilder().Build();
  EXPECT_EQ(segment->size(), 0u);
  EXPECT_EQ(segment->posting_count(), 0u);
  EXPECT_TRUE(segment->list(ColourId{0}).empty());
  EXPECT_EQ(segment->Find(GraphId{0}), std::nullopt);
}

TEST(Segment, FindsAGraphByItsIdAndNoOther) {
  SegmentBuilder builder;
  for (const uint64_t id : {2u, 5u, 6u, 11u}) {
    builder.Add(GraphId{id}, std::to_string(id), OneLevel({{ColourId{0}, 1}}));
  }
  const auto segment = std::move(builder).Build();
  EXPECT_EQ(segment->Find(GraphId{2}), 0u);
  EXPECT_EQ(segment->Find(GraphId{5}), 1u);
  EXPECT_EQ(segment->Find(GraphId{6}), 2u);
  EXPECT_EQ(segment->Find(GraphId{11}), 3u);
  for (const uint64_t id : {0u, 1u, 3u, 4u, 7u, 10u, 12u}) {
    EXPECT_EQ(segment->Find(GraphId{id}), std::nullopt) << id;
  }
}

TEST(Segment, HoldsExactlyTheEntriesOfItsHistograms) {
  constexpr uint64_t kSeed = 19;
  constexpr Level kDepth = 3;
  test::Rng rng(kSeed);
  ColourHierarchy hierarchy;
  SegmentBuilder builder;
  std::map<ColourId, PairList> expected;
  for (uint32_t graph = 0; graph < 200; ++graph) {
    const Histogram histogram = test::GrowHistogram(hierarchy, test::RandomGraph(rng), kDepth);
    builder.Add(GraphId{graph + 1}, "g" + std::to_string(graph), histogram);
    for (const Histogram::Entry& entry : histogram.entries()) {
      expected[entry.colour].emplace_back(graph, entry.count);
    }
  }
  const auto segment = std::move(builder).Build();
  uint64_t postings = 0;
  for (uint32_t colour = 0; colour < hierarchy.colour_count(); ++colour) {
    ASSERT_EQ(ListOf(*segment, ColourId{colour}), expected[ColourId{colour}]) << "seed " << kSeed;
    postings += expected[ColourId{colour}].size();
  }
  EXPECT_EQ(segment->posting_count(), postings);
  EXPECT_GE(segment->memory_bytes(), postings * sizeof(Posting));
}

class LiveMaskSizes : public ::testing::TestWithParam<uint32_t> {};

TEST_P(LiveMaskSizes, ClearHidesOneGraphAndNoOther) {
  const uint32_t size = GetParam();
  for (uint32_t hidden = 0; hidden < size; ++hidden) {
    LiveMask mask(size);
    ASSERT_EQ(mask.count(), size);
    mask.Clear(hidden);
    ASSERT_EQ(mask.count(), size - 1);
    for (uint32_t graph = 0; graph < size; ++graph) {
      ASSERT_EQ(mask.Test(graph), graph != hidden);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AroundAWord, LiveMaskSizes, ::testing::Values(1, 63, 64, 65, 128, 130));

TEST(LiveMask, AViewWithoutAMaskShowsEverything) {
  SegmentBuilder builder;
  builder.Add(GraphId{1}, "a", OneLevel({{ColourId{0}, 1}}));
  builder.Add(GraphId{2}, "b", OneLevel({{ColourId{0}, 1}}));
  SegmentView view{std::move(builder).Build(), nullptr};
  EXPECT_TRUE(view.is_live(1));
  EXPECT_EQ(view.live_count(), 2u);
  auto mask = std::make_shared<LiveMask>(2);
  mask->Clear(1);
  view.live = mask;
  EXPECT_TRUE(view.is_live(0));
  EXPECT_FALSE(view.is_live(1));
  EXPECT_EQ(view.live_count(), 1u);
}

}  // namespace
}  // namespace kindred
