// Of block_kernels.h: BoundBlocks, SelectBlocks, VectorTarget.

#include "index/lists/block_kernels.h"

#include <algorithm>
#include <bit>

#include "index/base/mutant.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index/lists/block_kernels.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace kindred::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// 64 blocks a lane; at most 8 words, the padding of columns.
using WordTag = hn::CappedTag<uint64_t, kColumnWordsMultiple>;
using Words = hn::Vec<WordTag>;

// Columns are read a tile at a time, eight side by side: a few lines of each in a row, as memory likes it,
// where a word of each at a time would be as many streams as there are columns.
constexpr size_t kTileWords = size_t{4} * kColumnWordsMultiple;
constexpr size_t kColumnsAtOnce = 8;
// Stands for the columns that are missing to a full eight.
HWY_ALIGN constexpr uint64_t kNoBlocks[kTileWords] = {};

// Adds three bits of equal weight: `sum` keeps the weight, the carry has twice that.
HWY_INLINE Words AddBits(Words a, Words b, Words c, Words& sum) {
  const Words both = hn::Xor(a, b);
  sum = hn::Xor(both, c);
  return hn::Or(hn::And(a, b), hn::And(both, c));
}

// Counts columns in bit planes: bit p of the number of columns that have a block is its bit in the words at
// planes + p * kTileWords. Columns go in eight at a time through a tree of carry-save adders, so that the
// higher planes are touched once in eight. Writes at least 4 planes; returns how many may have bits.
HWY_INLINE size_t CountColumns(std::span<const uint64_t* const> columns, size_t word, size_t width,
                               uint64_t* HWY_RESTRICT planes) {
  const WordTag d;
  const auto used = static_cast<size_t>(std::bit_width(columns.size()));
  const size_t written = std::max<size_t>(used, 4);
  std::fill_n(planes, written * kTileWords, 0);
  for (size_t i = 0; i < columns.size(); i += kColumnsAtOnce) {
    const uint64_t* HWY_RESTRICT at[kColumnsAtOnce];
    for (size_t j = 0; j < kColumnsAtOnce; ++j) {
      at[j] = i + j < columns.size() ? columns[i + j] + word : kNoBlocks;
    }
    for (size_t w = 0; w < width; w += hn::Lanes(d)) {
      const auto load = [&](size_t j) HWY_ATTR {
        // The next tile; beyond the end of a column the next one, or nothing: a prefetch never faults.
        __builtin_prefetch(at[j] + w + kTileWords);
        return hn::LoadU(d, at[j] + w);
      };
      const auto plane = [&](size_t p) { return planes + p * kTileWords + w; };
      Words ones = hn::LoadU(d, plane(0));
      Words twos = hn::LoadU(d, plane(1));
      Words fours = hn::LoadU(d, plane(2));
      const Words twos_a = AddBits(ones, load(0), load(1), ones);
      const Words twos_b = AddBits(ones, load(2), load(3), ones);
      const Words fours_a = AddBits(twos, twos_a, twos_b, twos);
      const Words twos_c = AddBits(ones, load(4), load(5), ones);
      const Words twos_d = AddBits(ones, load(6), load(7), ones);
      const Words fours_b = AddBits(twos, twos_c, twos_d, twos);
      Words carry = AddBits(fours, fours_a, fours_b, fours);
      hn::StoreU(ones, d, plane(0));
      hn::StoreU(twos, d, plane(1));
      hn::StoreU(fours, d, plane(2));
      for (size_t p = 3; p < written; ++p) {
        const Words before = hn::LoadU(d, plane(p));
        hn::StoreU(hn::Xor(before, carry), d, plane(p));
        carry = hn::And(before, carry);
      }
    }
  }
  return used;
}

// The largest lane: within each 16 bytes by halves, then over those.
template <class D>
HWY_INLINE hn::TFromD<D> Largest(D d, hn::Vec<D> values) {
  using T = hn::TFromD<D>;
  size_t step = 1;
#if HWY_TARGET != HWY_SCALAR
  values = hn::Max(values, hn::ShiftRightBytes<8>(d, values));
  values = hn::Max(values, hn::ShiftRightBytes<4>(d, values));
  values = hn::Max(values, hn::ShiftRightBytes<2>(d, values));
  if constexpr (sizeof(T) == 1) {
    values = hn::Max(values, hn::ShiftRightBytes<1>(d, values));
  }
  step = 16 / sizeof(T);
#endif
  HWY_ALIGN T lanes[HWY_MAX_BYTES / sizeof(T)];
  hn::Store(values, d, lanes);
  T largest = lanes[0];
  for (size_t lane = step; lane < hn::Lanes(d); lane += step) {
    largest = std::max(largest, lanes[lane]);
  }
  return largest;
}

