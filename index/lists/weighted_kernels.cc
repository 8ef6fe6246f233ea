#include "index/lists/weighted_kernels.h"

#include <bit>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index/lists/weighted_kernels.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace kindred::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kSums = 16;

HWY_ALIGN constexpr int16_t kSumLaneBits[kSums] = {1 << 0,  1 << 1,  1 << 2,  1 << 3,   1 << 4,  1 << 5,
                                                   1 << 6,  1 << 7,  1 << 8,  1 << 9,   1 << 10, 1 << 11,
                                                   1 << 12, 1 << 13, 1 << 14, INT16_MIN};

// 16 sums, in as many vectors as they take.
class SixteenSums {
 public:
  using D = hn::CappedTag<int16_t, kSums>;
  static constexpr size_t kLanes = hn::MaxLanes(D());
  static constexpr size_t kParts = kSums / kLanes;

  static HWY_INLINE SixteenSums Load(const int16_t* from) {
    SixteenSums sums;
    for (size_t part = 0; part < kParts; ++part) {
      sums.parts_[part] = hn::LoadU(D(), from + part * kLanes);
    }
    return sums;
  }
  HWY_INLINE void Store(int16_t* to) const {
    for (size_t part = 0; part < kParts; ++part) {
      hn::StoreU(parts_[part], D(), to + part * kLanes);
    }
  }

  // Adds the weight where the mask has a bit; saturates.
  HWY_INLINE void Add(uint16_t mask, int16_t weight) {
    const auto bits = hn::Set(D(), static_cast<int16_t>(mask));
    const auto value = hn::Set(D(), weight);
    for (size_t part = 0; part < kParts; ++part) {
      const auto bit = hn::LoadU(D(), kSumLaneBits + part * kLanes);
      const auto has = hn::Eq(hn::And(bits, bit), bit);
      parts_[part] = hn::SaturatedAdd(parts_[part], hn::IfThenElseZero(has, value));
    }
  }

 private:
  hn::Vec<D> parts_[kParts];
};

void AddColumnsTo(std::span<const uint16_t* const> columns, std::span<const int16_t> weights,
                  std::span<const uint32_t> words, int16_t* HWY_RESTRICT sums) {
  for (size_t i = 0; i < words.size(); ++i) {
    SixteenSums sum = SixteenSums::Load(sums + i * kSums);
    for (size_t c = 0; c < columns.size(); ++c) {
      sum.Add(columns[c][words[i]], weights[c]);
    }
    sum.Store(sums + i * kSums);
  }
}

void AddMasksTo(std::span<const WeightedMask> masks, int16_t* HWY_RESTRICT sums) {
  SixteenSums sum = SixteenSums::Load(sums);
  for (const WeightedMask& mask : masks) {
    sum.Add(mask.mask, mask.weight);
  }
  sum.Store(sums);
}

uint32_t AddWeightedRowTo(const uint64_t* HWY_RESTRICT row, const uint64_t* HWY_RESTRICT query,
                          uint32_t words, const uint16_t* HWY_RESTRICT masks,
                          const int16_t* HWY_RESTRICT weights, int16_t* HWY_RESTRICT sums) {
  SixteenSums sum = SixteenSums::Load(sums);
  uint32_t added = 0;
  for (uint32_t word = 0; word < words; ++word) {
    const uint64_t bits = row[word];
    for (uint64_t common = bits & query[word]; common != 0; common &= common - 1) {
      const uint64_t lowest = common & -common;
      sum.Add(masks[std::popcount(bits & (lowest - 1))],
              weights[word * 64 + static_cast<uint32_t>(std::countr_zero(common))]);
      ++added;
    }
    masks += std::popcount(bits);
  }
  sum.Store(sums);
  return added;
}

}  // namespace kindred::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kindred {

HWY_EXPORT(AddColumnsTo);
HWY_EXPORT(AddMasksTo);
HWY_EXPORT(AddWeightedRowTo);

void AddColumns(std::span<const uint16_t* const> columns, std::span<const int16_t> weights,
                std::span<const uint32_t> words, int16_t* sums) {
  HWY_DYNAMIC_DISPATCH(AddColumnsTo)(columns, weights, words, sums);
}

void AddMasks(std::span<const WeightedMask> masks, int16_t* sums) {
  HWY_DYNAMIC_DISPATCH(AddMasksTo)(masks, sums);
}

uint32_t AddWeightedRow(const uint64_t* row, const uint64_t* query, uint32_t words, const uint16_t* masks,
                        const int16_t* weights, int16_t* sums) {
  return HWY_DYNAMIC_DISPATCH(AddWeightedRowTo)(row, query, words, masks, weights, sums);
}

}  // namespace kindred
#endif  // HWY_ONCE
