// SegmentStack: few segments whatever was written and deleted, and the live graphs always all there.

#include "index/engine/segment_stack.h"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/graphs.h"
#include "tests/support/segment_builder.h"

namespace kindred {
namespace {

using test::Rng;

constexpr size_t kLargestLane = kSpareLane - 1;

std::shared_ptr<const Segment> SegmentOf(uint64_t first_id, uint64_t count) {
  static const Histogram histogram = *Histogram::FromLevels(1, {{{ColourId{0}, 1}}});
  test::SegmentBuilder builder;
  for (uint64_t id = first_id; id < first_id + count; ++id) {
    builder.Add(GraphId{id}, std::to_string(id), histogram);
  }
  return std::move(builder).Build(Ordering::kBySize);
}

std::vector<uint64_t> LiveIds(const std::vector<SegmentView>& segments) {
  std::vector<uint64_t> ids;
  for (const SegmentView& view : segments) {
    view.segment->graphs().ForEach([&](GraphId id, uint32_t slot) {
      if (view.is_live(slot)) {
        ids.push_back(Raw(id));
      }
    });
  }
  return ids;
}

std::vector<uint32_t> LiveCounts(const std::vector<SegmentView>& segments) {
  std::vector<uint32_t> counts;
  for (const SegmentView& view : segments) {
    counts.push_back(view.live_count());
  }
  return counts;
}

// All that the policy asks for, one merge after the other.
void MergeAll(SegmentStack& stack, Pace pace) {
  while (const auto plan = stack.PlanMerge(kLargestLane, pace)) {
    stack.Finish(*plan, MergeSegments(plan->parts, Ordering::kBySize));
  }
}

// While busy, any segment and the three after the next are never all smaller than it by less than half:
// at most three of like size, and each next kind at least twice as small.
::testing::AssertionResult FewSegments(const std::vector<SegmentView>& segments) {
  const double graphs = static_cast<double>(LiveIds(segments).size());
  const double most = graphs == 0 ? 0 : 2 * std::floor(std::log2(graphs)) + 2;
  if (static_cast<double>(segments.size()) <= most) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << segments.size() << " segments for " << graphs << " graphs: live "
                                       << ::testing::PrintToString(LiveCounts(segments));
}

TEST(SegmentStack, StaysShallowWhileGraphsComeOneByOne) {
  SegmentStack stack({});
  for (uint64_t id = 1; id <= 2'000; ++id) {
    stack.Add(SegmentOf(id, 1));
    MergeAll(stack, Pace::kBusy);
    ASSERT_TRUE(FewSegments(stack.views())) << "after " << id;
  }
  EXPECT_EQ(LiveIds(stack.views()).size(), 2'000u);
}

TEST(SegmentStack, WhenBusyASegmentIsMergedOnlyWithMoreThanTwiceItself) {
  SegmentStack stack({});
  stack.Add(SegmentOf(1, 100));
  stack.Add(SegmentOf(101, 200));
  EXPECT_EQ(stack.PlanMerge(kLargestLane, Pace::kBusy), std::nullopt);
  stack.Add(SegmentOf(301, 1));
  const auto plan = stack.PlanMerge(kLargestLane, Pace::kBusy);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->parts.size(), 3u);
}

TEST(SegmentStack, WhenIdleOnlyATailOfAnEighthStaysApart) {
  SegmentStack stack({});
  stack.Add(SegmentOf(1, 800));
  stack.Add(SegmentOf(801, 100));
  EXPECT_EQ(stack.PlanMerge(kLargestLane, Pace::kIdle), std::nullopt);
  stack.Add(SegmentOf(901, 1));
  MergeAll(stack, Pace::kIdle);
  EXPECT_EQ(LiveCounts(stack.views()), (std::vector<uint32_t>{901}));
}

TEST(SegmentStack, ALaneMakesNoMoreGraphsThanItsOwn) {
  SegmentStack stack({});
  const uint64_t half = kLaneGraphsMax[0] / 2;
  stack.Add(SegmentOf(1, half));
  stack.Add(SegmentOf(1 + half, half + 1));
  EXPECT_EQ(stack.PlanMerge(0, Pace::kIdle), std::nullopt);
  EXPECT_TRUE(stack.PlanMerge(1, Pace::kIdle).has_value());
}

TEST(SegmentStack, LanesMergeDifferentSegmentsAtATime) {
  SegmentStack stack({});
  for (uint64_t i = 0; i < 4; ++i) {
    stack.Add(SegmentOf(1 + 10 * i, 10));
  }
  const auto first = stack.PlanMerge(1, Pace::kBusy);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(stack.PlanMerge(2, Pace::kIdle), std::nullopt) << "all are busy";
  for (uint64_t i = 4; i < 8; ++i) {
    stack.Add(SegmentOf(1 + 10 * i, 10));
  }
  const auto second = stack.PlanMerge(0, Pace::kBusy);
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(Raw(second->parts.front().segment->graphs().first_id()), 41u);
  stack.Finish(*second, MergeSegments(second->parts, Ordering::kBySize));
  stack.Finish(*first, MergeSegments(first->parts, Ordering::kBySize));
  EXPECT_EQ(LiveCounts(stack.views()), (std::vector<uint32_t>{40, 40}));
}

TEST(SegmentStack, AnAbandonedMergeCanBePlannedAgain) {
  SegmentStack stack({});
  stack.Add(SegmentOf(1, 2));
  stack.Add(SegmentOf(3, 2));
  const auto plan = stack.PlanMerge(0, Pace::kIdle);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(stack.PlanMerge(0, Pace::kIdle), std::nullopt);
  stack.Abandon(*plan);
  EXPECT_TRUE(stack.PlanMerge(0, Pace::kIdle).has_value());
}

TEST(SegmentStack, WhatIsHiddenDuringAMergeStaysHidden) {
  SegmentStack stack({});
  stack.Add(SegmentOf(1, 20));
  stack.Add(SegmentOf(21, 20));
  stack.Hide({GraphId{5}});
  const auto plan = stack.PlanMerge(0, Pace::kIdle);
  ASSERT_TRUE(plan.has_value());
  stack.Hide({GraphId{6}, GraphId{40}});
  auto merged = MergeSegments(plan->parts, Ordering::kBySize);
  EXPECT_EQ(merged->size(), 39u) << "what was hidden before is left out";
  stack.Finish(*plan, std::move(merged));
  const std::vector<uint64_t> ids = LiveIds(stack.views());
  EXPECT_EQ(ids.size(), 37u);
  for (const uint64_t hidden : {5u, 6u, 40u}) {
    EXPECT_EQ(std::ranges::count(ids, hidden), 0);
  }
}

TEST(SegmentStack, HidesGraphsAndRewritesASegmentThatIsMostlyHidden) {
  SegmentStack stack({});
  stack.Add(SegmentOf(1, 10));
  stack.Hide({GraphId{2}, GraphId{3}, GraphId{4}, GraphId{5}, GraphId{6}});
  MergeAll(stack, Pace::kBusy);
  EXPECT_EQ(stack.views().front().segment->size(), 10u) << "half is not more than half";
  EXPECT_EQ(LiveIds(stack.views()), (std::vector<uint64_t>{1, 7, 8, 9, 10}));
  stack.Hide({GraphId{10}});
  MergeAll(stack, Pace::kBusy);
  EXPECT_EQ(stack.views().front().segment->size(), 4u);
  EXPECT_EQ(stack.views().front().live, nullptr);
  EXPECT_EQ(LiveIds(stack.views()), (std::vector<uint64_t>{1, 7, 8, 9}));
}

TEST(SegmentStack, ASegmentWithoutLiveGraphsGoes) {
  SegmentStack stack({});
  stack.Add(SegmentOf(1, 2));
  stack.Hide({GraphId{1}, GraphId{2}});
  MergeAll(stack, Pace::kBusy);
  EXPECT_EQ(stack.size(), 0u);
  stack.Add(SegmentOf(3, 0));  // A commit of deletes alone.
  EXPECT_EQ(stack.size(), 0u);
}

TEST(SegmentStack, HidingDoesNotChangeTheMaskOfAnOlderSnapshot) {
  SegmentStack stack({});
  stack.Add(SegmentOf(1, 100));
  stack.Hide({GraphId{1}});
  const std::vector<SegmentView> snapshot = stack.views();
  stack.Hide({GraphId{50}});
  EXPECT_EQ(LiveIds(snapshot).size(), 99u);
  EXPECT_EQ(LiveIds(stack.views()).size(), 98u);
}

class SegmentStackRandom : public ::testing::TestWithParam<uint64_t> {};

TEST_P(SegmentStackRandom, HoldsTheLiveGraphsInOrderAndFewSegments) {
  Rng rng(GetParam());
  SegmentStack stack({});
  std::map<uint64_t, bool> live;  // Sorted, as Hide wants them.
  uint64_t next = 1;
  for (int commit = 0; commit < 300; ++commit) {
    std::vector<GraphId> hidden;
    const bool purge = test::Below(rng, 20) == 0;
    for (auto at = live.begin(); at != live.end();) {
      if (test::Below(rng, purge ? 2 : 30) == 0) {
        hidden.push_back(GraphId{at->first});
        at = live.erase(at);
      } else {
        ++at;
      }
    }
    stack.Hide(hidden);
    const uint64_t added = test::Below(rng, 3) == 0 ? 0 : test::Below(rng, 12);
    stack.Add(SegmentOf(next, added));
    for (uint64_t i = 0; i < added; ++i) {
      live[next++] = true;
    }
    MergeAll(stack, test::Below(rng, 4) == 0 ? Pace::kIdle : Pace::kBusy);
    std::vector<uint64_t> expected;
    for (const auto& [id, is_live] : live) {
      expected.push_back(id);
    }
    ASSERT_EQ(LiveIds(stack.views()), expected) << "seed " << GetParam() << " commit " << commit;
    ASSERT_TRUE(FewSegments(stack.views())) << "seed " << GetParam() << " commit " << commit;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SegmentStackRandom, ::testing::Range<uint64_t>(0, 10));

std::shared_ptr<const Segment> PlainOf(uint64_t first_id, uint64_t count) {
  PlainSegmentBuilder builder;
  for (uint64_t id = first_id; id < first_id + count; ++id) {
    builder.Add(GraphId{id}, std::to_string(id), 1, std::string("\1\0\1", 3));
  }
  return std::move(builder).Build();
}

TEST(SegmentStack, PlainSegmentsArePutTogetherByTheFirstLaneWhateverThePace) {
  for (const Pace pace : {Pace::kBusy, Pace::kBulk}) {
    SegmentStack stack({});
    for (uint64_t id = 1; id <= 300; ++id) {
      stack.Add(PlainOf(id, 1));
      while (const auto plan = stack.PlanMerge(0, pace)) {
        ASSERT_EQ(plan->work, SegmentStack::Work::kConcatenate);
        stack.Finish(*plan, ConcatenatePlain(plan->parts));
      }
      ASSERT_TRUE(FewSegments(stack.views())) << "after " << id;
    }
    EXPECT_EQ(LiveIds(stack.views()).size(), 300u);
  }
}

TEST(SegmentStack, PlainSegmentsAreInvertedWhenThereAreEnoughOrTimeForIt) {
  SegmentStack stack({});
  stack.Add(PlainOf(1, kPlainGraphsMax - 1));
  EXPECT_EQ(stack.PlanMerge(1, Pace::kBusy), std::nullopt);
  stack.Add(PlainOf(kPlainGraphsMax, 1));
  EXPECT_EQ(stack.plain_count(), kPlainGraphsMax);
  EXPECT_EQ(stack.PlanMerge(1, Pace::kBulk), std::nullopt) << "nobody searches";
  const auto plan = stack.PlanMerge(1, Pace::kBusy);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->work, SegmentStack::Work::kInvert);
  EXPECT_EQ(plan->parts.size(), 2u);
  stack.Add(PlainOf(kPlainGraphsMax + 1, 1));
  EXPECT_EQ(stack.PlanMerge(2, Pace::kBusy), std::nullopt);
  EXPECT_EQ(stack.PlanMerge(2, Pace::kIdle)->work, SegmentStack::Work::kInvert);
}

TEST(SegmentStack, WithoutSearchesTheSpareLaneInvertsWhatFillsALargeSegment) {
  SegmentStack stack({});
  const uint64_t enough = kInvertedGraphsMax / 2;
  stack.Add(PlainOf(1, enough - 1));
  EXPECT_EQ(stack.PlanMerge(kSpareLane, Pace::kBulk), std::nullopt);
  stack.Add(PlainOf(enough, 1));
  for (size_t lane = 0; lane < kSpareLane; ++lane) {
    EXPECT_EQ(stack.PlanMerge(lane, Pace::kBulk), std::nullopt) << "lane " << lane;
  }
  const auto plan = stack.PlanMerge(kSpareLane, Pace::kBulk);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->work, SegmentStack::Work::kInvert);
  EXPECT_EQ(plan->parts.size(), 2u);
}

TEST(SegmentStack, TheSpareLaneRestsWhenSomeoneSearchesOrNobodyWrites) {
  SegmentStack stack({});
  stack.Add(PlainOf(1, kInvertedGraphsMax));
  EXPECT_EQ(stack.PlanMerge(kSpareLane, Pace::kBusy), std::nullopt);
  EXPECT_EQ(stack.PlanMerge(kSpareLane, Pace::kIdle), std::nullopt);
}

TEST(SegmentStack, NoMoreThanSoManyPlainGraphsAreInvertedAtATime) {
  SegmentStack stack({});
  for (uint64_t i = 0; i < 3; ++i) {
    stack.Add(PlainOf(1 + i * kInvertedGraphsMax / 2, kInvertedGraphsMax / 2));
  }
  EXPECT_EQ(stack.PlanMerge(2, Pace::kIdle)->parts.size(), 2u);
  EXPECT_EQ(stack.PlanMerge(1, Pace::kIdle)->parts.size(), 1u);
}

TEST(SegmentStack, WithoutHurryMergesWaitUntilAllIsInverted) {
  SegmentStack stack({});
  stack.Add(SegmentOf(1, 10));
  stack.Add(SegmentOf(11, 10));
  stack.Add(PlainOf(21, 5));
  const auto inversion = stack.PlanMerge(2, Pace::kIdle);
  ASSERT_EQ(inversion->work, SegmentStack::Work::kInvert);
  EXPECT_EQ(stack.PlanMerge(1, Pace::kIdle), std::nullopt);
  stack.Finish(*inversion, SegmentOf(21, 5));
  const auto merge = stack.PlanMerge(2, Pace::kIdle);
  EXPECT_EQ(merge->work, SegmentStack::Work::kMerge);
  EXPECT_EQ(merge->parts.size(), 3u);
}

}  // namespace
}  // namespace kindred