template <typename T>
HWY_INLINE void BoundBlocksAs(std::span<const LevelTerms<T>> levels, const T* HWY_RESTRICT largest,
                              uint32_t first, uint32_t last, const BlockBounds<T>& out) {
  const hn::CappedTag<T, kChunkBlocks> d;
  const size_t lanes = hn::Lanes(d);
  constexpr size_t kPlanesMax = 16;
  HWY_ALIGN uint64_t planes[kLevelsMax][kPlanesMax * kTileWords];
  size_t plane_counts[kLevelsMax] = {};

  for (size_t word = first; word < last; word += kTileWords) {
    const size_t width = std::min(kTileWords, last - word);
    for (size_t l = 0; l < levels.size(); ++l) {
      plane_counts[l] = CountColumns(levels[l].columns, word, width, planes[l]);
    }
    for (size_t w = 0; w < width; ++w) {
      auto chunk_bound = hn::Zero(d);
      for (size_t b = 0; b < kChunkBlocks; b += lanes) {
        const size_t block = (word + w) * kChunkBlocks + b;
        auto overlap = hn::LoadU(d, largest + block);
        auto bound = hn::Zero(d);
        auto frequent = hn::Zero(d);
        for (size_t l = 0; l < levels.size(); ++l) {
          auto present = hn::Set(d, levels[l].always);
          for (size_t p = 0; p < plane_counts[l]; ++p) {
            const uint64_t bits = planes[l][p * kTileWords + w] >> b;
            uint8_t bytes[8];
            std::copy_n(reinterpret_cast<const uint8_t*>(&bits), 8, bytes);
            const auto has = hn::LoadMaskBits(d, bytes);
            present =
                hn::SaturatedAdd(present, hn::IfThenElseZero(has, hn::Set(d, static_cast<T>(T{1} << p))));
          }
          frequent = hn::SaturatedAdd(frequent, present);
          if (levels[l].rare != nullptr) {
            present = hn::SaturatedAdd(present, hn::LoadU(d, levels[l].rare + block));
          }
          if (TooTight(Mutant::kLevelStep) != 0 && l > 0) {
            overlap = hn::SaturatedSub(overlap, hn::Set(d, T{1}));
          }
          overlap = hn::Min(overlap, present);
          if constexpr (sizeof(T) == 1) {
            bound = hn::Add(bound, overlap);
          } else {
            bound = hn::Add(bound, hn::Mul(overlap, hn::Set(d, levels[l].weight)));
          }
        }
        hn::StoreU(bound, d, out.bounds + block);
        hn::StoreU(frequent, d, out.frequent + block);
        chunk_bound = hn::Max(chunk_bound, bound);
      }
      out.chunk_bounds[word + w] = Largest(d, chunk_bound);
    }
  }
}

void BoundBytes(std::span<const LevelTerms<uint8_t>> levels, const uint8_t* largest, uint32_t first,
                uint32_t last, const BlockBounds<uint8_t>& out) {
  BoundBlocksAs<uint8_t>(levels, largest, first, last, out);
}

void BoundWords(std::span<const LevelTerms<uint16_t>> levels, const uint16_t* largest, uint32_t first,
                uint32_t last, const BlockBounds<uint16_t>& out) {
  BoundBlocksAs<uint16_t>(levels, largest, first, last, out);
}

template <typename T>
HWY_INLINE void SelectBlocksAs(const T* HWY_RESTRICT bounds, const T* HWY_RESTRICT least, uint32_t first,
                               uint32_t last, uint64_t* HWY_RESTRICT selected) {
  const hn::CappedTag<T, kChunkBlocks> d;
  for (size_t chunk = first; chunk < last; ++chunk) {
    const auto need = hn::Set(d, least[chunk]);
    uint64_t bits = 0;
    for (size_t b = 0; b < kChunkBlocks; b += hn::Lanes(d)) {
      const auto bound = hn::LoadU(d, bounds + chunk * kChunkBlocks + b);
      uint64_t some = 0;
      hn::StoreMaskBits(d, hn::Eq(hn::Max(bound, need), bound), reinterpret_cast<uint8_t*>(&some));
      bits |= some << b;
    }
    selected[chunk] = bits;
  }
}

void SelectBytes(const uint8_t* bounds, const uint8_t* least, uint32_t first, uint32_t last,
                 uint64_t* selected) {
  SelectBlocksAs<uint8_t>(bounds, least, first, last, selected);
}

void SelectWords(const uint16_t* bounds, const uint16_t* least, uint32_t first, uint32_t last,
                 uint64_t* selected) {
  SelectBlocksAs<uint16_t>(bounds, least, first, last, selected);
}

}  // namespace kindred::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kindred {

HWY_EXPORT(BoundBytes);
HWY_EXPORT(BoundWords);
HWY_EXPORT(SelectBytes);
HWY_EXPORT(SelectWords);

void BoundBlocks(std::span<const LevelTerms<uint8_t>> levels, const uint8_t* largest, uint32_t first,
                 uint32_t last, const BlockBounds<uint8_t>& out) {
  HWY_DYNAMIC_DISPATCH(BoundBytes)(levels, largest, first, last, out);
}

void BoundBlocks(std::span<const LevelTerms<uint16_t>> levels, const uint16_t* largest, uint32_t first,
                 uint32_t last, const BlockBounds<uint16_t>& out) {
  HWY_DYNAMIC_DISPATCH(BoundWords)(levels, largest, first, last, out);
}

void SelectBlocks(const uint8_t* bounds, const uint8_t* least, uint32_t first, uint32_t last,
                  uint64_t* selected) {
  HWY_DYNAMIC_DISPATCH(SelectBytes)(bounds, least, first, last, selected);
}

void SelectBlocks(const uint16_t* bounds, const uint16_t* least, uint32_t first, uint32_t last,
                  uint64_t* selected) {
  HWY_DYNAMIC_DISPATCH(SelectWords)(bounds, least, first, last, selected);
}

const char* VectorTarget() {
  // The machine may have some that the program was not compiled for.
  const int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(targets & -targets);  // The best has the lowest bit.
}

}  // namespace kindred
#endif  // HWY_ONCE
