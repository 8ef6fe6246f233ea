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

// Columns are too many streams for the hardware to follow. Beyond the end of a column it fetches the next
// one, or nothing: a prefetch never faults.
constexpr size_t kPrefetchWords = 4 * kColumnWordsMultiple;

// Adds three bits of equal weight: `sum` keeps the weight, the carry has twice that.
HWY_INLINE Words AddBits(Words a, Words b, Words c, Words& sum) {
  const Words both = hn::Xor(a, b);
  sum = hn::Xor(both, c);
  return hn::Or(hn::And(a, b), hn::And(both, c));
}

// Counts in bit planes: plane p of block b is bit p of the number of columns that have b. Columns go in eight
// at a time through a tree of carry-save adders, so that the higher planes are touched once in eight.
template <size_t kPlanes>
HWY_INLINE void CountColumns(std::span<const uint64_t* const> columns, size_t word,
                             Words* HWY_RESTRICT planes) {
  const WordTag d;
  for (size_t p = 0; p < kPlanes; ++p) {
    planes[p] = hn::Zero(d);
  }
  const auto carry_into = [&](Words carry, size_t from) HWY_ATTR {
    for (size_t p = from; p < kPlanes; ++p) {
      const Words next = hn::And(planes[p], carry);
      planes[p] = hn::Xor(planes[p], carry);
      carry = next;
    }
  };
  size_t i = 0;
  if constexpr (kPlanes > 3) {
    for (; i + 8 <= columns.size(); i += 8) {
      const auto load = [&](size_t j) HWY_ATTR {
        __builtin_prefetch(columns[i + j] + word + kPrefetchWords);
        return hn::LoadU(d, columns[i + j] + word);
      };
      Words ones = planes[0];
      Words twos = planes[1];
      const Words twos_a = AddBits(ones, load(0), load(1), ones);
      const Words twos_b = AddBits(ones, load(2), load(3), ones);
      const Words fours_a = AddBits(twos, twos_a, twos_b, twos);
      const Words twos_c = AddBits(ones, load(4), load(5), ones);
      const Words twos_d = AddBits(ones, load(6), load(7), ones);
      const Words fours_b = AddBits(twos, twos_c, twos_d, twos);
      planes[0] = ones;
      planes[1] = twos;
      carry_into(AddBits(planes[2], fours_a, fours_b, planes[2]), 3);
    }
  }
  for (; i < columns.size(); ++i) {
    carry_into(hn::LoadU(d, columns[i] + word), 0);
  }
}

// The counts of the columns, for the blocks of Lanes(WordTag) words, as planes in memory.
HWY_INLINE size_t CountIntoPlanes(std::span<const uint64_t* const> columns, size_t word,
                                  uint64_t* HWY_RESTRICT out) {
  const WordTag d;
  const auto store = [&]<size_t kPlanes>() HWY_ATTR {
    Words planes[kPlanes];
    CountColumns<kPlanes>(columns, word, planes);
    for (size_t p = 0; p < kPlanes; ++p) {
      hn::StoreU(planes[p], d, out + p * hn::Lanes(d));
    }
    return kPlanes;
  };
  switch (std::bit_width(columns.size())) {
    case 0:
      return 0;
    case 1:
    case 2:
      return store.template operator()<2>();
    case 3:
      return store.template operator()<3>();
    case 4:
      return store.template operator()<4>();
    case 5:
      return store.template operator()<5>();
    case 6:
      return store.template operator()<6>();
    case 7:
    case 8:
      return store.template operator()<8>();
    default:
      return store.template operator()<16>();
  }
}

template <class D>
HWY_INLINE hn::TFromD<D> Largest(D d, hn::Vec<D> values) {
  HWY_ALIGN hn::TFromD<D> lanes[HWY_MAX_BYTES / sizeof(hn::TFromD<D>)];
  hn::Store(values, d, lanes);
  return *std::max_element(lanes, lanes + hn::Lanes(d));
}

