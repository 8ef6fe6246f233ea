// Merger: what commits bring is there at once, and is merged in the background without a change anyone sees.

#include "index/engine/merger.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"

namespace kindred {
namespace {

using test::EngineHarness;
using test::OptionsOf;

std::vector<std::string> IdsOf(const Snapshot& snapshot) {
  std::vector<std::string> ids;
  for (const SegmentView& view : snapshot.segments) {
    for (uint32_t slot = 0; slot < view.segment->graphs().slot_count(); ++slot) {
      if (view.is_live(slot)) {
        ids.emplace_back(view.segment->graphs().external_id(slot));
      }
    }
  }
  std::ranges::sort(ids);
  return ids;
}

TEST(Merger, SettlesInOneSegment) {
  EngineHarness harness(OptionsOf(2, 1));
  for (int i = 0; i < 30; ++i) {
    harness.Put("g" + std::to_string(i), test::Path("CCO"));
  }
  harness.engine().writer().merger().Settle();
  EXPECT_EQ(harness.Newest()->segments.size(), 1u);
  EXPECT_EQ(harness.Newest()->graph_count(), 30u);
  EXPECT_GE(harness.engine().writer().merger().stats().merges, 1u);
}

TEST(Merger, AMergeChangesNeitherSequenceNorGraphs) {
  EngineHarness harness(OptionsOf(2, 1));
  for (int i = 0; i < 20; ++i) {
    harness.Put("g" + std::to_string(i), test::Path("CCO"));
  }
  const auto before = harness.Newest();
  const std::vector<std::string> ids = IdsOf(*before);
  harness.engine().writer().merger().Settle();
  const auto after = harness.Newest();
  EXPECT_EQ(after->sequence, before->sequence);
  EXPECT_EQ(IdsOf(*after), ids);
  EXPECT_EQ(IdsOf(*before), ids) << "an older snapshot keeps its segments";
}

TEST(Merger, DeletedAndReplacedGraphsLeaveWithAMerge) {
  EngineHarness harness(OptionsOf(2, 1));
  for (int i = 0; i < 40; ++i) {
    harness.Put("g" + std::to_string(i % 10), test::Path("CCO"));
  }
  harness.Delete("g3");
  harness.engine().writer().merger().Settle();
  uint64_t stored = 0;
  for (const SegmentView& view : harness.Newest()->segments) {
    stored += view.segment->size();
  }
  EXPECT_EQ(harness.Newest()->graph_count(), 9u);
  EXPECT_LE(stored, 18u) << "at most half of a segment is hidden";
}

TEST(Merger, ARestartedEngineSettlesToo) {
  EngineHarness harness(OptionsOf(8, 0));
  std::vector<Mutation> puts;
  for (int i = 0; i < 32; ++i) {
    puts.push_back(test::PutOf("g" + std::to_string(i), test::Isolated("C")));
  }
  harness.Write(std::move(puts));
  harness.Restart();
  harness.engine().writer().merger().Settle();
  EXPECT_EQ(harness.Newest()->segments.size(), 1u);
  EXPECT_EQ(harness.Newest()->graph_count(), 32u);
}

}  // namespace
}  // namespace kindred
