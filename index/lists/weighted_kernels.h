// Inner loops that add up weights of features, which may be negative: for blocks that have a feature at all,
// and for the 16 graphs of one block. Vector code for whatever the machine has (Highway), each with a plain
// twin that says what it computes.
//
// All sums have 16 bits and saturate. The order of additions is the one told: twins agree where sums
// saturate, too.
//
// Threads: pure functions.

#pragma once

#include <cstdint>
#include <span>

namespace kindred {

// For each of the `words` i of the columns, and each lane of 16: adds weights[c] to sums[16 i + lane] for
// every column c whose word has the lane's bit; columns in their order. REQUIRES: as many weights as columns.
void AddColumns(std::span<const uint16_t* const> columns, std::span<const int16_t> weights,
                std::span<const uint32_t> words, int16_t* sums);

// The feature of some graphs of a block.
struct WeightedMask {
  uint16_t mask = 0;
  int16_t weight = 0;
};

// For each of them, in order: adds the weight to those of the 16 sums whose lanes the mask has.
void AddMasks(std::span<const WeightedMask> masks, int16_t* sums);

// For each bit b set in both `row` and `query`, of so many words, in order: adds weights[b] to those of the
// 16 sums whose lanes its mask has. `masks`: one for each bit of the row. Returns how many bits there were.
uint32_t AddWeightedRow(const uint64_t* row, const uint64_t* query, uint32_t words, const uint16_t* masks,
                        const int16_t* weights, int16_t* sums);

// The twins.
namespace plain {

void AddColumns(std::span<const uint16_t* const> columns, std::span<const int16_t> weights,
                std::span<const uint32_t> words, int16_t* sums);
void AddMasks(std::span<const WeightedMask> masks, int16_t* sums);
uint32_t AddWeightedRow(const uint64_t* row, const uint64_t* query, uint32_t words, const uint16_t* masks,
                        const int16_t* weights, int16_t* sums);

}  // namespace plain
}  // namespace kindred
