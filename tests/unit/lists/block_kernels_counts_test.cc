// AddPostings and AddRow against their plain twins, bit for bit, on every vector target that the machine has.

#include <algorithm>
#include <bit>
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

// What a list adds to the counts of the wanted blocks.
void ExpectPostingsEqual(test::Rng& rng, size_t size) {
  std::vector<BlockPosting> list;
  uint32_t blocks = 1;
  for (size_t i = 0; i < size; ++i) {
    const bool skips = test::Below(rng, 40) == 0 && i + 1 < size;
    const auto gap = static_cast<uint16_t>(skips    ? UINT16_MAX
                                           : i == 0 ? test::Below(rng, 3)
                                                    : 1 + test::Below(rng, 90));
    list.push_back({gap, static_cast<uint16_t>(skips ? 0 : 1 + test::Below(rng, UINT16_MAX))});
    blocks += gap;
  }
  const std::vector<uint64_t> wanted = test::RandomWords(rng, (blocks + 63) / 64);
  std::vector<uint32_t> places(blocks);
  constexpr uint32_t kPlaces = 50;
  for (uint32_t& place : places) {
    place = static_cast<uint32_t>(test::Below(rng, kPlaces));
  }
  const size_t stride = kBlockGraphs * (1 + test::Below(rng, 4));
  std::vector<uint16_t> before(kPlaces * stride);
  for (uint16_t& count : before) {
    count = static_cast<uint16_t>(rng());  // Counts wrap the same way.
  }
  std::vector<uint16_t> expected = before;
  const uint64_t added = plain::AddPostings(list, wanted.data(), places.data(), stride, expected.data());
  test::OnEveryTarget([&](const char*) {
    std::vector<uint16_t> counts = before;
    ASSERT_EQ(AddPostings(list, wanted.data(), places.data(), stride, counts.data()), added);
    ASSERT_EQ(counts, expected);
  });
}

TEST(BlockKernels, AddPostingsAsPlainCodeDoes) {
  for (uint64_t size = 0; size <= 130; ++size) {
    for (uint64_t seed = 0; seed < 4; ++seed) {
      SCOPED_TRACE(std::to_string(size) + " postings, seed " + std::to_string(seed));
      test::Rng rng(1000 * seed + size);
      ASSERT_NO_FATAL_FAILURE(ExpectPostingsEqual(rng, size));
    }
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

struct RowResult {
  bool reached = false;
  std::vector<uint16_t> counts;
  uint64_t added = 0;

  friend bool operator==(const RowResult&, const RowResult&) = default;
};

template <typename Kernel>
RowResult ResultOf(Kernel kernel, const RowCase& row_case, std::span<const RowLevel> levels, uint32_t need) {
  RowResult result{false, row_case.counts, 1000};
  result.reached = kernel(row_case.row.data(), row_case.query.data(), row_case.masks.data(), levels,
                          row_case.rest, need, result.counts.data(), result.added);
  return result;
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
  const uint64_t none = ResultOf(plain::AddRow, row_case, {}, 0).added;
  std::set<uint32_t> needs{0, UINT32_MAX};
  for (size_t done = 0; done <= row_case.levels.size(); ++done) {
    const RowResult after = ResultOf(plain::AddRow, row_case, std::span(row_case.levels).first(done), 0);
    const auto edge = *std::max_element(after.counts.begin(), after.counts.begin() + kBlockGraphs) +
                      static_cast<uint32_t>(row_case.rest - (after.added - none));
    needs.insert({edge, edge + 1, edge + 2, edge - std::min(edge, 1u)});
  }
  return needs;
}

TEST(BlockKernels, AddRowAsPlainCodeDoes) {
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
        const RowResult expected = ResultOf(plain::AddRow, row_case, row_case.levels, need);
        test::OnEveryTarget([&](const char*) {
          ASSERT_EQ(ResultOf(AddRow, row_case, row_case.levels, need), expected) << "need " << need;
        });
      }
    }
  }
}

}  // namespace
}  // namespace kindred
