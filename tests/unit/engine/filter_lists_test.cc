// Lists made for a filter hold exactly the graphs that match, as each snapshot shows them; they are made when
// they should be, and take no more memory than they may.

#include "index/engine/filter_lists.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "bench/generated_molecules.h"
#include "gtest/gtest.h"
#include "index/engine/filtered_snapshot.h"
#include "index/lists/tag_mask.h"
#include "index/search/pruned.h"
#include "tests/support/engine_harness.h"
#include "tests/support/segment_contents.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::ContentsOf;
using test::EngineHarness;
using test::Must;

constexpr uint32_t kListedGraphs = 2'000;

Filter ParsedFilter(std::string_view text) { return Must(Filter::Parse(text, Limits())); }

class FilterListsTest : public ::testing::Test {
 protected:
  FilterListsTest() {
    std::vector<Mutation> mutations;
    for (uint32_t i = 0; i < kListedGraphs; ++i) {
      mutations.push_back(Numbered(i));
    }
    harness_.Write(std::move(mutations));
    harness_.writer().merger().Settle();
    whole_ = OnlySegment();
  }

  // A molecule that has a tag if its number can be divided by that of the tag.
  Mutation Numbered(uint32_t number) {
    Mutation put = test::PutOf(std::to_string(number), source_->Next()->graph);
    for (const uint32_t of : {1, 3, 4, 10, 100}) {
      if (number % of == 0) {
        (*put.record)->tags.emplace_back("of" + std::to_string(of), "yes");
      }
    }
    return put;
  }

  SegmentView OnlySegment() {
    const auto snapshot = harness_.Newest();
    EXPECT_EQ(snapshot->segments.size(), 1u);
    return snapshot->segments.front();
  }

  static uint32_t MatchingIn(const SegmentView& view, const Filter& filter) {
    return SegmentView{view.segment, MatchingMask(view, filter)}.live_count();
  }

  // As a search does: looks for lists, and is counted where there are none.
  static std::optional<SegmentView> UseOnce(FilterLists& lists, const SegmentView& view,
                                            std::string_view text) {
    const Filter filter = ParsedFilter(text);
    auto found = lists.Find(view, filter);
    if (!found) {
      lists.Note(view, filter, MatchingIn(view, filter));
    }
    return found;
  }

  // Uses the filter so often; returns what the last use found.
  std::optional<SegmentView> Use(FilterLists& lists, std::string_view filter, uint64_t times) {
    std::optional<SegmentView> found;
    for (uint64_t i = 0; i < times; ++i) {
      found = UseOnce(lists, whole_, filter);
    }
    return found;
  }

  // Lists of the filter, made for it.
  std::optional<SegmentView> UseTillMade(FilterLists& lists, std::string_view filter) {
    Use(lists, filter, enough_);
    lists.Settle();
    return lists.Find(whole_, ParsedFilter(filter));
  }

  // What a view without lists has of the filter.
  test::SegmentContents Matching(const SegmentView& view, std::string_view filter) {
    const auto snapshot = std::make_shared<Snapshot>(Snapshot{{}, {view}, nullptr});
    const auto filtered = Must(Filtered(snapshot, ParsedFilter(filter), Interrupt()));
    return filtered->segments.empty() ? test::SegmentContents() : ContentsOf(filtered->segments.front());
  }

  const std::unique_ptr<bench::MoleculeSource> source_ = bench::GeneratedMolecules(5);
  EngineHarness harness_;
  SegmentView whole_;
  const uint64_t enough_ = FilterLists::UsesMin(kListedGraphs, kListedGraphs);
};

TEST_F(FilterListsTest, AreMadeAfterSoManyUsesAndNotBefore) {
  FilterLists lists(1 << 30);
  ASSERT_EQ(enough_, FilterLists::UsesMin(kListedGraphs, kListedGraphs / 10));
  EXPECT_EQ(Use(lists, "of10 = yes", enough_ - 1), std::nullopt);
  lists.Settle();
  EXPECT_EQ(lists.stats().made, 0u);
  Use(lists, "of10 = yes", 1);
  lists.Settle();
  EXPECT_EQ(lists.stats().made, 1u);
  const auto found = lists.Find(whole_, ParsedFilter("of10=yes"));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->segment->size(), kListedGraphs / 10);
  EXPECT_EQ(ContentsOf(*found), Matching(whole_, "of10 = yes"));
  EXPECT_EQ(lists.Find(whole_, ParsedFilter("of100 = yes")), std::nullopt) << "another filter";
}

