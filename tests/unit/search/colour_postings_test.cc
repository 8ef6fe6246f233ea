// Postings under random additions and removals, beside a map.

#include "index/search/colour_postings.h"

#include <map>

#include "gtest/gtest.h"
#include "tests/support/graphs.h"

namespace kindred::test {
namespace {

using Postings = std::map<uint32_t, uint32_t>;  // Query, count.

Postings Found(const ColourPostings& postings, uint32_t colour) {
  Postings found;
  for (const ColourPosting& posting : postings.Find(ColourId{colour})) {
    EXPECT_TRUE(found.emplace(posting.query, posting.count).second);
  }
  return found;
}

TEST(ColourPostings, OfNothingAreEmpty) {
  const ColourPostings postings;
  for (uint32_t colour = 0; colour < 1000; ++colour) {
    EXPECT_TRUE(postings.Find(ColourId{colour}).empty());
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
        const auto count = static_cast<uint32_t>(1 + Below(rng, 9));
        postings.Add(ColourId{colour}, {query, count});
        expected[colour][query] = count;
      }
      ASSERT_EQ(Found(postings, colour), expected[colour]);
    }
    for (uint32_t colour = 0; colour < colours * 977; ++colour) {
      const auto at = expected.find(colour);
      ASSERT_EQ(Found(postings, colour), at == expected.end() ? Postings() : at->second);
    }
  }
}

}  // namespace
}  // namespace kindred::test
