#include <algorithm>
#include <bit>

#include "index/lists/weighted_kernels.h"

namespace kindred::plain {
namespace {

void AddWeight(uint16_t mask, int16_t weight, int16_t* sums) {
  for (uint32_t lane = 0; lane < 16; ++lane) {
    const int32_t sum = sums[lane] + ((mask >> lane & 1) != 0 ? weight : 0);
    sums[lane] = static_cast<int16_t>(std::clamp<int32_t>(sum, INT16_MIN, INT16_MAX));
  }
}

}  // namespace

void AddColumns(std::span<const uint16_t* const> columns, std::span<const int16_t> weights,
                std::span<const uint32_t> words, int16_t* sums) {
  for (size_t i = 0; i < words.size(); ++i) {
    for (size_t c = 0; c < columns.size(); ++c) {
      AddWeight(columns[c][words[i]], weights[c], sums + i * 16);
    }
  }
}

void AddMasks(std::span<const WeightedMask> masks, int16_t* sums) {
  for (const WeightedMask& mask : masks) {
    AddWeight(mask.mask, mask.weight, sums);
  }
}

uint32_t AddWeightedRow(const uint64_t* row, const uint64_t* query, uint32_t words, const uint16_t* masks,
                        const int16_t* weights, int16_t* sums) {
  uint32_t added = 0;
  for (uint32_t bit = 0; bit < words * 64; ++bit) {
    if ((row[bit / 64] >> (bit % 64) & 1) == 0) {
      continue;
    }
    if ((query[bit / 64] >> (bit % 64) & 1) != 0) {
      AddWeight(*masks, weights[bit], sums);
      ++added;
    }
    ++masks;
  }
  return added;
}

}  // namespace kindred::plain
