// Arena: pieces that do not touch each other, aligned, counted, there to stay.

#include "index/hierarchy/arena.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/graphs.h"

namespace kindred {
namespace {

TEST(Arena, KeepsEveryPieceAsItWasWritten) {
  constexpr uint64_t kSeed = 53;
  test::Rng rng(kSeed);
  Arena arena;
  std::vector<std::span<char>> pieces;
  size_t bytes = 0;
  for (int i = 0; bytes < (size_t{20} << 20); ++i) {  // Small blocks, then large ones.
    const size_t size = 1 + test::Below(rng, i % 50 == 0 ? 300'000 : 2'000);
    const size_t alignment = size_t{1} << test::Below(rng, 5);
    char* const piece = arena.Allocate(size, alignment);
    ASSERT_EQ(reinterpret_cast<uintptr_t>(piece) % alignment, 0u) << "seed " << kSeed;
    pieces.emplace_back(piece, size);
    std::ranges::fill(pieces.back(), static_cast<char>(i));
    bytes += size;
  }
  for (size_t i = 0; i < pieces.size(); ++i) {
    ASSERT_TRUE(std::ranges::all_of(pieces[i], [&](char c) { return c == static_cast<char>(i); }))
        << "piece " << i << " seed " << kSeed;
  }
  EXPECT_GE(arena.memory_bytes(), bytes);
}

TEST(Arena, CountsNothingBeforeItIsUsedAndLittleAfterTheFirstPiece) {
  Arena arena;
  EXPECT_EQ(arena.memory_bytes(), 0u);
  arena.Allocate(1);
  EXPECT_LE(arena.memory_bytes(), size_t{1} << 18);
}

TEST(Arena, HasRoomForAPieceLargerThanAnyBlock) {
  constexpr size_t kBytes = 10'000'001;
  Arena arena;
  const std::span piece(arena.Allocate(kBytes), kBytes);
  std::ranges::fill(piece, 'z');
  EXPECT_EQ(*arena.Allocate(1) = 'a', 'a');
  EXPECT_EQ(piece.back(), 'z');
}

}  // namespace
}  // namespace kindred
