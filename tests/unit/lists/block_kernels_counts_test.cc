// AddHits, AddRow and LargestCounts against their plain twins, bit for bit, on every vector target that the
// machine has.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/lists/block_kernels.h"
#include "tests/support/graphs.h"
#include "tests/support/vector_targets.h"

namespace kindred {
namespace {

// What hits add to the counts at the places that are somewhere.
void ExpectHitsEqual(test::Rng& rng, size_t size) {
  constexpr uint32_t kBlocks = 60;
  constexpr uint32_t kPlaces = 50;
  constexpr uint16_t kLevels = 4;
  std::vector<RareHit> hits;
  for (size_t i = 0; i < size; ++i) {
    hits.push_back({static_cast<uint32_t>(test::Below(rng, kBlocks)),
                    static_cast<uint16_t>(1 + test::Below(rng, UINT16_MAX)),
                    static_cast<uint16_t>(test::Below(rng, kLevels))});
  }
  std::vector<uint32_t> to(kBlocks, kNowhere);
  for (uint32_t& place : to) {
    if (test::Below(rng, 3) > 0) {
      place = static_cast<uint32_t>(test::Below(rng, kPlaces));
    }
  }
  // Levels apart, or in one sum.
  const bool summed = test::Below(rng, 2) == 0;
  const size_t stride = summed ? kBlockGraphs : kBlockGraphs * kLevels;
  const size_t level_stride = summed ? 0 : kBlockGraphs;
  std::vector<uint16_t> before(kPlaces * stride);
  for (uint16_t& count : before) {
    count = static_cast<uint16_t>(test::Below(rng, UINT16_MAX - size));
  }
  std::vector<uint16_t> expected = before;
  plain::AddHits(hits, to.data(), stride, level_stride, expected.data());
  test::OnEveryTarget([&](const char*) {
    std::vector<uint16_t> counts = before;
    AddHits(hits, to.data(), stride, level_stride, counts.data());
    ASSERT_EQ(counts, expected);
  });
}

TEST(BlockKernels, AddHitsAsPlainCodeDoes) {
  for (uint64_t size = 0; size <= 130; ++size) {
    for (uint64_t seed = 0; seed < 4; ++seed) {
      SCOPED_TRACE(std::to_string(size) + " hits, seed " + std::to_string(seed));
      test::Rng rng(1000 * seed + size);
      ASSERT_NO_FATAL_FAILURE(ExpectHitsEqual(rng, size));
    }
  }
}

TEST(BlockKernels, AddHitsAddsNothingForAPlaceThatIsNowhere) {
  const std::vector<RareHit> hits{{0, 0xffff, 0}, {1, 0b101, 1}, {0, 0xffff, 1}};
  const std::vector<uint32_t> to{kNowhere, 1};
  std::vector<uint16_t> counts(4 * kBlockGraphs);
  AddHits(hits, to.data(), 2 * kBlockGraphs, kBlockGraphs, counts.data());
  std::vector<uint16_t> expected(counts.size());
  expected[3 * kBlockGraphs] = 1;
  expected[3 * kBlockGraphs + 2] = 1;
  EXPECT_EQ(counts, expected);
}

TEST(BlockKernels, LargestCountsAsPlainCodeDoes) {
  for (uint64_t size = 0; size <= 130; ++size) {
    SCOPED_TRACE(std::to_string(size) + " blocks");
    test::Rng rng(size);
    std::vector<uint16_t> counts(size * kBlockGraphs);
    for (uint16_t& count : counts) {
      count = static_cast<uint16_t>(rng());
    }
    std::vector<uint16_t> expected(size + 1, 0x5a5a);
    plain::LargestCounts(counts.data(), size, expected.data());
    test::OnEveryTarget([&](const char*) {
      std::vector<uint16_t> largest(size + 1, 0x5a5a);
      LargestCounts(counts.data(), size, largest.data());
      ASSERT_EQ(largest, expected);
    });
  }
}

struct RowCase {
  std::vector<RowLevel> levels;
  std::vector<uint64_t> row;
  std::vector<uint64_t> query;
  std::vector<uint16_t> masks;
  std::vector<uint16_t> counts;
  uint32_t rest = 0;  // Shared bits, or a few more.
};

// How far a row was read is told only when it was not given up.
struct RowResult {
  bool reached = false;
  std::vector<uint16_t> counts;
  uint64_t added = 0;
  std::ptrdiff_t words_read = 0;
  std::ptrdiff_t masks_read = 0;
  uint32_t rest = 0;

