// BoundSixteens against its plain twin, bit for bit, on every vector target that the machine has.

#include "index/lists/block_kernels.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hwy/targets.h"
#include "tests/support/graphs.h"
#include "tests/support/vector_targets.h"

namespace kindred {
namespace {

TEST(BlockKernels, NameTheTargetTheyRunOn) {
  EXPECT_STREQ(VectorTarget(), hwy::TargetName(hwy::SupportedAndGeneratedTargets().front()));
  test::OnEveryTarget([](const char* name) { EXPECT_STREQ(VectorTarget(), name); });
  EXPECT_STREQ(VectorTarget(), hwy::TargetName(hwy::SupportedAndGeneratedTargets().front()));
}

constexpr uint32_t kColumnWords = 40;

// Some of the words there are, in any order.
std::vector<uint32_t> SomeWords(test::Rng& rng, size_t size) {
  std::vector<uint32_t> words = test::RandomPermutation(rng, kColumnWords);
  words.resize(size);
  if (test::Below(rng, 2) == 0) {
    std::ranges::sort(words);
  }
  return words;
}

std::vector<uint16_t> RandomColumn(test::Rng& rng) {
  std::vector<uint16_t> column;
  for (const uint64_t word : test::RandomWords(rng, kColumnWords)) {
    column.push_back(static_cast<uint16_t>(word));
  }
  return column;
}

// Up to `most`; now and then whatever 16 bits hold.
uint16_t RandomCount(test::Rng& rng, uint64_t most) {
  const uint64_t kind = test::Below(rng, 20);
  return static_cast<uint16_t>(kind == 0   ? UINT16_MAX - test::Below(rng, 3)
                               : kind == 1 ? test::Below(rng, UINT16_MAX + 1)
                                           : test::Below(rng, most + 1));
}

struct Results {
  explicit Results(size_t words)
      : bounds(words * 16 + 16, 0x5a5a), frequent(bounds), most(words + 1, 0x5a5a) {}

  SixteenBounds out() { return {bounds.data(), frequent.data(), most.data()}; }

  // One more than asked for: it has to stay as it was.
  std::vector<uint16_t> bounds;
  std::vector<uint16_t> frequent;
  std::vector<uint16_t> most;

  friend bool operator==(const Results&, const Results&) = default;
};

// No overlap is larger than `overlap_max`, nor a sum of weighted ones than 16 bits; all other counts may be
// anything.
class BoundCase {
 public:
  BoundCase(test::Rng& rng, const std::vector<size_t>& columns, size_t words, uint32_t overlap_max)
      : columns_(columns.size()), pointers_(columns.size()), words_(SomeWords(rng, words)), expected_(words) {
    for (size_t i = 0; i < size_t{kColumnWords} * 16; ++i) {
      largest_.push_back(static_cast<uint16_t>(test::Below(rng, overlap_max + 1)));
    }
    const uint64_t weight_max = UINT16_MAX / (overlap_max * columns.size());
    for (size_t l = 0; l < columns.size(); ++l) {
      for (size_t i = 0; i < columns[l]; ++i) {
        pointers_[l].push_back(columns_[l].emplace_back(RandomColumn(rng)).data());
      }
      terms_.push_back(
          {pointers_[l], RandomCount(rng, 20),
           static_cast<uint16_t>(test::Below(rng, 2) == 0 ? 1 : test::Below(rng, weight_max + 1))});
    }
    for (size_t i = 0; i < words * columns.size() * 16; ++i) {
      rare_.push_back(RandomCount(rng, 2 * overlap_max));
    }
    plain::BoundSixteens(terms_, words_, rare_.data(), largest_.data(), expected_.out());
  }

  void ExpectEqual() const {
    Results results(words_.size());
    BoundSixteens(terms_, words_, rare_.data(), largest_.data(), results.out());
    ASSERT_EQ(results.bounds, expected_.bounds);
    ASSERT_EQ(results.frequent, expected_.frequent);
    ASSERT_EQ(results.most, expected_.most);
  }

