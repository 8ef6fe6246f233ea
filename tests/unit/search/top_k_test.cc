// TopK: the best k in the order of the answers, whatever the order of the offers.

#include "index/search/top_k.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::Must;

// A question by a graph of 10 vertices at depth 0, so that K is at most 10.
Query QueryOf(Measure measure, uint32_t k, std::optional<double> min_similarity = {}) {
  return {*Histogram::FromLevels(10, {{{ColourId{0}, 10}}}), Must(Scoring::Create(measure, 0, {}, {})), k,
          min_similarity};
}

std::vector<std::string> HitIds(const std::vector<Hit>& hits) {
  std::vector<std::string> ids;
  for (const Hit& hit : hits) {
    ids.push_back(hit.id);
  }
  return ids;
}

using Strings = std::vector<std::string>;

TEST(TopK, KeepsTheBestKBestFirst) {
  const Query query = QueryOf(Measure::kKernel, 2);
  TopK top(query);
  top.Offer({{3, 10}, "three"});
  top.Offer({{9, 10}, "nine"});
  top.Offer({{1, 10}, "one"});
  top.Offer({{5, 10}, "five"});
  const std::vector<Hit> hits = top.TakeHits();
  EXPECT_EQ(hits, (std::vector<Hit>{{"nine", 9, 9, 10}, {"five", 5, 5, 10}}));
}

TEST(TopK, GivesFewerWhenFewerWereOffered) {
  const Query query = QueryOf(Measure::kKernel, 5);
  TopK top(query);
  EXPECT_EQ(HitIds(top.TakeHits()), Strings{});
  top.Offer({{3, 10}, "a"});
  EXPECT_EQ(HitIds(top.TakeHits()), Strings{"a"});
}

TEST(TopK, AsksForWhatAnotherOfTheQueryHasKOf) {
  const Query query = QueryOf(Measure::kKernel, 2);
  SharedLeast shared;
  TopK one(query, &shared);
  TopK other(query, &shared);
  one.Offer({{3, 10}, "three"});
  EXPECT_EQ(other.least_similarity(), 0);  // One is not enough.
  one.Offer({{9, 10}, "nine"});
  EXPECT_EQ(other.least_similarity(), 3);
  other.Offer({{4, 10}, "four"});
  other.Offer({{2, 10}, "two"});
  EXPECT_EQ(one.least_similarity(), 3);  // It only grows.
  other.Offer({{5, 10}, "five"});
  EXPECT_EQ(one.least_similarity(), 4);
  one.Absorb(other);
  EXPECT_EQ(HitIds(one.TakeHits()), (Strings{"nine", "five"}));
}

TEST(TopK, TakingTheHitsLeavesItEmpty) {
  const Query query = QueryOf(Measure::kKernel, 5);
  TopK top(query);
  top.Offer({{3, 10}, "a"});
  top.TakeHits();
  EXPECT_EQ(HitIds(top.TakeHits()), Strings{});
}

TEST(TopK, KeepsTheSmallerIdWhenSimilaritiesTie) {
  const Query query = QueryOf(Measure::kKernel, 3);
  std::vector<std::string> ids{"b", "a", "aa", "", "B", "ab"};
  std::ranges::sort(ids);
  do {
    TopK top(query);
    for (const std::string& id : ids) {
      top.Offer({{4, 10}, id});
    }
    ASSERT_EQ(HitIds(top.TakeHits()), (Strings{"", "B", "a"}));
  } while (std::ranges::next_permutation(ids).found);
}

TEST(TopK, ComparesIdsByteByByteAsUnsigned) {
  const Query query = QueryOf(Measure::kKernel, 10);
  TopK top(query);
  const Strings in_order{std::string("\0", 1), "\x01", "\x7f", "\x80", "\xc3\xa9", "\xff", "\xff\xff"};
  for (const std::string& id : in_order) {
    top.Offer({{4, 10}, id});
  }
  EXPECT_EQ(HitIds(top.TakeHits()), in_order);
}

TEST(TopK, LeavesOutWhatIsExcludedAndTakesOthersInItsPlace) {
  Query query = QueryOf(Measure::kKernel, 2);
  query.excluded = {"best", "third"};
  TopK top(query);
  top.Offer({{9, 10}, "best"});
  top.Offer({{8, 10}, "second"});
  EXPECT_FALSE(top.full());
  top.Offer({{7, 10}, "third"});
  EXPECT_EQ(top.least_similarity(), 0);
  top.Offer({{6, 10}, "fourth"});
  EXPECT_EQ(top.least_similarity(), 6);
  EXPECT_EQ(HitIds(top.TakeHits()), (Strings{"second", "fourth"}));
}

TEST(TopK, TakesOnlyWhatComesAfterAPlace) {
  Query query = QueryOf(Measure::kTanimoto, 10);
  query.after = AnswerPlace{{5, 10}, "m"};  // 5 / (20 - 5)
  TopK top(query);
  top.Offer({{6, 10}, "better"});
  top.Offer({{5, 10}, "l"});
  top.Offer({{5, 10}, "m"});
  top.Offer({{5, 10}, "ma"});
  top.Offer({{4, 6}, "a"});  // 4 / (16 - 4): as similar, and a smaller id.
  top.Offer({{4, 6}, "z"});
  top.Offer({{4, 10}, "b"});
  EXPECT_EQ(HitIds(top.TakeHits()), (Strings{"ma", "z", "b"}));
}