  friend bool operator==(const RowResult&, const RowResult&) = default;
};

// Two steps: `first` levels, then the others.
struct Steps {
  size_t first = 0;
  uint32_t first_need = 0;
  uint32_t need = 0;
};

template <typename Kernel>
RowResult ResultOf(Kernel kernel, const RowCase& row_case, std::span<const RowLevel> levels, Steps steps) {
  RowResult result{false, row_case.counts, 1000};
  RowCursor cursor{row_case.row.data(), row_case.query.data(), row_case.masks.data(), row_case.rest};
  result.reached =
      kernel(cursor, levels.first(steps.first), steps.first_need, result.counts.data(), result.added) &&
      kernel(cursor, levels.subspan(steps.first), steps.need, result.counts.data(), result.added);
  if (result.reached) {
    result.words_read = cursor.row - row_case.row.data();
    EXPECT_EQ(cursor.query - row_case.query.data(), result.words_read);
    result.masks_read = cursor.masks - row_case.masks.data();
    result.rest = cursor.rest;
  }
  return result;
}

// In one step.
template <typename Kernel>
RowResult ResultOf(Kernel kernel, const RowCase& row_case, std::span<const RowLevel> levels, uint32_t need) {
  return ResultOf(kernel, row_case, levels, {levels.size(), need, 0});
}

// Level l has its own counts, or all share the first.
RowCase RandomRow(test::Rng& rng, const std::vector<uint32_t>& words, bool summed) {
  RowCase row_case;
  uint32_t all = 0;
  for (uint32_t l = 0; l < words.size(); ++l) {
    row_case.levels.push_back(
        {words[l], summed ? 0 : static_cast<uint32_t>((words.size() - 1 - l) * kBlockGraphs)});
    all += words[l];
  }
  row_case.row = test::RandomWords(rng, all);
  row_case.query = test::RandomWords(rng, all);
  for (uint32_t word = 0; word < all; ++word) {
    row_case.rest += static_cast<uint32_t>(std::popcount(row_case.row[word] & row_case.query[word]));
  }
  row_case.rest += static_cast<uint32_t>(test::Below(rng, 2) * test::Below(rng, 5));
  for (const uint64_t word : row_case.row) {
    for (int i = 0; i < std::popcount(word); ++i) {
      row_case.masks.push_back(static_cast<uint16_t>(1 + test::Below(rng, UINT16_MAX)));
    }
  }
  for (size_t i = 0; i < words.size() * kBlockGraphs; ++i) {
    row_case.counts.push_back(static_cast<uint16_t>(test::Below(rng, 40)));
  }
  return row_case;
}

// For each level, and before the first: what is just reached, and just not.
std::set<uint32_t> NeedsOf(const RowCase& row_case) {
  std::set<uint32_t> needs{0, UINT32_MAX};
  for (size_t done = 0; done <= row_case.levels.size(); ++done) {
    const RowResult after = ResultOf(plain::AddRow, row_case, std::span(row_case.levels).first(done), 0);
    const auto edge =
        *std::max_element(after.counts.begin(), after.counts.begin() + kBlockGraphs) + after.rest;
    needs.insert({edge, edge + 1, edge + 2, edge - std::min(edge, 1u)});
  }
  return needs;
}

// Calls check(row_case, need) for rows of 1 to 4 levels of 0 to 12 words each.
template <typename Check>
void ForEachRow(Check check) {
  for (uint32_t n = 0; n <= 12 * 13; ++n) {
    for (uint32_t level_count = 1; level_count <= 4; ++level_count) {
      SCOPED_TRACE("seed " + std::to_string(n) + ", levels " + std::to_string(level_count));
      test::Rng rng(n);
      std::vector<uint32_t> words;
      for (uint32_t l = 0; l < level_count; ++l) {
        words.push_back((n + 5 * l) % 13);
      }
      const RowCase row_case = RandomRow(rng, words, test::Below(rng, 3) > 0);
      for (const uint32_t need : NeedsOf(row_case)) {
        SCOPED_TRACE("need " + std::to_string(need));
        check(row_case, need);
        if (::testing::Test::HasFatalFailure()) {
          return;
        }
      }
    }
  }
}

TEST(BlockKernels, AddRowAsPlainCodeDoes) {
  ForEachRow([](const RowCase& row_case, uint32_t need) {
    const RowResult expected = ResultOf(plain::AddRow, row_case, row_case.levels, need);
    test::OnEveryTarget(
        [&](const char*) { ASSERT_EQ(ResultOf(AddRow, row_case, row_case.levels, need), expected); });
  });
}

TEST(BlockKernels, AddRowGivesTheSameInTwoSteps) {
  ForEachRow([](const RowCase& row_case, uint32_t need) {
    const RowResult expected = ResultOf(plain::AddRow, row_case, row_case.levels, need);
    for (size_t first = 0; first <= row_case.levels.size(); ++first) {
      const Steps steps{first, need, need};
      ASSERT_EQ(ResultOf(plain::AddRow, row_case, row_case.levels, steps), expected) << first;
      ASSERT_EQ(ResultOf(AddRow, row_case, row_case.levels, steps), expected) << first;
    }
  });
}

// As when the threshold rises between two steps.
TEST(BlockKernels, AddRowGivesUpByANeedThatHasGrown) {
  size_t given_up_later = 0;
  ForEachRow([&](const RowCase& row_case, uint32_t need) {
    for (size_t first = 0; first <= row_case.levels.size(); ++first) {
      const Steps steps{first, need / 2, need};
      const RowResult expected = ResultOf(plain::AddRow, row_case, row_case.levels, steps);
      given_up_later += !expected.reached && expected.added > 1000 ? 1 : 0;
      test::OnEveryTarget(
          [&](const char*) { ASSERT_EQ(ResultOf(AddRow, row_case, row_case.levels, steps), expected); });
    }
  });
  EXPECT_GT(given_up_later, 100u);
}

}  // namespace
}  // namespace kindred
