// BoundBlocks against its plain twin, bit for bit, on every vector target that the machine has.

#include "index/lists/block_kernels.h"

#include <algorithm>
#include <limits>
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

// More than a tile of the vector code, and not a whole number of them.
constexpr uint32_t kTestChunks = 6 * kColumnWordsMultiple;
constexpr uint32_t kTestBlocks = kTestChunks * kChunkBlocks;

// No overlap is larger than `overlap_max`, nor a sum of weighted ones than T.
template <typename T>
class BoundCase {
 public:
  BoundCase(test::Rng& rng, const std::vector<size_t>& columns, uint32_t overlap_max, bool rare, bool weights)
      : columns_(columns.size()), pointers_(columns.size()), rare_(columns.size()), largest_(kTestBlocks) {
    for (T& largest : largest_) {
      largest = static_cast<T>(test::Below(rng, overlap_max + 1));
    }
    const uint64_t weight_max = std::numeric_limits<T>::max() / (overlap_max * columns.size());
    for (size_t l = 0; l < columns.size(); ++l) {
      for (size_t i = 0; i < columns[l]; ++i) {
        pointers_[l].push_back(columns_[l].emplace_back(test::RandomWords(rng, kTestChunks)).data());
      }
      const size_t always =
          test::Below(rng, std::min<size_t>(std::numeric_limits<T>::max() - columns[l], 20) + 1);
      const size_t rare_max = std::numeric_limits<T>::max() - columns[l] - always;
      for (uint32_t block = 0; rare && block < kTestBlocks; ++block) {
        rare_[l].push_back(static_cast<T>(test::Below(rng, std::min<size_t>(rare_max, 2 * overlap_max) + 1)));
      }
      terms_.push_back({pointers_[l], rare ? rare_[l].data() : nullptr, static_cast<T>(always),
                        static_cast<uint16_t>(weights ? test::Below(rng, weight_max + 1) : 1)});
    }
    const auto kind = static_cast<uint32_t>(test::Below(rng, 4));
    first_ = kind == 1 ? kColumnWordsMultiple : 0;
    last_ = kind == 2 ? kColumnWordsMultiple : kind == 3 ? 0 : kTestChunks;
    bounds_ = Fresh(kTestBlocks);
    chunk_bounds_ = Fresh(kTestChunks);
    frequent_ = Fresh(kTestBlocks);
    plain::BoundBlocks(std::span<const LevelTerms<T>>(terms_), largest_.data(), first_, last_,
                       {bounds_.data(), chunk_bounds_.data(), frequent_.data()});
  }

  void ExpectEqual() const {
    std::vector<T> bounds = Fresh(kTestBlocks);
    std::vector<T> chunk_bounds = Fresh(kTestChunks);
    std::vector<T> frequent = Fresh(kTestBlocks);
    BoundBlocks(std::span<const LevelTerms<T>>(terms_), largest_.data(), first_, last_,
                {bounds.data(), chunk_bounds.data(), frequent.data()});
    ASSERT_EQ(bounds, bounds_);
    ASSERT_EQ(frequent, frequent_);
    ASSERT_EQ(chunk_bounds, chunk_bounds_);
  }

 private:
  // What lies outside of [first, last) has to stay as it was.
  static std::vector<T> Fresh(size_t size) { return std::vector<T>(size, 0x5a); }

  std::vector<std::vector<std::vector<uint64_t>>> columns_;
  std::vector<std::vector<const uint64_t*>> pointers_;
  std::vector<std::vector<T>> rare_;
  std::vector<LevelTerms<T>> terms_;
  std::vector<T> largest_;
  uint32_t first_ = 0;
  uint32_t last_ = 0;
  std::vector<T> bounds_;
  std::vector<T> chunk_bounds_;
  std::vector<T> frequent_;
};

