// A filtered snapshot shows exactly the live graphs whose stored tags match.

#include "index/engine/filtered_snapshot.h"

#include <chrono>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::EngineHarness;
using test::Must;
using test::Path;
using test::PutOf;
using test::StatusIs;

Mutation Tagged(const std::string& id, Tags tags) {
  Mutation put = PutOf(id, Path("CCO"));
  (*put.record)->tags = std::move(tags);
  return put;
}

Filter FilterOf(std::string_view text) { return Must(Filter::Parse(text, Limits())); }

std::set<std::string> ShownIds(const Snapshot& snapshot) {
  std::set<std::string> ids;
  for (const SegmentView& view : snapshot.segments) {
    view.segment->graphs().ForEach([&](GraphId, uint32_t slot) {
      if (view.is_live(slot)) {
        ids.emplace(view.segment->graphs().external_id(slot));
      }
    });
  }
  EXPECT_EQ(ids.size(), snapshot.graph_count());
  return ids;
}

class FilteredSnapshot : public ::testing::Test {
 protected:
  FilteredSnapshot() {
    harness_.Write(
        {Tagged("one", {{"a", "x"}}), Tagged("two", {{"a", "y"}, {"b", ""}}), Tagged("three", {})});
    harness_.Write({Tagged("four", {{"a", "x"}, {"b", "z"}}), Tagged("five", {{"c", "x"}})});
  }

  std::set<std::string> ShownOf(std::string_view filter) {
    return ShownIds(*Must(Filtered(harness_.Newest(), FilterOf(filter), Interrupt())));
  }

  EngineHarness harness_;
};

using Ids = std::set<std::string>;

TEST_F(FilteredSnapshot, ShowsWhatMatches) {
  EXPECT_EQ(ShownOf(""), (Ids{"one", "two", "three", "four", "five"}));
  EXPECT_EQ(ShownOf("a = x"), (Ids{"one", "four"}));
  EXPECT_EQ(ShownOf("a != x"), (Ids{"two", "three", "five"}));
  EXPECT_EQ(ShownOf("exists b"), (Ids{"two", "four"}));
  EXPECT_EQ(ShownOf("not (exists a or exists c)"), (Ids{"three"}));
  EXPECT_EQ(ShownOf("a = nowhere"), Ids());
}

TEST_F(FilteredSnapshot, WithoutSegmentsThatMatchNothing) {
  const auto filtered = Must(Filtered(harness_.Newest(), FilterOf("a = nowhere"), Interrupt()));
  EXPECT_TRUE(filtered->segments.empty());
  EXPECT_EQ(filtered->sequence, harness_.Newest()->sequence);
}

TEST_F(FilteredSnapshot, IsTheSameWithoutAFilter) {
  const auto newest = harness_.Newest();
  EXPECT_EQ(Must(Filtered(newest, Filter(), Interrupt())), newest);
}

TEST_F(FilteredSnapshot, FollowsReplacedTagsAndDeletes) {
  auto before = harness_.Newest();
  harness_.Write({Tagged("one", {{"a", "y"}})});
  harness_.Delete("four");
  EXPECT_EQ(ShownOf("a = x"), Ids());
  EXPECT_EQ(ShownOf("a = y"), (Ids{"one", "two"}));
  EXPECT_EQ(ShownIds(*Must(Filtered(before, FilterOf("a = x"), Interrupt()))), (Ids{"one", "four"}));
  before = nullptr;  // It must not outlive its engine.
  harness_.Restart();
  EXPECT_EQ(ShownOf("a = x"), Ids());
  EXPECT_EQ(ShownOf("a = y"), (Ids{"one", "two"}));
}

TEST_F(FilteredSnapshot, CanBeInterrupted) {
  const Interrupt interrupt([] { return true; }, Interrupt::Clock::time_point::max());
  EXPECT_THAT(Filtered(harness_.Newest(), FilterOf("a = x"), interrupt),
              StatusIs(absl::StatusCode::kCancelled, "cancelled"));
}

}  // namespace
}  // namespace kindred
