// SegmentStack: a compaction makes one segment of what it reserved, and the policy keeps off that meanwhile.

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/segment_stack.h"
#include "tests/support/segment_builder.h"

namespace kindred {
namespace {

std::shared_ptr<const Segment> InvertedGraphs(uint64_t first_id, uint64_t count) {
  static const Histogram histogram = *Histogram::FromLevels(1, {{{ColourId{0}, 1}}});
  test::SegmentBuilder builder;
  for (uint64_t id = first_id; id < first_id + count; ++id) {
    builder.Add(GraphId{id}, std::to_string(id), histogram);
  }
  return std::move(builder).Build(Ordering::kBySize);
}

std::shared_ptr<const Segment> PlainGraphsFrom(uint64_t first_id, uint64_t count) {
  PlainSegmentBuilder builder;
  for (uint64_t id = first_id; id < first_id + count; ++id) {
    builder.Add(GraphId{id}, std::to_string(id), 1, std::string("\1\0\1", 3));
  }
  return std::move(builder).Build();
}

std::vector<uint32_t> LiveCountsOf(const std::vector<SegmentView>& segments) {
  std::vector<uint32_t> counts;
  for (const SegmentView& view : segments) {
    counts.push_back(view.live_count());
  }
  return counts;
}

// All that a compaction does; returns the number of its merges.
int CompactAll(SegmentStack& stack, uint64_t postings_max = kSegmentPostingsMax) {
  stack.Reserve();
  EXPECT_FALSE(stack.reserved_busy());
  int merges = 0;
  for (GraphId after{}; const auto plan = stack.PlanCompaction(after, postings_max); ++merges) {
    after = plan->work == SegmentStack::Work::kMerge ? plan->parts.back().segment->graphs().last_id() : after;
    stack.Finish(*plan, plan->work == SegmentStack::Work::kInvert
                            ? InvertPlain(plan->parts, Ordering::kBySize)
                            : MergeSegments(plan->parts, Ordering::kBySize));
  }
  stack.Release();
  return merges;
}

TEST(SegmentStackCompaction, ACompactionLeavesOneInvertedSegmentWithoutWhatIsHidden) {
  SegmentStack stack({});
  stack.Add(InvertedGraphs(1, 1'000));
  stack.Add(PlainGraphsFrom(1'001, 20));
  stack.Add(InvertedGraphs(1'021, 5));
  stack.Hide({GraphId{7}, GraphId{1'002}});
  EXPECT_EQ(CompactAll(stack), 2);
  ASSERT_EQ(LiveCountsOf(stack.views()), (std::vector<uint32_t>{1'023}));
  EXPECT_EQ(stack.views().front().segment->size(), 1'023u);
  EXPECT_FALSE(stack.views().front().segment->is_plain());
  EXPECT_EQ(CompactAll(stack), 0) << "there is nothing left to do";
}

TEST(SegmentStackCompaction, ACompactionMakesNoSegmentWithTooManyPostings) {
  SegmentStack stack({});
  for (uint64_t i = 0; i < 4; ++i) {
    stack.Add(InvertedGraphs(1 + 160 * i, 160));
  }
  stack.Hide({GraphId{500}});
  const uint64_t postings = stack.views().front().segment->posting_count();
  EXPECT_EQ(CompactAll(stack, 2 * postings), 2);
  EXPECT_EQ(LiveCountsOf(stack.views()), (std::vector<uint32_t>{320, 319}));
}

TEST(SegmentStackCompaction, WhatACompactionReservedIsItsAloneAndTheRestIsNot) {
  SegmentStack stack({});
  stack.Add(InvertedGraphs(1, 10));
  stack.Add(InvertedGraphs(11, 10));
  const auto before = stack.PlanMerge(1, Pace::kIdle);
  ASSERT_TRUE(before.has_value());
  stack.Reserve();
  EXPECT_TRUE(stack.reserved_busy());
  stack.Finish(*before, MergeSegments(before->parts, Ordering::kBySize));
  EXPECT_FALSE(stack.reserved_busy());
  stack.Add(InvertedGraphs(21, 30));
  EXPECT_EQ(stack.PlanMerge(1, Pace::kIdle), std::nullopt) << "only one is not reserved";
  stack.Add(InvertedGraphs(51, 30));
  const auto newer = stack.PlanMerge(1, Pace::kIdle);
  ASSERT_TRUE(newer.has_value());
  EXPECT_EQ(Raw(newer->parts.front().segment->graphs().first_id()), 21u);
  EXPECT_EQ(stack.PlanCompaction(GraphId{}), std::nullopt) << "what is reserved is one segment already";
  stack.Finish(*newer, MergeSegments(newer->parts, Ordering::kBySize));
  stack.Release();
  const auto last = stack.PlanMerge(1, Pace::kIdle);
  ASSERT_TRUE(last.has_value()) << "the policy has everything again";
  stack.Finish(*last, MergeSegments(last->parts, Ordering::kBySize));
  EXPECT_EQ(LiveCountsOf(stack.views()), (std::vector<uint32_t>{80}));
}

}  // namespace
}  // namespace kindred