// Every level gets every number of columns from 0 to `columns_max` as n goes there; with and without rare
// ones.
template <typename T>
void ExpectBoundsEqual(size_t n, size_t columns_max, size_t level_count, uint32_t overlap_max) {
  test::Rng rng(n * 16 + level_count);
  std::vector<size_t> columns;
  for (size_t l = 0; l < level_count; ++l) {
    columns.push_back((n + 37 * l) % (columns_max + 1));
  }
  for (const bool rare : {false, true}) {
    SCOPED_TRACE(std::to_string(n) + " columns, " + std::to_string(level_count) + " levels, rare " +
                 std::to_string(rare) + ", overlap " + std::to_string(overlap_max));
    const BoundCase<T> bound_case(rng, columns, overlap_max, rare, sizeof(T) > 1);
    test::OnEveryTarget([&](const char*) { bound_case.ExpectEqual(); });
  }
}

TEST(BlockKernels, BoundBlocksInBytesAsPlainCodeDoes) {
  for (size_t n = 0; n <= 130; ++n) {
    for (uint32_t levels = 1; levels <= 4; ++levels) {
      ASSERT_NO_FATAL_FAILURE(ExpectBoundsEqual<uint8_t>(n, 130, levels, UINT8_MAX / levels));
    }
  }
  for (size_t n = 131; n <= 255; ++n) {
    ASSERT_NO_FATAL_FAILURE(ExpectBoundsEqual<uint8_t>(n, 255, 1, UINT8_MAX));
  }
}

TEST(BlockKernels, BoundBlocksIn16BitsAsPlainCodeDoes) {
  constexpr uint32_t kOverlaps[] = {10, 300, kBlockVerticesMax};
  for (size_t n = 0; n <= 300; ++n) {
    for (size_t levels = 1; levels <= 4; ++levels) {
      ASSERT_NO_FATAL_FAILURE(ExpectBoundsEqual<uint16_t>(n, 300, levels, kOverlaps[(n + levels) % 3]));
    }
  }
}

TEST(BlockKernels, BoundBlocksAtAllLevelsThereMayBe) {
  ASSERT_NO_FATAL_FAILURE(ExpectBoundsEqual<uint8_t>(7, 40, kLevelsMax, UINT8_MAX / kLevelsMax));
  ASSERT_NO_FATAL_FAILURE(ExpectBoundsEqual<uint16_t>(7, 300, kLevelsMax, UINT16_MAX / kLevelsMax));
}

template <typename T>
void ExpectSelectionEqual(uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  test::Rng rng(seed);
  constexpr uint32_t kChunks = 5;
  const T largest = std::numeric_limits<T>::max();
  std::vector<T> bounds(size_t{kChunks} * kChunkBlocks);
  std::vector<T> least(kChunks);
  for (T& value : least) {
    const uint64_t kind = test::Below(rng, 4);
    value = static_cast<T>(kind == 0 ? 0 : kind == 1 ? largest : test::Below(rng, largest));
  }
  for (size_t block = 0; block < bounds.size(); ++block) {
    const uint64_t near = least[block / kChunkBlocks] + test::Below(rng, 3);
    bounds[block] =
        static_cast<T>(test::Below(rng, 2) == 0 ? rng() : std::min<uint64_t>(near, largest + 1u) - 1);
  }
  const auto first = static_cast<uint32_t>(test::Below(rng, kChunks + 1));
  const auto last = static_cast<uint32_t>(first + test::Below(rng, kChunks + 1 - first));
  std::vector<uint64_t> expected(kChunks, 0x5a);
  plain::SelectBlocks(bounds.data(), least.data(), first, last, expected.data());
  test::OnEveryTarget([&](const char*) {
    std::vector<uint64_t> selected(kChunks, 0x5a);
    SelectBlocks(bounds.data(), least.data(), first, last, selected.data());
    ASSERT_EQ(selected, expected);
  });
}

TEST(BlockKernels, SelectBlocksAsPlainCodeDoes) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    ASSERT_NO_FATAL_FAILURE(ExpectSelectionEqual<uint8_t>(seed));
    ASSERT_NO_FATAL_FAILURE(ExpectSelectionEqual<uint16_t>(seed));
  }
}

}  // namespace
}  // namespace kindred