 private:
  std::vector<std::vector<std::vector<uint16_t>>> columns_;
  std::vector<std::vector<const uint16_t*>> pointers_;
  std::vector<uint32_t> words_;
  std::vector<uint16_t> rare_;
  std::vector<LevelTerms> terms_;
  std::vector<uint16_t> largest_;
  Results expected_;
};

// Every level gets every number of columns from 0 to `columns_max` as n goes there.
void ExpectBoundsEqual(size_t n, size_t columns_max, size_t level_count, size_t words, uint32_t overlap_max) {
  SCOPED_TRACE(std::to_string(n) + " columns, " + std::to_string(level_count) + " levels, " +
               std::to_string(words) + " words, overlap " + std::to_string(overlap_max));
  test::Rng rng(n * 16 + level_count);
  std::vector<size_t> columns;
  for (size_t l = 0; l < level_count; ++l) {
    columns.push_back((n + 37 * l) % (columns_max + 1));
  }
  const BoundCase bound_case(rng, columns, words, overlap_max);
  test::OnEveryTarget([&](const char*) { bound_case.ExpectEqual(); });
}

TEST(BlockKernels, BoundSixteensAsPlainCodeDoes) {
  constexpr uint32_t kOverlaps[] = {10, 300, kBlockVerticesMax};
  for (size_t n = 0; n <= 70; ++n) {
    for (size_t levels = 1; levels <= 4; ++levels) {
      for (const size_t words : {size_t{0}, size_t{1}, size_t{2}, size_t{3}, n % 9, size_t{kColumnWords}}) {
        ASSERT_NO_FATAL_FAILURE(ExpectBoundsEqual(n, 70, levels, words, kOverlaps[(n + levels) % 3]));
      }
    }
  }
  for (size_t n = 250; n <= 300; ++n) {
    ASSERT_NO_FATAL_FAILURE(ExpectBoundsEqual(n, 300, 1, 5, kOverlaps[n % 3]));
  }
}

TEST(BlockKernels, BoundSixteensAtAllLevelsThereMayBe) {
  for (size_t n = 0; n < 30; ++n) {
    ASSERT_NO_FATAL_FAILURE(ExpectBoundsEqual(n, 70, kLevelsMax, 7, UINT16_MAX / kLevelsMax));
  }
}

// `count` columns of each level, the same three over and over: all ones, all zeros, and some.
void ExpectSaturation(uint32_t count, uint16_t always, uint16_t rare_count, size_t level_count) {
  SCOPED_TRACE(std::to_string(count) + " columns, " + std::to_string(always) + " always, " +
               std::to_string(rare_count) + " rare, " + std::to_string(level_count) + " levels");
  const std::vector<uint16_t> columns[] = {{0xffff, 0xffff}, {0xffff, 0}, {0x5a0f, 0xf0a5}};
  std::vector<const uint16_t*> pointers;
  for (uint32_t i = 0; i < count; ++i) {
    pointers.push_back(columns[i % 3].data());
  }
  const std::vector<LevelTerms> terms(level_count, {pointers, always, 1});
  const std::vector<uint32_t> words{1, 0};
  const std::vector<uint16_t> rare(words.size() * level_count * 16, rare_count);
  const std::vector<uint16_t> largest(2 * 16, static_cast<uint16_t>(UINT16_MAX / level_count));
  Results expected(words.size());
  plain::BoundSixteens(terms, words, rare.data(), largest.data(), expected.out());
  test::OnEveryTarget([&](const char*) {
    Results results(words.size());
    BoundSixteens(terms, words, rare.data(), largest.data(), results.out());
    ASSERT_TRUE(results == expected);
  });
}

TEST(BlockKernels, BoundSixteensSaturatesWhatMoreThan16BitsWouldCount) {
  for (const uint32_t count : {0u, 3u, 60u, 65'534u, 65'535u, 65'536u, 70'002u, 200'001u}) {
    for (const uint16_t always : {uint16_t{0}, uint16_t{9}, uint16_t{65'534}, uint16_t{65'535}}) {
      for (const uint16_t rare : {uint16_t{0}, uint16_t{1}, uint16_t{65'535}}) {
        ASSERT_NO_FATAL_FAILURE(ExpectSaturation(count, always, rare, 1));
      }
      ASSERT_NO_FATAL_FAILURE(ExpectSaturation(count, always, 7, 3));
    }
  }
}

// What the twin says, by hand.
TEST(BlockKernels, BoundSixteensLimitsEachLevelByTheOneBefore) {
  const std::vector<uint16_t> column{0b0000, 0b0101};
  const std::vector<uint16_t> other{0b0000, 0b0011};
  const std::vector<const uint16_t*> first{column.data(), other.data()};
  const std::vector<const uint16_t*> second{column.data()};
  const std::vector<LevelTerms> terms{{first, 1, 1}, {second, 0, 10}};
  std::vector<uint16_t> rare(2 * 16);
  rare[16 + 2] = 7;  // The third of level 1.
  const std::vector<uint16_t> largest(2 * 16, 2);
  Results results(1);
  BoundSixteens(terms, std::vector<uint32_t>{1}, rare.data(), largest.data(), results.out());
  EXPECT_EQ(std::vector<uint16_t>(results.bounds.begin(), results.bounds.begin() + 4),
            (std::vector<uint16_t>{12, 2, 22, 1}));
  EXPECT_EQ(std::vector<uint16_t>(results.frequent.begin(), results.frequent.begin() + 4),
            (std::vector<uint16_t>{4, 2, 3, 1}));
  EXPECT_EQ(results.most.front(), 22);
}

}  // namespace
}  // namespace kindred
