// Of block_kernels.h: AddPostings, AddRow, LargestCounts.

#include <algorithm>
#include <bit>

#include "index/base/mutant.h"
#include "index/lists/block_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index/lists/block_kernels_counts.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace kindred::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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
    for (const auto& part : parts_) {
      if (!hn::AllFalse(D(), hn::Eq(hn::Max(part, least), part))) {
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
    HWY_ALIGN uint16_t lanes[kLanes];
    hn::Store(largest, D(), lanes);
    return *std::max_element(lanes, lanes + kLanes);
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

HWY_EXPORT(AddPostingsTo);
HWY_EXPORT(AddRowTo);
HWY_EXPORT(LargestCountsTo);

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

}  // namespace kindred
#endif  // HWY_ONCE
