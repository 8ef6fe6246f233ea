#include <algorithm>

#include "index/lists/block_kernels.h"

namespace kindred::plain {
namespace {

void AddMask(uint16_t mask, uint16_t* counts) {
  for (uint32_t lane = 0; lane < kBlockGraphs; ++lane) {
    counts[lane] = static_cast<uint16_t>(counts[lane] + (mask >> lane & 1));
  }
}

}  // namespace

void BoundSixteens(std::span<const LevelTerms> levels, std::span<const uint32_t> words, const uint16_t* rare,
                   const uint16_t* largest, const SixteenBounds& out) {
  for (size_t i = 0; i < words.size(); ++i) {
    out.most[i] = 0;
    for (uint32_t lane = 0; lane < 16; ++lane) {
      uint32_t overlap = largest[words[i] * 16 + lane];
      uint32_t bound = 0;
      uint32_t frequent = 0;
      for (size_t l = 0; l < levels.size(); ++l) {
        uint32_t present = levels[l].always;
        for (const uint16_t* column : levels[l].columns) {
          present += column[words[i]] >> lane & 1;
        }
        frequent += present;
        overlap = std::min(overlap, present + rare[(i * levels.size() + l) * 16 + lane]);
        bound += levels[l].weight * overlap;
      }
      out.bounds[i * 16 + lane] = static_cast<uint16_t>(bound);
      out.frequent[i * 16 + lane] = static_cast<uint16_t>(std::min<uint32_t>(frequent, UINT16_MAX));
      out.most[i] = std::max(out.most[i], out.bounds[i * 16 + lane]);
    }
  }
}

bool AddRow(RowCursor& cursor, std::span<const RowLevel> levels, uint32_t need, uint16_t* counts,
            uint64_t& added) {
  const auto hopeless = [&] {
    uint32_t largest = 0;
    for (uint32_t lane = 0; lane < kBlockGraphs; ++lane) {
      const bool matters = (cursor.lanes >> lane & 1) != 0;
      largest = std::max<uint32_t>(largest, matters ? counts[lane] : 0);
    }
    return largest + cursor.rest < need;
  };
  if (hopeless()) {
    return false;
  }
  for (const RowLevel& level : levels) {
    for (uint32_t bit = 0; bit < level.words * 64; ++bit) {
      if ((cursor.row[bit / 64] >> (bit % 64) & 1) == 0) {
        continue;
      }
      if ((cursor.query[bit / 64] >> (bit % 64) & 1) != 0) {
        AddMask(*cursor.masks, counts + level.counts_offset);
        --cursor.rest;
        ++added;
      }
      ++cursor.masks;
    }
    cursor.row += level.words;
    cursor.query += level.words;
    if (hopeless()) {
      return false;
    }
  }
  return true;
}

void AddHits(std::span<const RareHit> hits, const uint32_t* to, size_t stride, size_t level_stride,
             uint16_t* counts) {
  for (const RareHit& hit : hits) {
    if (to[hit.place] != kNowhere) {
      AddMask(hit.mask, counts + to[hit.place] * stride + hit.level * level_stride);
    }
  }
}

void LargestCounts(const uint16_t* counts, size_t size, uint16_t* largest) {
  for (size_t i = 0; i < size; ++i) {
    largest[i] = *std::max_element(counts + i * kBlockGraphs, counts + (i + 1) * kBlockGraphs);
  }
}

}  // namespace kindred::plain
