// Postings under random additions and removals, beside a map.

#include "index/search/colour_postings.h"

#include <map>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/graphs.h"

namespace kindred::test {
namespace {

using Postings = std::map<uint32_t, std::pair<uint16_t, uint16_t>>;  // Query, sizes.

const ColourPostings::Slot* FindSlot(const ColourPostings& postings, uint32_t colour) {
  return postings.Find(ColourId{colour}, postings.Prefetch(ColourId{colour}));
}

Postings Found(const ColourPostings& postings, uint32_t colour) {
  Postings found;
  if (const ColourPostings::Slot* const slot = FindSlot(postings, colour)) {
    for (const ColourPosting& posting : postings.postings(*slot)) {
      EXPECT_TRUE(found.emplace(posting.query, std::pair(posting.vertices_min, posting.vertices_max)).second);
    }
  }
  return found;
}

uint32_t Rank(const ColourPostings& postings, uint32_t colour) {
  const ColourPostings::Slot* const slot = FindSlot(postings, colour);
  return slot == nullptr ? 0 : slot->rank;
}

TEST(ColourPostings, OfNothingAreEmpty) {
  const ColourPostings postings;
  for (uint32_t colour = 0; colour < 1000; ++colour) {
    EXPECT_EQ(FindSlot(postings, colour), nullptr);
  }
}

TEST(ColourPostings, AreWhatWasAddedAndNotRemoved) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const uint64_t colours = 1 + Below(rng, 500);
    const uint64_t queries = 1 + Below(rng, 20);
    ColourPostings postings;
    std::map<uint32_t, Postings> expected;
    for (int step = 0; step < 4000; ++step) {
      // Mostly growing at first, mostly shrinking in the end.
      const auto colour = static_cast<uint32_t>(Below(rng, colours) * 977);
      const auto query = static_cast<uint32_t>(Below(rng, queries));
      if (expected[colour].contains(query)) {
        if (Below(rng, 4000) < static_cast<uint64_t>(step)) {
          postings.Remove(ColourId{colour}, query);
          expected[colour].erase(query);
        }
      } else if (Below(rng, 4000) >= static_cast<uint64_t>(step)) {
        const auto least = static_cast<uint16_t>(1 + Below(rng, 9));
        const auto most = static_cast<uint16_t>(1 + Below(rng, 65535));
        postings.Add(ColourId{colour}, {query, least, most});
        expected[colour][query] = {least, most};
      }
      ASSERT_EQ(Found(postings, colour), expected[colour]);
    }
    for (uint32_t colour = 0; colour < colours * 977; ++colour) {
      const auto at = expected.find(colour);
      ASSERT_EQ(Found(postings, colour), at == expected.end() ? Postings() : at->second);
    }
  }
}

TEST(ColourPostings, RankByWearersWhenTheOrderIsFixedAndNotBefore) {
  ColourPostings postings;
  const auto count = [&](uint32_t times) {
    for (uint32_t colour = 0; colour < 1000; ++colour) {
      for (uint32_t i = 0; i < colour % 5 * times; ++i) {
        postings.CountWearer(ColourId{colour});
      }
    }
  };
  count(1);
  EXPECT_EQ(Rank(postings, 4), 0);
  postings.FixOrder();
  std::vector<uint32_t> fixed;
  for (uint32_t colour = 0; colour < 1000; ++colour) {
    fixed.push_back(Rank(postings, colour));
  }
  count(2);
  for (uint32_t colour = 1000; colour < 100'000; ++colour) {  // The table grows.
    postings.Add(ColourId{colour}, {7, 1, 2});
  }
  int exact = 0;
  for (uint32_t colour = 0; colour < 1000; ++colour) {
    // One short, if the table grew when a single query had been counted.
    const uint32_t counted = colour % 5;
    const uint32_t rank = Rank(postings, colour);
    ASSERT_EQ(rank, fixed[colour]) << colour << ": the order changed before it was made anew";
    ASSERT_TRUE(rank == (counted > 1 ? counted : 0) || rank == (counted > 2 ? counted - 1 : 0)) << colour;
    exact += rank == (counted > 1 ? counted : 0) ? 1 : 0;
  }
  EXPECT_GT(exact, 900);
  postings.FixOrder();
  for (uint32_t colour = 0; colour < 100'000; ++colour) {
    ASSERT_TRUE(Found(postings, colour).empty());
  }
  for (uint32_t colour = 0; colour < 1000; ++colour) {
    ASSERT_LE(Rank(postings, colour), colour % 5 * 3) << colour;
    exact += Rank(postings, colour) == colour % 5 * 3 ? 1 : 0;
  }
  EXPECT_GT(exact, 1700) << "of twice 1000";
}

TEST(ColourPostings, AdmitSizesBeyondSixteenBits) {
  const ColourPosting from_small{0, 10, 65'535};
  EXPECT_FALSE(from_small.Admits(9));
  EXPECT_TRUE(from_small.Admits(10));
  EXPECT_TRUE(from_small.Admits(65'535));
  EXPECT_TRUE(from_small.Admits(1'000'000));
  const ColourPosting to_small{0, 1, 65'534};
  EXPECT_FALSE(to_small.Admits(65'536));
}

}  // namespace
}  // namespace kindred::test
