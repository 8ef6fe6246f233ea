// Segment: holds exactly the graphs that were added, in blocks or, when too large for one, in lists; a
// LiveMask beside it hides some.

#include "index/lists/segment.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/segment_builder.h"
#include "tests/support/segment_contents.h"
#include "tests/support/stored_graphs.h"

namespace kindred {
namespace {

using test::ContentsOf;
using test::OneLevelHistogram;

constexpr Ordering kOrderings[] = {Ordering::kBySize, Ordering::kBySimilarity};

const char* NameOf(Ordering ordering) { return ordering == Ordering::kBySize ? "by size" : "by similarity"; }

void ExpectHoldsExactly(const std::vector<test::StoredGraph>& graphs) {
  for (const Ordering ordering : kOrderings) {
    SCOPED_TRACE(NameOf(ordering));
    const SegmentView view{test::BuildSegment(graphs, ordering), nullptr};
    EXPECT_EQ(view.segment->size(), graphs.size());
    EXPECT_EQ(ContentsOf(view), ContentsOf(graphs));
  }
}

TEST(Segment, WithoutGraphsItIsEmptyAndAnswers) {
  for (const Ordering ordering : kOrderings) {
    const auto segment = test::SegmentBuilder().Build(ordering);
    EXPECT_EQ(segment->size(), 0u);
    EXPECT_EQ(segment->posting_count(), 0u);
    EXPECT_EQ(segment->blocks().block_count(), 0u);
    EXPECT_EQ(segment->blocks().group_count(), 0u);
    EXPECT_EQ(segment->blocks().shelf_count(), 0u);
    EXPECT_EQ(segment->first_outsize_slot(), 0u);
    EXPECT_EQ(segment->graphs().Find(GraphId{0}), std::nullopt);
    EXPECT_EQ(segment->blocks().features().Find(0, ColourId{0}), FeatureRange{});
    EXPECT_TRUE(segment->outsize().list(ColourId{0}).empty());
  }
}

TEST(Segment, KeepsWhatItWasGivenOfEachGraph) {
  const std::vector<test::StoredGraph> graphs{
      {GraphId{7}, "", OneLevelHistogram({{ColourId{0}, 1}, {ColourId{2}, 4}})},
      {GraphId{3}, "first", OneLevelHistogram({{ColourId{0}, 2}})},
      {GraphId{uint64_t{1} << 31}, std::string("\0\xff", 2), OneLevelHistogram({{ColourId{2}, 9}})}};
  const auto segment = test::BuildSegment(graphs, Ordering::kBySize);
  for (const test::StoredGraph& graph : graphs) {
    const auto slot = segment->graphs().Find(graph.id);
    ASSERT_TRUE(slot.has_value());
    EXPECT_EQ(segment->graphs().external_id(*slot), graph.external_id);
    EXPECT_EQ(segment->graphs().vertex_count(*slot), graph.histogram.vertex_count());
  }
  ExpectHoldsExactly(graphs);
}

TEST(Segment, BySizeSmallerGraphsStandFirst) {
  test::StoredGraphs random(5, 1);
  random.AddMoleculeLike(100);
  const auto segment = test::BuildSegment(random.graphs(), Ordering::kBySize);
  uint32_t before = 0;
  for (uint32_t slot = 0; slot < segment->size(); ++slot) {
    EXPECT_GE(segment->graphs().vertex_count(slot), before);
    before = segment->graphs().vertex_count(slot);
  }
}

// Seeds, each with a random number of graphs of depth seed % 4, in a random order.
class SegmentRandom : public ::testing::TestWithParam<uint64_t> {};

TEST_P(SegmentRandom, HoldsExactlyWhatWasAdded) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  test::StoredGraphs random(GetParam(), static_cast<Level>(GetParam() % 4));
  random.AddTiny(test::Below(random.rng(), 101));
  random.AddMoleculeLike(test::Below(random.rng(), 101));
  std::vector<test::StoredGraph> graphs;
  for (const uint32_t i :
       test::RandomPermutation(random.rng(), static_cast<uint32_t>(random.graphs().size()))) {
    graphs.push_back(random.graphs()[i]);
  }
  ExpectHoldsExactly(graphs);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SegmentRandom, ::testing::Range<uint64_t>(0, 40));

TEST(Segment, HoldsThousandsInSeveralShelvesWithFrequentFeatures) {
  constexpr uint64_t kSeed = 19;
  SCOPED_TRACE("seed 19");
  test::StoredGraphs random(kSeed, 3);
  random.AddMoleculeLike(4200);
  for (const Ordering ordering : kOrderings) {
    SCOPED_TRACE(NameOf(ordering));
    const SegmentView view{test::BuildSegment(random.graphs(), ordering), nullptr};
    const BlockIndex& blocks = view.segment->blocks();
    EXPECT_EQ(blocks.block_count(), 263u);
    EXPECT_EQ(blocks.group_count(), 17u);
    EXPECT_EQ(blocks.shelf_count(), 2u);
    EXPECT_GT(blocks.frequent_count(), 64u);
    EXPECT_GT(blocks.features().size(), 2 * blocks.frequent_count());
    for (Level level = 0; level <= 3; ++level) {
      EXPECT_GT(blocks.row_words_at(level).size(), 0u) << "level " << int{level};
    }
    EXPECT_EQ(ContentsOf(view), ContentsOf(random.graphs()));
    EXPECT_GE(view.segment->memory_bytes(), view.segment->posting_count() * sizeof(uint16_t));
  }
}

// `count` vertices in as many colours as it takes for none to be worn more than 255 times.
Histogram Spread(uint32_t vertices) {
  std::vector<Histogram::Entry> entries;
  for (uint32_t colour = 0; vertices > 0; ++colour) {
    entries.push_back({ColourId{colour}, std::min(vertices, kBlockCountMax)});
    vertices -= entries.back().count;
  }
  return OneLevelHistogram(entries);
}

bool IsOutsize(const Histogram& histogram) {
  std::string packed;
  AppendPacked(packed, histogram);
  return Outsize(histogram.vertex_count(), packed);
}

TEST(Segment, AGraphIsOutsizeByItsVerticesOrByTheCountOfAColour) {
  EXPECT_FALSE(IsOutsize(OneLevelHistogram({{ColourId{0}, 255}})));
  EXPECT_TRUE(IsOutsize(OneLevelHistogram({{ColourId{0}, 256}})));
  EXPECT_FALSE(IsOutsize(Spread(4095)));
  EXPECT_TRUE(IsOutsize(Spread(4096)));
  // At any level.
  const std::vector<std::vector<Histogram::Entry>> deep{{{ColourId{0}, 100}, {ColourId{1}, 156}},
                                                        {{ColourId{2}, 256}}};
  EXPECT_TRUE(IsOutsize(*Histogram::FromLevels(256, deep)));
}

TEST(Segment, HoldsOutsizeGraphsBesideBlocks) {
  const std::vector<test::StoredGraph> graphs{
      {GraphId{1}, "256 of one", OneLevelHistogram({{ColourId{0}, 256}, {ColourId{7}, 1}})},
      {GraphId{2}, "255 of one", OneLevelHistogram({{ColourId{0}, 255}, {ColourId{7}, 1}})},
      {GraphId{3}, "4096", Spread(4096)},
      {GraphId{4}, "4095", Spread(4095)},
      {GraphId{5}, "70000", OneLevelHistogram({{ColourId{9}, 70'000}})},
      {GraphId{6}, "1", Spread(1)}};
  for (const Ordering ordering : kOrderings) {
    const auto segment = test::BuildSegment(graphs, ordering);
    EXPECT_EQ(segment->blocks().block_count(), 1u);
    EXPECT_EQ(segment->outsize().graph_count(), 3u);
    EXPECT_EQ(segment->first_outsize_slot(), 16u);
    EXPECT_EQ(segment->graphs().slot_count(), 19u);
  }
  ExpectHoldsExactly(graphs);
  ExpectHoldsExactly({graphs[0], graphs[2]});  // Outsize ones alone.
}

class LiveMaskSizes : public ::testing::TestWithParam<uint32_t> {};

TEST_P(LiveMaskSizes, HideHidesOneSlotAndNoOther) {
  const uint32_t size = GetParam();
  for (uint32_t hidden = 0; hidden < size; ++hidden) {
    LiveMask mask(size);
    ASSERT_EQ(mask.hidden_count(), 0u);
    mask.Hide(hidden);
    ASSERT_EQ(mask.hidden_count(), 1u);
    for (uint32_t slot = 0; slot < size; ++slot) {
      ASSERT_EQ(mask.Test(slot), slot != hidden);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AroundAWord, LiveMaskSizes, ::testing::Values(1, 63, 64, 65, 128, 130));

TEST(LiveMask, AViewShowsWhatIsNotHiddenAndNoEmptySlot) {
  const std::vector<test::StoredGraph> graphs{{GraphId{1}, "a", OneLevelHistogram({{ColourId{0}, 1}})},
                                              {GraphId{2}, "b", OneLevelHistogram({{ColourId{0}, 1}})},
                                              {GraphId{3}, "big", OneLevelHistogram({{ColourId{0}, 300}})}};
  SegmentView view{test::BuildSegment(graphs, Ordering::kBySize), nullptr};
  EXPECT_EQ(view.live_count(), 3u);
  for (uint32_t slot = 0; slot < view.segment->graphs().slot_count(); ++slot) {
    EXPECT_EQ(view.is_live(slot), slot < 2 || slot == 16) << slot;
  }
  test::HideGraph(view, GraphId{2});
  test::HideGraph(view, GraphId{3});
  EXPECT_EQ(view.live_count(), 1u);
  for (uint32_t slot = 0; slot < view.segment->graphs().slot_count(); ++slot) {
    EXPECT_EQ(view.is_live(slot), slot == 0) << slot;
  }
  EXPECT_EQ(ContentsOf(view), ContentsOf(std::span(graphs).first(1)));
}

}  // namespace
}  // namespace kindred
