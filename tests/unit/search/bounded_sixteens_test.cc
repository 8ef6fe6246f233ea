// BoundedSixteens: what there is of each word that was asked for, and which of it is selected.

#include "index/search/bounded_sixteens.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::IsOk;
using test::StatusIs;

// Vertex counts of so many blocks.
struct RandomSizes {
  RandomSizes(test::Rng& rng, uint32_t count)
      : largest((count + 15) / 16 * 16), word_smallest(count / 16 + 1, 99) {
    for (uint32_t i = 0; i < count; ++i) {
      smallest.push_back(static_cast<uint16_t>(1 + test::Below(rng, 20)));
      largest[i] = static_cast<uint16_t>(smallest[i] + test::Below(rng, 20));
      word_smallest[i / 16] = std::min(word_smallest[i / 16], smallest[i]);
    }
  }

  BoundedSixteens::Sizes sizes() const {
    return {static_cast<uint32_t>(smallest.size()), smallest.data(), largest.data(), word_smallest.data()};
  }

  std::vector<uint16_t> smallest;
  std::vector<uint16_t> largest;
  std::vector<uint16_t> word_smallest;
};

// One level, all of whose features are rare.
const std::vector<LevelTerms> kRareOnly(1);

std::vector<uint32_t> EveryOther(uint32_t words) {
  std::vector<uint32_t> numbers;
  for (uint32_t word = words % 2 == 0 ? 1 : 0; word < words; word += 2) {
    numbers.push_back(word);
  }
  return numbers;
}

class SixteenCounts : public ::testing::TestWithParam<uint32_t> {};

TEST_P(SixteenCounts, HavePlacesForAllThereAreAndNoOther) {
  test::Rng rng(GetParam());
  const RandomSizes random(rng, GetParam());
  BoundScratch scratch{std::vector<uint16_t>(1'000, 7), {}, {}, {}};  // As another search left it.
  BoundedSixteens bounded(random.sizes(), scratch);
  const std::vector<uint32_t> words = EveryOther((GetParam() + 15) / 16);
  bounded.Reset(words, 1);
  std::vector<std::pair<uint32_t, uint32_t>> expected;  // Number and bound.
  for (size_t i = 0; i < words.size(); ++i) {
    bounded.ForEachIn(i, [&](uint32_t place) {
      const uint32_t number = bounded.number(place);
      ASSERT_EQ(number / 16, words[i]);
      ASSERT_EQ(bounded.rare(place, 0), 0);
      bounded.rare(place, 0) = static_cast<uint16_t>(test::Below(rng, 40));
      expected.emplace_back(number, std::min(bounded.rare(place, 0), random.largest[number]));
    });
  }
  ASSERT_THAT(bounded.Bound(kRareOnly, Interrupt()), IsOk());
  ASSERT_EQ(expected.size(), std::ranges::count_if(random.smallest, [&](const uint16_t& size) {
              return std::ranges::binary_search(words, (&size - random.smallest.data()) / 16);
            }));
  for (const uint32_t most : {0u, 1u, 10u, 20u, 41u}) {
    const auto least = [&](uint32_t smallest) { return smallest * most / 20; };
    for (const uint32_t mask : {0xffffu, 0xa5c3u, 0x8001u, 0u}) {
      const auto shown = [&](uint32_t word) { return word % 3 == 2 ? 0u : mask; };
      std::vector<uint32_t> selected;
      for (const uint32_t place : bounded.Select(least, least, shown)) {
        selected.push_back(bounded.number(place));
      }
      std::vector<uint32_t> wanted;
      for (const auto& [number, bound] : expected) {
        if (bound >= least(random.smallest[number]) && (shown(number / 16) >> number % 16 & 1) != 0) {
          wanted.push_back(number);
        }
      }
      EXPECT_EQ(selected, wanted) << "least " << most << ", shown " << mask;
    }
  }
  const auto all = [](uint32_t) { return 0xffffu; };
  EXPECT_TRUE(bounded.Select([](uint32_t) { return 0u; }, [](uint32_t) { return 41u; }, all).empty());
}

INSTANTIATE_TEST_SUITE_P(AroundAWord, SixteenCounts,
                         ::testing::Values(1, 2, 15, 16, 17, 31, 32, 33, 160, 500));

TEST(BoundedSixteens, LooksAtTheInterruptAgainAndAgain) {
  constexpr uint32_t kWords = 5'000;
  test::Rng rng(1);
  const RandomSizes random(rng, kWords * 16);
  BoundScratch scratch;
  BoundedSixteens bounded(random.sizes(), scratch);
  std::vector<uint32_t> words(kWords);
  for (uint32_t word = 0; word < kWords; ++word) {
    words[word] = word;
  }
  bounded.Reset(words, 1);
  for (uint32_t place = 0; place < kWords * 16; ++place) {
    bounded.rare(place, 0) = UINT16_MAX;
  }
  int asked = 0;
  const Interrupt third([&] { return ++asked == 3; }, Interrupt::Clock::time_point::max());
  EXPECT_THAT(bounded.Bound(kRareOnly, third), StatusIs(absl::StatusCode::kCancelled, ""));
  EXPECT_EQ(asked, 3);
  ASSERT_THAT(bounded.Bound(kRareOnly, third), IsOk());
  EXPECT_GE(asked, 6);
  for (uint32_t place = 0; place < kWords * 16; ++place) {
    ASSERT_EQ(bounded.bound(place), random.largest[place]);
  }
}

}  // namespace
}  // namespace kindred
