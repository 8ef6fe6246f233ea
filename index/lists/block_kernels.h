// The inner loops of a search over blocks, as vector code for whatever the machine has, chosen when the
// program runs (Highway); each with a plain twin that says what it computes.
//
// Threads: pure functions.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "index/lists/block_index.h"

namespace kindred {

// What a query brings to bound blocks, or groups of them, at one level.
struct LevelTerms {
  // Of the query's frequent features of the level: columns, or group columns.
  std::span<const uint16_t* const> columns;
  // Frequent features without a column here, which everything is taken to have; the most 16 bits hold stands
  // for more.
  uint16_t always = 0;
  // How much one vertex counts at this level.
  uint16_t weight = 1;
};

// What BoundSixteens writes, 16 for each word.
struct SixteenBounds {
  uint16_t* bounds = nullptr;
  uint16_t* frequent = nullptr;  // The columns that have it and `always`, of all levels; saturates.
  uint16_t* most = nullptr;      // One for each word: the largest of its 16 bounds.
};

// Bounds the 16 blocks of a group, or the 16 groups of a shelf, for each of the `words` i of the columns:
// with B_l, the number of the query's features of level l in the block (columns, rare and always),
//   a_0 = min(B_0, largest), a_l = min(a_(l-1), B_l), bound = the sum of weight_l * a_l,
// with levels in the order given. `rare`: 16 counts for each word and in it for each level. `largest`: 16 for
// each word there is. A B_l saturates. REQUIRES: no bound exceeds 16 bits.
void BoundSixteens(std::span<const LevelTerms> levels, std::span<const uint32_t> words, const uint16_t* rare,
                   const uint16_t* largest, const SixteenBounds& out);

// A posting of a rare feature of the query, in a block with this place.
struct RareHit {
  uint32_t place = 0;
  uint16_t mask = 0;
  uint16_t level = 0;
};

inline constexpr uint32_t kNowhere = UINT32_MAX;

// For every hit whose to[place] is somewhere: adds 1 to those of the 16 counts at
// counts + to[place] * stride + level * level_stride whose lanes the mask has.
void AddHits(std::span<const RareHit> hits, const uint32_t* to, size_t stride, size_t level_stride,
             uint16_t* counts);

// The words of a row that belong to one level, and where its counts lie.
struct RowLevel {
  uint32_t words = 0;
  uint32_t counts_offset = 0;
};

// How far the row of a block was read.
struct RowCursor {
  const uint64_t* row = nullptr;
  const uint64_t* query = nullptr;  // Its row of frequent features.
  const uint16_t* masks = nullptr;  // One for each bit of the row.
  uint32_t rest = 0;                // At least the number of shared bits from here on.
  uint16_t lanes = UINT16_MAX;      // Which of the block's graphs matter.
};

// Adds the frequent features that a block shares with the query, of the next levels of its row: for each bit
// set in both rows its mask, to the 16 counts at counts + counts_offset. Gives up and returns false as soon
// as, at the start or after a level, no count of counts[0..15] that matters can reach `need` any more by what
// is left of the rest [RestBound]; a level not reached is not read. Adds the number of masks added to
// `added`.
bool AddRow(RowCursor& cursor, std::span<const RowLevel> levels, uint32_t need, uint16_t* counts,
            uint64_t& added);

// largest[i] = the largest of the 16 counts at counts + 16 i.
void LargestCounts(const uint16_t* counts, size_t size, uint16_t* largest);

// The target the functions above run on: "AVX2", "AVX3_DL", "NEON", ...
const char* VectorTarget();

// The twins.
namespace plain {

void BoundSixteens(std::span<const LevelTerms> levels, std::span<const uint32_t> words, const uint16_t* rare,
                   const uint16_t* largest, const SixteenBounds& out);
void AddHits(std::span<const RareHit> hits, const uint32_t* to, size_t stride, size_t level_stride,
             uint16_t* counts);
bool AddRow(RowCursor& cursor, std::span<const RowLevel> levels, uint32_t need, uint16_t* counts,
            uint64_t& added);
void LargestCounts(const uint16_t* counts, size_t size, uint16_t* largest);

}  // namespace plain
}  // namespace kindred