TEST(FilterListsUses, AreTheMoreTheLongerListsTakeToMake) {
  EXPECT_EQ(FilterLists::UsesMin(1'024, 1), 4u);
  EXPECT_EQ(FilterLists::UsesMin(200'000, 2'000), 7u);
  EXPECT_EQ(FilterLists::UsesMin(200'000, 100'000), 55u);
}

TEST_F(FilterListsTest, AreNotMadeWhereTheyWouldSaveNothing) {
  FilterLists lists(1 << 30);
  for (const char* filter : {"of1 = yes", "not of10 = yes", "of1 = no", "not exists of100"}) {
    EXPECT_EQ(UseTillMade(lists, filter), std::nullopt) << filter;
  }
  EXPECT_EQ(lists.stats().made, 0u);
  EXPECT_TRUE(UseTillMade(lists, "of3 = yes or of4 = yes or of10 = yes").has_value());
}

TEST_F(FilterListsTest, AreNotMadeOfSmallOrPlainSegments) {
  FilterLists lists(1 << 30);
  EngineHarness small;
  std::vector<Mutation> mutations;
  for (uint32_t i = 0; i < kFilterListsGraphsMin - 1; ++i) {
    mutations.push_back(Numbered(i));
  }
  small.Write(std::move(mutations));
  const SegmentView plain = small.Newest()->segments.front();
  small.writer().merger().Settle();
  const SegmentView inverted = small.Newest()->segments.front();
  EXPECT_TRUE(plain.segment->is_plain());
  EXPECT_FALSE(inverted.segment->is_plain());
  for (const SegmentView& view : {plain, inverted}) {
    for (uint64_t i = 0; i <= enough_; ++i) {
      EXPECT_EQ(UseOnce(lists, view, "of10 = yes"), std::nullopt);
    }
  }
  lists.Settle();
  EXPECT_EQ(lists.stats().made, 0u);
}

TEST_F(FilterListsTest, ShowWhatTheirSnapshotShows) {
  FilterLists lists(1 << 30);
  ASSERT_TRUE(UseTillMade(lists, "of10 = yes").has_value());
  harness_.Delete("10");
  const SegmentView once = harness_.Newest()->segments.front();
  harness_.Delete("20");
  harness_.Delete("21");  // Does not match.
  harness_.Write({Numbered(30)});
  const SegmentView later = harness_.Newest()->segments.front();
  ASSERT_EQ(later.segment, whole_.segment) << "merged away: the test shows nothing";
  for (const SegmentView& view : {later, once, whole_, later, later, once}) {
    const auto found = lists.Find(view, ParsedFilter("of10 = yes"));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(ContentsOf(*found), Matching(view, "of10 = yes"));
  }
  EXPECT_EQ(lists.Find(once, ParsedFilter("of10 = yes"))->live_count(), kListedGraphs / 10 - 1);
  EXPECT_EQ(lists.Find(later, ParsedFilter("of10 = yes"))->live_count(), kListedGraphs / 10 - 3);
}

// What was hidden when they were made is shown by snapshots that were taken before.
TEST_F(FilterListsTest, MadeAfterADeleteServeSnapshotsBeforeIt) {
  FilterLists lists(1 << 30);
  harness_.Delete("10");
  const SegmentView later = harness_.Newest()->segments.front();
  ASSERT_EQ(later.segment, whole_.segment);
  for (uint64_t i = 0; i < enough_; ++i) {
    UseOnce(lists, later, "of10 = yes");
  }
  lists.Settle();
  for (const SegmentView& view : {later, whole_}) {
    EXPECT_EQ(ContentsOf(*lists.Find(view, ParsedFilter("of10 = yes"))), Matching(view, "of10 = yes"));
  }
}

TEST_F(FilterListsTest, TakeNoByteMoreThanTheyMay) {
  FilterLists free(1 << 30);
  ASSERT_TRUE(UseTillMade(free, "of10 = yes").has_value());
  // An estimate comes first, of which a little room is kept clear.
  const uint64_t bytes = std::max(free.stats().bytes, whole_.segment->memory_bytes() / kListedGraphs * 200);
  FilterLists enough(bytes);
  EXPECT_TRUE(UseTillMade(enough, "of10 = yes").has_value());
  FilterLists short_of_one(bytes - 1);
  EXPECT_EQ(UseTillMade(short_of_one, "of10 = yes"), std::nullopt);
  FilterLists none(0);
  EXPECT_EQ(UseTillMade(none, "of100 = yes"), std::nullopt);
  EXPECT_EQ(none.stats().made, 0u);
}

TEST_F(FilterListsTest, ThoseNotUsedForLongestMakeRoom) {
  FilterLists free(1 << 30);
  UseTillMade(free, "of3 = yes");
  UseTillMade(free, "of4 = yes");
  FilterLists lists(free.stats().bytes + 100);
  ASSERT_TRUE(UseTillMade(lists, "of3 = yes").has_value());
  ASSERT_TRUE(UseTillMade(lists, "of4 = yes").has_value());
  Use(lists, "of3 = yes", 1);
  EXPECT_TRUE(UseTillMade(lists, "of10 = yes").has_value());
  EXPECT_TRUE(Use(lists, "of3 = yes", 1).has_value());
  EXPECT_EQ(Use(lists, "of4 = yes", 1), std::nullopt);
  EXPECT_LE(lists.stats().bytes, free.stats().bytes + 100);
  EXPECT_TRUE(UseTillMade(lists, "of4 = yes").has_value()) << "it can come back";
}

TEST_F(FilterListsTest, OfManyFiltersAreCountedAnew) {
  FilterLists lists(1 << 30);
  Use(lists, "of10 = yes", enough_ - 1);
  for (int i = 0; i < 1'024; ++i) {
    Use(lists, "of3 = yes and of1 != no" + std::to_string(i), 1);
  }
  Use(lists, "of10 = yes", 1);
  lists.Settle();
  EXPECT_EQ(lists.stats().made, 0u);
  EXPECT_TRUE(UseTillMade(lists, "of10 = yes").has_value());
}

TEST_F(FilterListsTest, GoWithTheirSegment) {
  FilterLists lists(1 << 30);
  ASSERT_TRUE(UseTillMade(lists, "of10 = yes").has_value());
  harness_.Delete("10");
  Must(harness_.writer().merger().Compact(Interrupt()));
  whole_ = {};
  const SegmentView merged = OnlySegment();
  EXPECT_EQ(lists.Find(merged, ParsedFilter("of10 = yes")), std::nullopt);
  EXPECT_EQ(lists.stats().count, 0u);
  EXPECT_EQ(lists.stats().bytes, 0u);
}

// Lists and masks give the same answers of one snapshot, whatever is written meanwhile; and so do both modes.
TEST_F(FilterListsTest, ChangeNoAnswerWhileTheyComeAndGo) {
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    const auto molecules = bench::GeneratedMolecules(6);
    for (uint32_t i = 0; !done; ++i) {
      if (i % 3 == 0) {
        harness_.Delete(std::to_string(i * 7 % kListedGraphs));
      }
      Mutation put = test::PutOf(std::to_string(i * 10 % kListedGraphs), molecules->Next()->graph);
      (*put.record)->tags = {{"of3", "yes"}, {"of10", "yes"}};
      harness_.Write({std::move(put)});
    }
  });
  FilterLists& lists = harness_.engine().filter_lists();
  const auto scoring = Must(Scoring::Create(Measure::kTanimoto, harness_.engine().depth(), std::nullopt, {}));
  for (uint64_t i = 0; i < 8 * enough_; ++i) {
    const Filter filter = ParsedFilter(i % 2 == 0 ? "of10 = yes" : "of3 = yes and not of4 = yes");
    const auto snapshot = harness_.Newest();
    const Query query{Histogram::Of(RefineKnown(harness_.engine().hierarchy().view(), source_->Next()->graph,
                                                harness_.engine().depth())),
                      scoring, 5, std::nullopt};
    const auto by_lists = Must(Filtered(snapshot, filter, Interrupt(), &lists));
    const auto by_masks = Must(Filtered(snapshot, filter, Interrupt()));
    ASSERT_EQ(Must(PrunedSearcher(by_lists->segments).Search(query, Interrupt())).hits,
              Must(PrunedSearcher(by_masks->segments).Search(query, Interrupt())).hits);
    if (i % 8 == 0) {
      lists.Settle();
    }
  }
  done = true;
  writer.join();
  EXPECT_GT(harness_.engine().stats().filter_lists.made, 0u);
  for (const char* filter : {"of10 = yes", "of3 = yes and not of4 = yes"}) {
    for (int i = 0; i < 10; ++i) {
      SearchRequest request = test::Ask(source_->Next()->graph, 20);
      request.filter = ParsedFilter(filter);
      const auto pruned = harness_.Hits(request);
      request.mode = SearchMode::kExhaustive;
      EXPECT_EQ(pruned, harness_.Hits(request));
    }
  }
}

}  // namespace
}  // namespace kindred