TEST(TopK, MinSimilarityIsInclusive) {
  // Tanimoto 5 / (20 - 5) = 1/3 exactly at the edge.
  const Query query = QueryOf(Measure::kTanimoto, 10, 5.0 / 15.0);
  TopK top(query);
  top.Offer({{4, 10}, "below"});
  top.Offer({{5, 10}, "at"});
  top.Offer({{6, 10}, "above"});
  EXPECT_EQ(HitIds(top.TakeHits()), (Strings{"above", "at"}));
}

TEST(TopK, MinSimilarityHoldsOnceTheHeapIsFull) {
  const Query query = QueryOf(Measure::kKernel, 1, 5.0);
  TopK top(query);
  top.Offer({{4, 10}, "below"});
  EXPECT_EQ(HitIds(top.TakeHits()), Strings{});
  top.Offer({{5, 10}, "at"});
  top.Offer({{4, 10}, "below"});
  top.Offer({{7, 10}, "above"});
  EXPECT_EQ(HitIds(top.TakeHits()), Strings{"above"});
}

// Against a full sort, for every k and measure, from random offers full of ties.
TEST(TopK, EqualsTheFrontOfASortForEveryK) {
  constexpr uint64_t kSeed = 31;
  test::Rng rng(kSeed);
  for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
    for (uint32_t k = 1; k <= 22; ++k) {
      const Query query = QueryOf(measure, k);
      std::vector<std::string> ids;
      std::vector<Candidate> offers;
      for (int i = 0; i < 20; ++i) {
        ids.push_back("id" + std::to_string(i));
      }
      for (const std::string& id : ids) {
        offers.push_back(
            {{static_cast<double>(test::Below(rng, 3)), static_cast<uint32_t>(8 + test::Below(rng, 3))}, id});
      }
      TopK top(query);
      for (const uint32_t i : test::RandomPermutation(rng, 20)) {
        top.Offer(offers[i]);
      }
      std::ranges::sort(offers, [&](const Candidate& a, const Candidate& b) {
        const auto order = query.scoring.Compare(a.score, b.score, 10);
        return order != 0 ? order > 0 : a.id < b.id;
      });
      offers.resize(std::min<size_t>(offers.size(), k));
      std::vector<Hit> expected;
      for (const Candidate& offer : offers) {
        expected.push_back({std::string(offer.id), offer.score.kernel,
                            query.scoring.Similarity(offer.score, 10), offer.score.vertex_count});
      }
      ASSERT_EQ(top.TakeHits(), expected) << "seed " << kSeed << " k " << k;
    }
  }
}

// So many that what was gathered is cut down again and again; the best come first, last or anywhere.
TEST(TopK, EqualsTheFrontOfASortOfThousands) {
  constexpr uint64_t kSeed = 32;
  constexpr uint32_t kOffers = 5'000;
  test::Rng rng(kSeed);
  std::vector<std::string> ids;
  for (uint32_t i = 0; i < kOffers; ++i) {
    ids.push_back("id" + std::to_string(i));
  }
  for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
    for (const uint32_t k : {1u, 2u, 64u, 65u, 1'000u, 4'999u, 5'000u, 10'000u}) {
      const Query query = QueryOf(measure, k);
      std::vector<Candidate> offers;
      for (const std::string& id : ids) {
        const auto vertices = static_cast<uint32_t>(5 + test::Below(rng, 30));
        offers.push_back(
            {{static_cast<double>(test::Below(rng, std::min(vertices, 10u) + 1)), vertices}, id});
      }
      std::vector<Candidate> sorted = offers;
      std::ranges::sort(sorted, [&](const Candidate& a, const Candidate& b) {
        const auto order = query.scoring.Compare(a.score, b.score, 10);
        return order != 0 ? order > 0 : a.id < b.id;
      });
      const auto expect_front = [&](TopK& top) {
        const std::vector<Hit> hits = top.TakeHits();
        ASSERT_EQ(hits.size(), std::min(k, kOffers));
        for (size_t i = 0; i < hits.size(); ++i) {
          ASSERT_EQ(hits[i].id, sorted[i].id) << "seed " << kSeed << " k " << k << " place " << i;
        }
      };
      TopK as_they_come(query);
      TopK best_first(query);
      TopK best_last(query);
      TopK half(query);
      TopK other_half(query);
      for (uint32_t i = 0; i < kOffers; ++i) {
        as_they_come.Offer(offers[i]);
        best_first.Offer(sorted[i]);
        best_last.Offer(sorted[kOffers - 1 - i]);
        (i % 2 == 0 ? half : other_half).Offer(offers[i]);
      }
      half.Absorb(other_half);
      for (TopK* const top : {&as_they_come, &best_first, &best_last, &half}) {
        ASSERT_NO_FATAL_FAILURE(expect_front(*top));
      }
    }
  }
}

TEST(TopK, KnowsTheKthSimilarityAfterEveryOffer) {
  constexpr uint64_t kSeed = 33;
  test::Rng rng(kSeed);
  for (const uint32_t k : {1u, 3u, 100u}) {
    const Query query = QueryOf(Measure::kKernel, k);
    TopK top(query);
    std::vector<double> kernels;
    std::vector<std::string> ids;
    ids.reserve(1'000);  // Candidates point at them.
    for (int i = 0; i < 1'000; ++i) {
      kernels.push_back(static_cast<double>(test::Below(rng, 1'000)));
      top.Offer({{kernels.back(), 10}, ids.emplace_back(std::to_string(i))});
      std::ranges::sort(kernels, std::greater<>());
      ASSERT_EQ(top.least_similarity(), kernels.size() < k ? 0 : kernels[k - 1]) << "seed " << kSeed;
    }
  }
}

}  // namespace
}  // namespace kindred