template <typename T>
HWY_INLINE void BoundBlocksAs(std::span<const LevelTerms<T>> levels, const T* HWY_RESTRICT largest,
                              uint32_t first, uint32_t last, const BlockBounds<T>& out) {
  const WordTag words;
  const hn::CappedTag<T, kChunkBlocks> d;
  const size_t lanes = hn::Lanes(d);
  constexpr size_t kPlanesMax = 16;
  HWY_ALIGN uint64_t planes[kLevelsMax][kPlanesMax * kColumnWordsMultiple];
  size_t plane_counts[kLevelsMax] = {};

  for (size_t word = first; word < last; word += hn::Lanes(words)) {
    for (size_t l = 0; l < levels.size(); ++l) {
      plane_counts[l] = CountIntoPlanes(levels[l].columns, word, planes[l]);
    }
    for (size_t w = 0; w < hn::Lanes(words); ++w) {
      auto chunk_bound = hn::Zero(d);
      for (size_t b = 0; b < kChunkBlocks; b += lanes) {
        const size_t block = (word + w) * kChunkBlocks + b;
        auto overlap = hn::LoadU(d, largest + block);
        auto bound = hn::Zero(d);
        auto frequent = hn::Zero(d);
        for (size_t l = 0; l < levels.size(); ++l) {
          auto present = hn::Set(d, levels[l].always);
          for (size_t p = 0; p < plane_counts[l]; ++p) {
            const uint64_t bits = planes[l][p * hn::Lanes(words) + w] >> b;
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

HWY_ALIGN constexpr uint16_t kLaneBits[kBlockGraphs] = {1 << 0,  1 << 1,  1 << 2,  1 << 3, 1 << 4,  1 << 5,
                                                        1 << 6,  1 << 7,  1 << 8,  1 << 9, 1 << 10, 1 << 11,
                                                        1 << 12, 1 << 13, 1 << 14, 1 << 15};

// Adds 1 to the counts of the lanes, from `first` on, that the mask has.
template <class D>
HWY_INLINE hn::Vec<D> AddMask(D d, hn::Vec<D> count, uint16_t mask, size_t first) {
#if HWY_TARGET <= HWY_AVX3
  // The mask is one already.
  const auto bits = static_cast<uint16_t>(mask >> first);
  const auto has = hn::LoadMaskBits(d, reinterpret_cast<const uint8_t*>(&bits));
  return hn::Add(count, hn::IfThenElseZero(has, hn::Set(d, uint16_t{1})));
#else
  // A lane that has its bit compares as all ones, which is -1.
  const auto bit = hn::LoadU(d, kLaneBits + first);
  return hn::Sub(count, hn::VecFromMask(d, hn::Eq(hn::And(hn::Set(d, mask), bit), bit)));
#endif
}

uint64_t AddPostingsTo(std::span<const BlockPosting> list, const uint64_t* HWY_RESTRICT wanted,
                       const uint32_t* HWY_RESTRICT places, size_t stride, uint16_t* HWY_RESTRICT counts) {
  const hn::CappedTag<uint16_t, kBlockGraphs> d;
  uint64_t added = 0;
  uint32_t block = 0;
  for (const BlockPosting& posting : list) {
    block += posting.gap;
    if ((wanted[block / 64] >> (block % 64) & 1) == 0) {
      continue;
    }
    ++added;
    uint16_t* HWY_RESTRICT to = counts + places[block] * stride;
    for (size_t lane = 0; lane < kBlockGraphs; lane += hn::Lanes(d)) {
      hn::StoreU(AddMask(d, hn::LoadU(d, to + lane), posting.mask, lane), d, to + lane);
    }
  }
  return added;
}

// The 16 counts of a block, in as many vectors as they take.
class Counts {
 public:
  using D = hn::CappedTag<uint16_t, kBlockGraphs>;
  static constexpr size_t kLanes = hn::MaxLanes(D());
  static constexpr size_t kParts = kBlockGraphs / kLanes;

  HWY_INLINE void Load(const uint16_t* counts) {
    for (size_t part = 0; part < kParts; ++part) {
      parts_[part] = hn::LoadU(D(), counts + part * kLanes);
    }
  }
  HWY_INLINE void Store(uint16_t* counts) const {
    for (size_t part = 0; part < kParts; ++part) {
      hn::StoreU(parts_[part], D(), counts + part * kLanes);
    }
  }
  HWY_INLINE void Add(uint16_t mask) {
    for (size_t part = 0; part < kParts; ++part) {
      parts_[part] = AddMask(D(), parts_[part], mask, part * kLanes);
    }
  }
  // Whether any is at least `need`.
  HWY_INLINE bool AnyReaches(uint32_t need) const {
    if (need > UINT16_MAX) {
      return false;
    }
    const auto least = hn::Set(D(), static_cast<uint16_t>(need));
    for (size_t part = 0; part < kParts; ++part) {
      if (!hn::AllFalse(D(), hn::Eq(hn::Max(parts_[part], least), parts_[part]))) {
        return true;
      }
    }
    return false;
  }
  HWY_INLINE uint16_t Largest() const {
    auto largest = parts_[0];
    for (size_t part = 1; part < kParts; ++part) {
      largest = hn::Max(largest, parts_[part]);
    }
    return HWY_NAMESPACE::Largest(D(), largest);
  }

 private:
  hn::Vec<D> parts_[kParts];
};

bool AddRowTo(const uint64_t* HWY_RESTRICT row, const uint64_t* HWY_RESTRICT query,
              const uint16_t* HWY_RESTRICT masks, std::span<const RowLevel> levels, uint32_t rest,
              uint32_t need, uint16_t* HWY_RESTRICT counts, uint64_t& added) {
  Counts first;  // Those at counts[0..15], by which it is decided whether to give up.
  first.Load(counts);
  if (need > rest && !first.AnyReaches(need - rest)) {
    return false;
  }
  for (const RowLevel& level : levels) {
    Counts sum;
    sum.Load(counts + level.counts_offset);
    const uint32_t before = rest;
    for (uint32_t word = 0; word < level.words; ++word) {
      const uint64_t bits = row[word];
      for (uint64_t common = bits & query[word]; common != 0; common &= common - 1) {
        sum.Add(masks[std::popcount(bits & ((common & -common) - 1))]);
        --rest;
      }
      masks += std::popcount(bits);
    }
    sum.Store(counts + level.counts_offset);
    added += before - rest;
    row += level.words;
    query += level.words;
    first.Load(counts);
    if (need > rest && !first.AnyReaches(need - rest + TooTight(Mutant::kRestAfterLevel))) {
      return false;
    }
  }
  return true;
}

void LargestCountsTo(const uint16_t* HWY_RESTRICT counts, size_t size, uint16_t* HWY_RESTRICT largest) {
  for (size_t i = 0; i < size; ++i) {
    Counts block;
    block.Load(counts + i * kBlockGraphs);
    largest[i] = block.Largest();
  }
}

}  // namespace kindred::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kindred {

HWY_EXPORT(BoundBytes);
HWY_EXPORT(BoundWords);
HWY_EXPORT(AddRowTo);
HWY_EXPORT(LargestCountsTo);
HWY_EXPORT(AddPostingsTo);

void BoundBlocks(std::span<const LevelTerms<uint8_t>> levels, const uint8_t* largest, uint32_t first,
                 uint32_t last, const BlockBounds<uint8_t>& out) {
  HWY_DYNAMIC_DISPATCH(BoundBytes)(levels, largest, first, last, out);
}

void BoundBlocks(std::span<const LevelTerms<uint16_t>> levels, const uint16_t* largest, uint32_t first,
                 uint32_t last, const BlockBounds<uint16_t>& out) {
  HWY_DYNAMIC_DISPATCH(BoundWords)(levels, largest, first, last, out);
}

bool AddRow(const uint64_t* row, const uint64_t* query, const uint16_t* masks,
            std::span<const RowLevel> levels, uint32_t rest, uint32_t need, uint16_t* counts,
            uint64_t& added) {
  return HWY_DYNAMIC_DISPATCH(AddRowTo)(row, query, masks, levels, rest, need, counts, added);
}

uint64_t AddPostings(std::span<const BlockPosting> list, const uint64_t* wanted, const uint32_t* places,
                     size_t stride, uint16_t* counts) {
  return HWY_DYNAMIC_DISPATCH(AddPostingsTo)(list, wanted, places, stride, counts);
}

void LargestCounts(const uint16_t* counts, size_t size, uint16_t* largest) {
  HWY_DYNAMIC_DISPATCH(LargestCountsTo)(counts, size, largest);
}

const char* VectorTarget() {
  // The machine may have some that the program was not compiled for.
  const int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(targets & -targets);  // The best has the lowest bit.
}

}  // namespace kindred
#endif  // HWY_ONCE
