// The kernels of weighted features against their plain twins, bit for bit, on every vector target that the
// machine has.

#include "index/lists/weighted_kernels.h"

#include <bit>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/graphs.h"
#include "tests/support/vector_targets.h"

namespace kindred {
namespace {

using test::Below;
using test::Rng;

// Small ones, and now and then such as make sums saturate on either side.
int16_t RandomWeight(Rng& rng) {
  const uint64_t kind = Below(rng, 12);
  const auto any = static_cast<int16_t>(Below(rng, 1 << 16));
  return kind == 0 ? INT16_MAX : kind == 1 ? INT16_MIN : kind == 2 ? any : static_cast<int16_t>(any % 100);
}

std::vector<int16_t> RandomWeights(Rng& rng, size_t size) {
  std::vector<int16_t> weights(size);
  for (int16_t& weight : weights) {
    weight = RandomWeight(rng);
  }
  return weights;
}

TEST(WeightedKernels, AddColumnsAsTheirTwinDoes) {
  constexpr uint32_t kColumnWords = 40;
  test::OnEveryTarget([&](const char*) {
    for (size_t words = 0; words <= 35; ++words) {
      Rng rng(words);
      SCOPED_TRACE("seed " + std::to_string(words));
      std::vector<std::vector<uint16_t>> columns(Below(rng, 60));
      std::vector<const uint16_t*> pointers;
      for (std::vector<uint16_t>& column : columns) {
        for (const uint64_t word : test::RandomWords(rng, kColumnWords)) {
          column.push_back(static_cast<uint16_t>(word));
        }
        pointers.push_back(column.data());
      }
      const std::vector<int16_t> weights = RandomWeights(rng, columns.size());
      std::vector<uint32_t> numbers = test::RandomPermutation(rng, kColumnWords);
      numbers.resize(words);
      std::vector<int16_t> sums = RandomWeights(rng, words * 16 + 16);  // One word more has to stay as it is.
      std::vector<int16_t> expected = sums;
      plain::AddColumns(pointers, weights, numbers, expected.data());
      AddColumns(pointers, weights, numbers, sums.data());
      ASSERT_EQ(sums, expected);
    }
  });
}

TEST(WeightedKernels, AddMasksAsTheirTwinDoes) {
  test::OnEveryTarget([&](const char*) {
    for (size_t size = 0; size <= 130; ++size) {
      Rng rng(size);
      SCOPED_TRACE("seed " + std::to_string(size));
      std::vector<WeightedMask> masks;
      for (size_t i = 0; i < size; ++i) {
        masks.push_back({static_cast<uint16_t>(rng()), RandomWeight(rng)});
      }
      std::vector<int16_t> sums = RandomWeights(rng, 16);
      std::vector<int16_t> expected = sums;
      plain::AddMasks(masks, expected.data());
      AddMasks(masks, sums.data());
      ASSERT_EQ(sums, expected);
    }
  });
}

TEST(WeightedKernels, AddWeightedRowsAsTheirTwinDoes) {
  test::OnEveryTarget([&](const char*) {
    for (uint32_t words = 0; words <= 70; ++words) {
      Rng rng(words);
      SCOPED_TRACE("seed " + std::to_string(words));
      const std::vector<uint64_t> row = test::RandomWords(rng, words);
      const std::vector<uint64_t> query = test::RandomWords(rng, words);
      size_t bits = 0;
      uint32_t common = 0;
      for (uint32_t word = 0; word < words; ++word) {
        bits += static_cast<size_t>(std::popcount(row[word]));
        common += static_cast<uint32_t>(std::popcount(row[word] & query[word]));
      }
      std::vector<uint16_t> masks(bits);
      for (uint16_t& mask : masks) {
        mask = static_cast<uint16_t>(rng());
      }
      const std::vector<int16_t> weights = RandomWeights(rng, words * 64);
      std::vector<int16_t> sums = RandomWeights(rng, 16);
      std::vector<int16_t> expected = sums;
      ASSERT_EQ(plain::AddWeightedRow(row.data(), query.data(), words, masks.data(), weights.data(),
                                      expected.data()),
                common);
      ASSERT_EQ(AddWeightedRow(row.data(), query.data(), words, masks.data(), weights.data(), sums.data()),
                common);
      ASSERT_EQ(sums, expected);
    }
  });
}

TEST(WeightedKernels, SaturateAndAddWhereTheMaskSays) {
  std::vector<int16_t> sums(16);
  AddMasks(std::vector<WeightedMask>{{0b1000'0000'0000'0011, 5}, {0b1, -7}}, sums.data());
  EXPECT_EQ(sums[0], -2);
  EXPECT_EQ(sums[1], 5);
  EXPECT_EQ(sums[2], 0);
  EXPECT_EQ(sums[15], 5);
  AddMasks(std::vector<WeightedMask>{{0b11, INT16_MAX}, {0b100, INT16_MIN}, {0b100, -1}, {0b100, 3}},
           sums.data());
  EXPECT_EQ(sums[0], INT16_MAX - 2);
  EXPECT_EQ(sums[1], INT16_MAX);
  EXPECT_EQ(sums[2], INT16_MIN + 3);
}

}  // namespace
}  // namespace kindred
