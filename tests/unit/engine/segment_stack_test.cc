// SegmentStack: few segments whatever was written and deleted, and the live graphs always all there.

#include "index/engine/segment_stack.h"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"

namespace kindred {
namespace {

using test::Rng;

std::shared_ptr<const Segment> SegmentOf(uint64_t first_id, uint64_t count) {
  static const Histogram histogram = *Histogram::FromLevels(1, {{{ColourId{0}, 1}}});
  SegmentBuilder builder;
  for (uint64_t id = first_id; id < first_id + count; ++id) {
    builder.Add(GraphId{id}, std::to_string(id), histogram);
  }
  return std::move(builder).Build();
}

std::vector<uint64_t> LiveIds(const std::vector<SegmentView>& segments) {
  std::vector<uint64_t> ids;
  for (const SegmentView& view : segments) {
    for (uint32_t graph = 0; graph < view.segment->size(); ++graph) {
      if (view.is_live(graph)) {
        ids.push_back(Raw(view.segment->graph_id(graph)));
      }
    }
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

// The promise of the header: at most log2(n) + 1 segments for n live graphs.
::testing::AssertionResult FewSegments(const std::vector<SegmentView>& segments) {
  const double graphs = static_cast<double>(LiveIds(segments).size());
  const double most = graphs == 0 ? 0 : std::floor(std::log2(graphs)) + 1;
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
    stack.Merge();
    ASSERT_TRUE(FewSegments(stack.segments())) << "after " << id;
  }
  EXPECT_EQ(LiveIds(stack.segments()).size(), 2'000u);
}

TEST(SegmentStack, ASegmentIsMergedOnlyWithSegmentsOfLikeSize) {
  SegmentStack stack({});
  stack.Add(SegmentOf(1, 100));
  stack.Merge();
  const auto large = stack.segments().front().segment;
  for (uint64_t id = 101; id <= 150; ++id) {
    stack.Add(SegmentOf(id, 1));
    stack.Merge();
    EXPECT_EQ(stack.segments().front().segment, large) << "rewritten for one graph";
  }
}

TEST(SegmentStack, HidesGraphsAndRewritesASegmentThatIsMostlyHidden) {
  SegmentStack stack({});
  stack.Add(SegmentOf(1, 10));
  stack.Merge();
  stack.Hide({GraphId{2}, GraphId{3}, GraphId{4}, GraphId{5}, GraphId{6}});
  stack.Merge();
  EXPECT_EQ(stack.segments().front().segment->size(), 10u) << "half is not more than half";
  EXPECT_EQ(LiveIds(stack.segments()), (std::vector<uint64_t>{1, 7, 8, 9, 10}));
  stack.Hide({GraphId{10}});
  stack.Merge();
  EXPECT_EQ(stack.segments().front().segment->size(), 4u);
  EXPECT_EQ(stack.segments().front().live, nullptr);
  EXPECT_EQ(LiveIds(stack.segments()), (std::vector<uint64_t>{1, 7, 8, 9}));
}

TEST(SegmentStack, ASegmentWithoutLiveGraphsGoes) {
  SegmentStack stack({});
  stack.Add(SegmentOf(1, 2));
  stack.Hide({GraphId{1}, GraphId{2}});
  stack.Merge();
  EXPECT_TRUE(stack.segments().empty());
  stack.Add(SegmentOf(3, 0));  // A commit of deletes alone.
  stack.Merge();
  EXPECT_TRUE(stack.segments().empty());
}

TEST(SegmentStack, HidingDoesNotChangeTheMaskOfAnOlderSnapshot) {
  SegmentStack stack({});
  stack.Add(SegmentOf(1, 100));
  stack.Hide({GraphId{1}});
  const std::vector<SegmentView> snapshot = stack.segments();
  stack.Hide({GraphId{50}});
  EXPECT_EQ(LiveIds(snapshot).size(), 99u);
  EXPECT_EQ(LiveIds(stack.segments()).size(), 98u);
}

// Deletes shrink segments in the middle: the policy must hold there, too, not at the newest end alone.
TEST(SegmentStack, StaysShallowWhenDeletesShrinkOldSegments) {
  SegmentStack stack({});
  uint64_t id = 1;
  for (const uint64_t size : {1024, 256, 64, 16, 4, 1}) {
    stack.Add(SegmentOf(id, size));
    stack.Merge();
    id += size;
  }
  ASSERT_EQ(LiveCounts(stack.segments()), (std::vector<uint32_t>{1024, 256, 64, 16, 4, 1}));
  std::vector<GraphId> hidden;  // All but the last two of each; the last one stays whole.
  for (const SegmentView& view : stack.segments()) {
    for (uint32_t graph = 0; graph + 2 < view.segment->size(); ++graph) {
      hidden.push_back(view.segment->graph_id(graph));
    }
  }
  stack.Hide(hidden);
  stack.Merge();
  EXPECT_EQ(LiveIds(stack.segments()).size(), 11u);
  EXPECT_TRUE(FewSegments(stack.segments()));
}

// Recovery hands over one segment a thread, all of like size.
TEST(SegmentStack, BringsWhatRecoveryHandsOverUnderThePolicyWithTheNextCommit) {
  std::vector<SegmentView> recovered;
  for (uint64_t part = 0; part < 16; ++part) {
    recovered.push_back({SegmentOf(1 + part * 2, 2), nullptr});
  }
  SegmentStack stack(std::move(recovered));
  stack.Add(SegmentOf(1'000, 1));
  stack.Merge();
  EXPECT_EQ(LiveIds(stack.segments()).size(), 33u);
  EXPECT_TRUE(FewSegments(stack.segments()));
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
    stack.Merge();
    std::vector<uint64_t> expected;
    for (const auto& [id, is_live] : live) {
      expected.push_back(id);
    }
    ASSERT_EQ(LiveIds(stack.segments()), expected) << "seed " << GetParam() << " commit " << commit;
    ASSERT_TRUE(FewSegments(stack.segments())) << "seed " << GetParam() << " commit " << commit;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SegmentStackRandom, ::testing::Range<uint64_t>(0, 10));

// The same promise through the engine, after a restart on many threads.
TEST(SegmentStack, ARestartedEngineHasFewSegmentsAfterItsFirstCommit) {
  test::EngineHarness harness(test::OptionsOf(8, 0));
  std::vector<Mutation> puts;
  for (int i = 0; i < 32; ++i) {
    puts.push_back(test::PutOf("g" + std::to_string(i), test::Isolated("C")));
  }
  harness.Write(std::move(puts));
  harness.Restart();
  harness.Put("one more", test::Isolated("C"));
  EXPECT_TRUE(FewSegments(harness.Newest()->segments));
}

}  // namespace
}  // namespace kindred
