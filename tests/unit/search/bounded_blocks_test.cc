// BoundedBlocks: every rare feature that chosen blocks share with a query, once, whether or not there are
// so many that their lists are read again; and nothing left behind in the scratch.

#include "index/search/bounded_blocks.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/bounded_blocks.h"
#include "tests/support/status_matchers.h"
#include "tests/support/stored_graphs.h"

namespace kindred {
namespace {

using test::IsOk;
using test::Must;

constexpr uint32_t kHitsKept = 1 << 16;
constexpr uint32_t kColoursEach = 32;

// Graphs of 32 vertices, each with a colour of its own that no other graph wears; `colours` in all.
std::vector<Histogram> OwnColours(uint32_t colours) {
  std::vector<Histogram> histograms;
  for (uint32_t first = 0; first < colours; first += kColoursEach) {
    std::vector<Histogram::Entry> entries;
    for (uint32_t i = first; i < std::min(colours, first + kColoursEach); ++i) {
      entries.push_back({ColourId{i}, 1});
    }
    histograms.push_back(test::OneLevelHistogram(entries));
  }
  return histograms;
}

std::vector<uint32_t> EveryGroup(const BlockIndex& blocks, uint32_t step) {
  std::vector<uint32_t> groups;
  for (uint32_t group = 0; group < blocks.group_count(); group += step) {
    groups.push_back(group);
  }
  return groups;
}

// A query for all of them, and what it takes to bound it.
struct BoundedCase {
  explicit BoundedCase(const std::vector<Histogram>& histograms)
      : set(histograms, Ordering::kBySize),
        query{test::SumOf(histograms, 1), Must(Scoring::Create(Measure::kKernel, 0, {}, {})), 10, {}},
        units(query),
        terms(set.blocks(), query, units),
        live(set.view()),
        bounded(set.blocks(), live, terms, scratch) {}

  bool ScratchIsClean() const {
    return std::ranges::all_of(scratch.group_places, [](uint32_t place) { return place == kNowhere; });
  }

  test::BlockSet set;
  Query query;
  BoundUnits units;
  QueryTerms terms;
  BlockScratch scratch;
  LiveBlocks live;
  BoundedBlocks bounded;
  SearchStats stats;
};

// What ForEachRare hands out has to be what the histograms say, of these blocks and no others.
void ExpectRareOf(BoundedCase& bounded_case, const std::vector<uint32_t>& groups) {
  const uint32_t slots = static_cast<uint32_t>(groups.size()) * kGroupBlocks * kBlockGraphs;
  std::vector<uint32_t> to(groups.size() * kGroupBlocks);
  std::iota(to.begin(), to.end(), 0);
  uint64_t expected_hits = 0;
  std::vector<uint16_t> expected(slots);
  for (uint32_t slot = 0; slot < slots; ++slot) {
    const uint32_t place = slot / kBlockGraphs;
    const uint32_t stored = bounded_case.bounded.bounds().number(place) * kBlockGraphs + slot % kBlockGraphs;
    if (stored < bounded_case.set.by_slot().size() && bounded_case.set.by_slot()[stored]) {
      expected[slot] = static_cast<uint16_t>(bounded_case.set.by_slot()[stored]->vertex_count());
      expected_hits += expected[slot];
    }
  }
  for (int time = 0; time < 2; ++time) {
    std::vector<uint16_t> counts(slots);
    uint64_t hits = 0;
    size_t batches = 0;
    EXPECT_THAT(bounded_case.bounded.ForEachRare(Interrupt(), bounded_case.stats,
                                                 [&](std::span<const RareHit> some) {
                                                   ++batches;
                                                   hits += some.size();
                                                   AddHits(some, to.data(), kBlockGraphs, 0, counts.data());
                                                 }),
                IsOk());
    EXPECT_EQ(hits, expected_hits);
    EXPECT_EQ(counts, expected);
    EXPECT_EQ(batches, std::max<uint64_t>(1, (hits + kHitsKept - 1) / kHitsKept));
    EXPECT_TRUE(bounded_case.ScratchIsClean());
  }
}

class HitNumbers : public ::testing::TestWithParam<uint32_t> {};

TEST_P(HitNumbers, AreHandedOutOnceEachHoweverMany) {
  BoundedCase bounded_case(OwnColours(GetParam()));
  ASSERT_EQ(bounded_case.set.blocks().frequent_count(), 0u);
  for (const uint32_t step : {1u, 2u, 1'000u, 1u}) {
    SCOPED_TRACE("one group of " + std::to_string(step));
    const std::vector<uint32_t> groups = EveryGroup(bounded_case.set.blocks(), step);
    ASSERT_THAT(bounded_case.bounded.Bound(groups, Interrupt(), bounded_case.stats), IsOk());
    EXPECT_TRUE(bounded_case.ScratchIsClean());
    ExpectRareOf(bounded_case, groups);
    const BoundedSixteens& bounds = bounded_case.bounded.bounds();
    for (size_t i = 0; i < groups.size(); ++i) {
      bounds.ForEachIn(i, [&](uint32_t place) {
        EXPECT_EQ(bounds.bound(place), bounded_case.set.blocks().largest()[bounds.number(place)]);
      });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AroundWhatIsKept, HitNumbers,
                         ::testing::Values(1, 512, kHitsKept - 1, kHitsKept, kHitsKept + 1, 2 * kHitsKept,
                                           2 * kHitsKept + 1));

TEST(BoundedBlocks, WithoutGroupsThereIsNothing) {
  BoundedCase bounded_case(OwnColours(2'000));
  ASSERT_THAT(bounded_case.bounded.Bound({}, Interrupt(), bounded_case.stats), IsOk());
  ExpectRareOf(bounded_case, {});
  const auto none = [](uint32_t) { return 0u; };
  EXPECT_TRUE(bounded_case.bounded.bounds().Select(none, none, [](uint32_t) { return 0xffffu; }).empty());
}

// At whichever look at the interrupt, in Bound and after it.
TEST(BoundedBlocks, AnInterruptLeavesTheScratchCleanForTheNextSearch) {
  BoundedCase bounded_case(OwnColours(kHitsKept + 1));
  const std::vector<uint32_t> groups = EveryGroup(bounded_case.set.blocks(), 1);
  const auto take_all = [](std::span<const RareHit>) {};
  int stopped_bounding = 0;
  int stopped_after = 0;
  for (int last = 1;; ++last) {
    int asked = 0;
    const Interrupt interrupt([&] { return ++asked == last; }, Interrupt::Clock::time_point::max());
    const absl::Status status = bounded_case.bounded.Bound(groups, interrupt, bounded_case.stats);
    EXPECT_TRUE(bounded_case.ScratchIsClean()) << "look " << last;
    if (!status.ok()) {
      ++stopped_bounding;
      continue;
    }
    const absl::Status after = bounded_case.bounded.ForEachRare(interrupt, bounded_case.stats, take_all);
    EXPECT_TRUE(bounded_case.ScratchIsClean()) << "look " << last;
    if (after.ok()) {
      break;
    }
    ++stopped_after;
  }
  EXPECT_GE(stopped_bounding, 6);
  EXPECT_GE(stopped_after, 6);
  ASSERT_THAT(bounded_case.bounded.Bound(groups, Interrupt(), bounded_case.stats), IsOk());
  ExpectRareOf(bounded_case, groups);
}

}  // namespace
}  // namespace kindred
