// MergeSegments: the same segment as one built from the live graphs alone.

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/lists/segment.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"

namespace kindred {
namespace {

constexpr Level kMergeDepth = 2;

struct Item {
  GraphId id{};
  std::string external_id;
  Histogram histogram;
};

std::vector<Item> RandomItems(test::Rng& rng, ColourHierarchy& hierarchy, size_t count) {
  std::vector<Item> items;
  for (size_t i = 0; i < count; ++i) {
    items.push_back(
        {GraphId{3 * i + 1}, std::string(i % 4, 'x') + std::to_string(i),
         test::GrowHistogram(hierarchy, test::RandomGraph(rng, {.vertices_max = 6}), kMergeDepth)});
  }
  return items;
}

std::shared_ptr<const Segment> Build(std::span<const Item> items) {
  SegmentBuilder builder;
  for (const Item& item : items) {
    builder.Add(item.id, item.external_id, item.histogram);
  }
  return std::move(builder).Build();
}

void ExpectSame(const Segment& a, const Segment& b, uint32_t colours) {
  ASSERT_EQ(a.size(), b.size());
  ASSERT_EQ(a.posting_count(), b.posting_count());
  for (uint32_t graph = 0; graph < a.size(); ++graph) {
    ASSERT_EQ(a.graph_id(graph), b.graph_id(graph));
    ASSERT_EQ(a.external_id(graph), b.external_id(graph));
    ASSERT_EQ(a.vertex_count(graph), b.vertex_count(graph));
    ASSERT_EQ(a.Find(b.graph_id(graph)), graph);
  }
  for (uint32_t colour = 0; colour < colours; ++colour) {
    const auto left = a.list(ColourId{colour});
    const auto right = b.list(ColourId{colour});
    ASSERT_EQ(left.size(), right.size()) << "colour " << colour;
    for (size_t i = 0; i < left.size(); ++i) {
      ASSERT_EQ(left[i].graph, right[i].graph) << "colour " << colour;
      ASSERT_EQ(left[i].count, right[i].count) << "colour " << colour;
    }
  }
}

TEST(MergeSegments, NothingAndEmptyPartsMakeAnEmptySegment) {
  EXPECT_EQ(MergeSegments({})->size(), 0u);
  const std::vector<SegmentView> parts{{Build({}), nullptr}, {Build({}), nullptr}};
  EXPECT_EQ(MergeSegments(parts)->size(), 0u);
  EXPECT_EQ(MergeSegments(parts)->posting_count(), 0u);
}

TEST(MergeSegments, AllHiddenMakesAnEmptySegmentWithoutLists) {
  test::Rng rng(1);
  ColourHierarchy hierarchy;
  const std::vector<Item> items = RandomItems(rng, hierarchy, 3);
  const auto mask = std::make_shared<LiveMask>(3);
  for (uint32_t graph = 0; graph < 3; ++graph) {
    mask->Clear(graph);
  }
  const std::vector<SegmentView> parts{{Build(items), mask}};
  const auto merged = MergeSegments(parts);
  EXPECT_EQ(merged->size(), 0u);
  EXPECT_EQ(merged->posting_count(), 0u);
}

TEST(MergeSegments, AColourOnlyHiddenGraphsWoreIsGone) {
  ColourHierarchy hierarchy;
  const std::vector<Item> items{{GraphId{1}, "a", test::GrowHistogram(hierarchy, test::Isolated("C"), 0)},
                                {GraphId{2}, "b", test::GrowHistogram(hierarchy, test::Isolated("N"), 0)}};
  const auto mask = std::make_shared<LiveMask>(2);
  mask->Clear(0);
  const std::vector<SegmentView> parts{{Build(items), mask}};
  const auto merged = MergeSegments(parts);
  EXPECT_TRUE(merged->list(ColourId{0}).empty());
  ASSERT_EQ(merged->list(ColourId{1}).size(), 1u);
  EXPECT_EQ(merged->list(ColourId{1})[0].graph, 0u);
  EXPECT_EQ(merged->external_id(0), "b");
}

// Seeds, each a random number of parts with a random part of their graphs hidden.
class MergeRandom : public ::testing::TestWithParam<uint64_t> {};

TEST_P(MergeRandom, EqualsBuildingFromTheLiveGraphs) {
  test::Rng rng(GetParam());
  ColourHierarchy hierarchy;
  const std::vector<Item> items = RandomItems(rng, hierarchy, 1 + test::Below(rng, 150));
  const uint64_t hidden_percent = test::Below(rng, 4) * 33;
  std::vector<SegmentView> parts;
  std::vector<Item> live;
  for (size_t begin = 0; begin < items.size();) {
    const size_t size = std::min(items.size() - begin, size_t{test::Below(rng, 70)});  // May be empty.
    const std::span<const Item> part = std::span(items).subspan(begin, size);
    auto mask = std::make_shared<LiveMask>(static_cast<uint32_t>(size));
    for (uint32_t graph = 0; graph < size; ++graph) {
      if (test::Below(rng, 100) < hidden_percent) {
        mask->Clear(graph);
      } else {
        live.push_back(part[graph]);
      }
    }
    const bool unmasked = mask->count() == size;
    parts.push_back({Build(part), unmasked ? nullptr : mask});
    begin += size;
  }
  ExpectSame(*MergeSegments(parts), *Build(live), hierarchy.colour_count());

  // Merging step by step comes to the same.
  SegmentView merged{Build({}), nullptr};
  for (const SegmentView& part : parts) {
    const std::vector<SegmentView> two{merged, part};
    merged = {MergeSegments(two), nullptr};
  }
  ExpectSame(*merged.segment, *Build(live), hierarchy.colour_count());
}

INSTANTIATE_TEST_SUITE_P(Seeds, MergeRandom, ::testing::Range<uint64_t>(0, 40));

}  // namespace
}  // namespace kindred
