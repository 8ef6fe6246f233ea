#include <algorithm>
#include <limits>

#include "index/lists/block_kernels.h"

namespace kindred::plain {
namespace {

template <typename T>
void BoundBlock(std::span<const LevelTerms<T>> levels, T largest, uint32_t block, const BlockBounds<T>& out) {
  uint32_t overlap = largest;
  uint32_t bound = 0;
  uint32_t frequent = 0;
  for (const LevelTerms<T>& level : levels) {
    uint32_t present = level.always;
    for (const uint64_t* column : level.columns) {
      present += column[block / 64] >> (block % 64) & 1;
    }
    frequent += present;
    present += level.rare == nullptr ? 0 : level.rare[block];
    overlap = std::min(overlap, present);
    bound += level.weight * overlap;
  }
  out.bounds[block] = static_cast<T>(bound);
  out.frequent[block] = static_cast<T>(std::min<uint32_t>(frequent, std::numeric_limits<T>::max()));
}

template <typename T>
void BoundBlocksAs(std::span<const LevelTerms<T>> levels, const T* largest, uint32_t first, uint32_t last,
                   const BlockBounds<T>& out) {
  for (uint32_t chunk = first; chunk < last; ++chunk) {
    out.chunk_bounds[chunk] = 0;
    for (uint32_t block = chunk * kChunkBlocks; block < (chunk + 1) * kChunkBlocks; ++block) {
      BoundBlock(levels, largest[block], block, out);
      out.chunk_bounds[chunk] = std::max(out.chunk_bounds[chunk], out.bounds[block]);
    }
  }
}

template <typename T>
void SelectBlocksAs(const T* bounds, const T* least, uint32_t first, uint32_t last, uint64_t* selected) {
  for (uint32_t chunk = first; chunk < last; ++chunk) {
    selected[chunk] = 0;
    for (uint32_t b = 0; b < kChunkBlocks; ++b) {
      selected[chunk] |= uint64_t{bounds[chunk * kChunkBlocks + b] >= least[chunk]} << b;
    }
  }
}

void AddMask(uint16_t mask, uint16_t* counts) {
  for (uint32_t lane = 0; lane < kBlockGraphs; ++lane) {
    counts[lane] = static_cast<uint16_t>(counts[lane] + (mask >> lane & 1));
  }
}

}  // namespace

void BoundBlocks(std::span<const LevelTerms<uint8_t>> levels, const uint8_t* largest, uint32_t first,
                 uint32_t last, const BlockBounds<uint8_t>& out) {
  BoundBlocksAs<uint8_t>(levels, largest, first, last, out);
}

void BoundBlocks(std::span<const LevelTerms<uint16_t>> levels, const uint16_t* largest, uint32_t first,
                 uint32_t last, const BlockBounds<uint16_t>& out) {
  BoundBlocksAs<uint16_t>(levels, largest, first, last, out);
}

void SelectBlocks(const uint8_t* bounds, const uint8_t* least, uint32_t first, uint32_t last,
                  uint64_t* selected) {
  SelectBlocksAs<uint8_t>(bounds, least, first, last, selected);
}

void SelectBlocks(const uint16_t* bounds, const uint16_t* least, uint32_t first, uint32_t last,
                  uint64_t* selected) {
  SelectBlocksAs<uint16_t>(bounds, least, first, last, selected);
}

bool AddRow(const uint64_t* row, const uint64_t* query, const uint16_t* masks,
            std::span<const RowLevel> levels, uint32_t rest, uint32_t need, uint16_t* counts,
            uint64_t& added) {
  if (*std::max_element(counts, counts + kBlockGraphs) + rest < need) {
    return false;
  }
  for (const RowLevel& level : levels) {
    for (uint32_t bit = 0; bit < level.words * 64; ++bit) {
      if ((row[bit / 64] >> (bit % 64) & 1) == 0) {
        continue;
      }
      if ((query[bit / 64] >> (bit % 64) & 1) != 0) {
        AddMask(*masks, counts + level.counts_offset);
        --rest;
        ++added;
      }
      ++masks;
    }
    row += level.words;
    query += level.words;
    if (*std::max_element(counts, counts + kBlockGraphs) + rest < need) {
      return false;
    }
  }
  return true;
}

uint64_t AddPostings(std::span<const BlockPosting> list, const uint64_t* wanted, const uint32_t* places,
                     size_t stride, uint16_t* counts) {
  uint64_t added = 0;
  uint32_t block = 0;
  for (const BlockPosting& posting : list) {
    block += posting.gap;
    if ((wanted[block / 64] >> (block % 64) & 1) != 0) {
      AddMask(posting.mask, counts + places[block] * stride);
      ++added;
    }
  }
  return added;
}

void LargestCounts(const uint16_t* counts, size_t size, uint16_t* largest) {
  for (size_t i = 0; i < size; ++i) {
    largest[i] = *std::max_element(counts + i * kBlockGraphs, counts + (i + 1) * kBlockGraphs);
  }
}

}  // namespace kindred::plain
