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

// What a query brings to bound the blocks at one level. T counts: bytes, or 16 bits where bytes could
// overflow.
template <typename T>
struct LevelTerms {
  // The columns of the query's frequent features of the level.
  std::span<const uint64_t* const> columns;
  // A block each: how many of the query's rare features of the level it has. Null: none anywhere.
  const T* rare = nullptr;
  // Frequent features without a column here, which every block is taken to have; the most T holds stands for
  // more.
  T always = 0;
  // How much one vertex counts at this level.
  uint16_t weight = 1;
};

// What BoundBlocks writes.
template <typename T>
struct BlockBounds {
  T* bounds = nullptr;        // A block each.
  T* chunk_bounds = nullptr;  // A chunk of 64 blocks each: the largest of its bounds.
  T* frequent = nullptr;  // A block each: the columns that have it and `always`, of all levels; saturates.
};

// For every block of the chunks [first, last): B_l, the number of the query's features of level l in the
// block (columns, rare and always),
//   a_0 = min(B_0, largest), a_l = min(a_(l-1), B_l), bound = the sum of weight_l * a_l,
// with levels in the order given. All arrays are padded to whole multiples of 8 chunks; [first, last) has to
// be such a multiple as well. A B_l saturates: what a block has fits T, but `always` may count features that
// it has not. REQUIRES: no bound exceeds T; with bytes every weight is 1.
void BoundBlocks(std::span<const LevelTerms<uint8_t>> levels, const uint8_t* largest, uint32_t first,
                 uint32_t last, const BlockBounds<uint8_t>& out);
void BoundBlocks(std::span<const LevelTerms<uint16_t>> levels, const uint16_t* largest, uint32_t first,
                 uint32_t last, const BlockBounds<uint16_t>& out);

// For every posting of the list whose block has its bit in `wanted`: adds 1 to those of the 16 counts at
// counts + places[block] * stride whose lanes the mask has. Returns how many there were.
uint64_t AddPostings(std::span<const BlockPosting> list, const uint64_t* wanted, const uint32_t* places,
                     size_t stride, uint16_t* counts);

// The words of a row that belong to one level, and where its counts lie.
struct RowLevel {
  uint32_t words = 0;
  uint32_t counts_offset = 0;
};

// Adds the frequent features that a block shares with the query, level after level, in the order of the row:
// for each bit set in both `row` and `query` its mask, to the 16 counts at counts + counts_offset. `masks`
// has one mask for each bit of the row. `rest` is at least the number of shared bits. Gives up and returns
// false as soon as, at the start or after a level, no count of counts[0..15] can reach `need` any more by
// what is left of `rest` [RestBound]; a level not reached is not read. Adds the number of masks added to
// `added`.
bool AddRow(const uint64_t* row, const uint64_t* query, const uint16_t* masks,
            std::span<const RowLevel> levels, uint32_t rest, uint32_t need, uint16_t* counts,
            uint64_t& added);

// largest[i] = the largest of the 16 counts at counts + 16 i.
void LargestCounts(const uint16_t* counts, size_t size, uint16_t* largest);

// The target the functions above run on: "AVX2", "AVX3_DL", "NEON", ...
const char* VectorTarget();

// The twins.
namespace plain {

void BoundBlocks(std::span<const LevelTerms<uint8_t>> levels, const uint8_t* largest, uint32_t first,
                 uint32_t last, const BlockBounds<uint8_t>& out);
void BoundBlocks(std::span<const LevelTerms<uint16_t>> levels, const uint16_t* largest, uint32_t first,
                 uint32_t last, const BlockBounds<uint16_t>& out);
bool AddRow(const uint64_t* row, const uint64_t* query, const uint16_t* masks,
            std::span<const RowLevel> levels, uint32_t rest, uint32_t need, uint16_t* counts,
            uint64_t& added);
uint64_t AddPostings(std::span<const BlockPosting> list, const uint64_t* wanted, const uint32_t* places,
                     size_t stride, uint16_t* counts);
void LargestCounts(const uint16_t* counts, size_t size, uint16_t* largest);

}  // namespace plain
}  // namespace kindred
