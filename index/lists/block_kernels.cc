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

HWY_ALIGN constexpr uint16_t kLaneBits[kBlockGraphs] = {1 << 0,  1 << 1,  1 << 2,  1 << 3, 1 << 4,  1 << 5,
                                                        1 << 6,  1 << 7,  1 << 8,  1 << 9, 1 << 10, 1 << 11,
                                                        1 << 12, 1 << 13, 1 << 14, 1 << 15};

// Columns are fetched into the cache so many words ahead, where that is another line of it.
constexpr size_t kPrefetchWords = 2;
constexpr size_t kLineWords = 64 / sizeof(uint16_t);

HWY_INLINE void PrefetchColumns(std::span<const LevelTerms> levels, size_t word) {
  for (const LevelTerms& level : levels) {
    for (const uint16_t* const column : level.columns) {
      __builtin_prefetch(column + word);
    }
  }
}

// 16 counts, in as many vectors as they take.
class Sixteen {
 public:
  using D = hn::CappedTag<uint16_t, kBlockGraphs>;
  static constexpr size_t kLanes = hn::MaxLanes(D());
  static constexpr size_t kParts = kBlockGraphs / kLanes;

  static HWY_INLINE Sixteen Of(uint16_t value) {
    Sixteen counts;
    for (auto& part : counts.parts_) {
      part = hn::Set(D(), value);
    }
    return counts;
  }
  static HWY_INLINE Sixteen Load(const uint16_t* from) {
    Sixteen counts;
    for (size_t part = 0; part < kParts; ++part) {
      counts.parts_[part] = hn::LoadU(D(), from + part * kLanes);
    }
    return counts;
  }
  HWY_INLINE void Store(uint16_t* to) const {
    for (size_t part = 0; part < kParts; ++part) {
      hn::StoreU(parts_[part], D(), to + part * kLanes);
    }
  }

  // Adds 1 where the mask has a bit; saturates.
  HWY_INLINE void AddMask(uint16_t mask) {
    for (size_t part = 0; part < kParts; ++part) {
#if HWY_TARGET <= HWY_AVX3
      // The mask is one already.
      const uint64_t bits = mask >> (part * kLanes);  // LoadMaskBits may read 8 bytes.
      const auto has = hn::LoadMaskBits(D(), reinterpret_cast<const uint8_t*>(&bits));
      const auto one = hn::IfThenElseZero(has, hn::Set(D(), uint16_t{1}));
#else
      const auto bit = hn::LoadU(D(), kLaneBits + part * kLanes);
      const auto one = hn::Min(hn::And(hn::Set(D(), mask), bit), hn::Set(D(), uint16_t{1}));
#endif
      parts_[part] = hn::SaturatedAdd(parts_[part], one);
    }
  }
  HWY_INLINE void Add(const Sixteen& other) {
    for (size_t part = 0; part < kParts; ++part) {
      parts_[part] = hn::SaturatedAdd(parts_[part], other.parts_[part]);
    }
  }
  HWY_INLINE void AddTimes(const Sixteen& other, uint16_t weight) {
    for (size_t part = 0; part < kParts; ++part) {
      parts_[part] = hn::Add(parts_[part], hn::Mul(other.parts_[part], hn::Set(D(), weight)));
    }
  }
  HWY_INLINE void Subtract(uint16_t value) {
    for (auto& part : parts_) {
      part = hn::SaturatedSub(part, hn::Set(D(), value));
    }
  }
  HWY_INLINE void LimitTo(const Sixteen& other) {
    for (size_t part = 0; part < kParts; ++part) {
      parts_[part] = hn::Min(parts_[part], other.parts_[part]);
    }
  }

  // Those without a bit in the mask become 0.
  HWY_INLINE void Keep(uint16_t mask) {
    Sixteen ones = Of(0);
    ones.AddMask(mask);
    Sixteen most = Of(0);
    most.AddTimes(ones, UINT16_MAX);
    LimitTo(most);
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
    return hn::GetLane(hn::MaxOfLanes(D(), largest));
  }

 private:
  hn::Vec<D> parts_[kParts];
};

void BoundSixteensTo(std::span<const LevelTerms> levels, std::span<const uint32_t> words,
                     const uint16_t* HWY_RESTRICT rare, const uint16_t* HWY_RESTRICT largest,
                     const SixteenBounds& out) {
  for (size_t i = 0; i < words.size(); ++i) {
    const size_t word = words[i];
    if (i + kPrefetchWords < words.size() &&
        words[i + kPrefetchWords] / kLineWords != words[i + kPrefetchWords - 1] / kLineWords) {
      PrefetchColumns(levels, words[i + kPrefetchWords]);
    }
    Sixteen overlap = Sixteen::Load(largest + word * 16);
    overlap.Subtract(TooTight(Mutant::kLevelBound));
    Sixteen bound = Sixteen::Of(0);
    Sixteen frequent = Sixteen::Of(0);
    for (size_t l = 0; l < levels.size(); ++l) {
      Sixteen present = Sixteen::Of(levels[l].always);
      for (const uint16_t* const column : levels[l].columns) {
        present.AddMask(column[word]);
      }
      frequent.Add(present);
      present.Add(Sixteen::Load(rare));
      rare += 16;
      overlap.Subtract(l > 0 ? TooTight(Mutant::kLevelStep) : 0);
      overlap.LimitTo(present);
      bound.AddTimes(overlap, levels[l].weight);
    }
    bound.Store(out.bounds + i * 16);
    frequent.Store(out.frequent + i * 16);
    out.most[i] = bound.Largest();
  }
}

void AddHitsTo(std::span<const RareHit> hits, const uint32_t* HWY_RESTRICT to, size_t stride,
               size_t level_stride, uint16_t* HWY_RESTRICT counts) {
  for (const RareHit& hit : hits) {
    if (to[hit.place] != kNowhere) {
      uint16_t* HWY_RESTRICT at = counts + to[hit.place] * stride + hit.level * level_stride;
      Sixteen sum = Sixteen::Load(at);
      sum.AddMask(hit.mask);
      sum.Store(at);
    }
  }
}

bool AddRowTo(RowCursor& cursor, std::span<const RowLevel> levels, uint32_t need,
              uint16_t* HWY_RESTRICT counts, uint64_t& added) {
  const uint64_t* HWY_RESTRICT row = cursor.row;
  const uint64_t* HWY_RESTRICT query = cursor.query;
  const uint16_t* HWY_RESTRICT masks = cursor.masks;
  uint32_t rest = cursor.rest;
  // By those at counts[0..15] it is decided whether to give up.
  const auto hopeless = [&](uint32_t too_tight) {
    if (need <= rest) {
      return false;
    }
    Sixteen deciding = Sixteen::Load(counts);
    deciding.Keep(cursor.lanes);
    return !deciding.AnyReaches(need - rest + too_tight);
  };
  if (hopeless(0)) {
    return false;
  }
  for (const RowLevel& level : levels) {
    Sixteen sum = Sixteen::Load(counts + level.counts_offset);
    const uint32_t before = rest;
    for (uint32_t word = 0; word < level.words; ++word) {
      const uint64_t bits = row[word];
      for (uint64_t common = bits & query[word]; common != 0; common &= common - 1) {
        sum.AddMask(masks[std::popcount(bits & ((common & -common) - 1))]);
        --rest;
      }
      masks += std::popcount(bits);
    }
    sum.Store(counts + level.counts_offset);
    added += before - rest;
    row += level.words;
    query += level.words;
    if (hopeless(TooTight(Mutant::kRestAfterLevel))) {
      return false;
    }
  }
  cursor = {row, query, masks, rest, cursor.lanes};
  return true;
}

void LargestCountsTo(const uint16_t* HWY_RESTRICT counts, size_t size, uint16_t* HWY_RESTRICT largest) {
  for (size_t i = 0; i < size; ++i) {
    largest[i] = Sixteen::Load(counts + i * kBlockGraphs).Largest();
  }
}

}  // namespace kindred::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kindred {

HWY_EXPORT(BoundSixteensTo);
HWY_EXPORT(AddHitsTo);
HWY_EXPORT(AddRowTo);
HWY_EXPORT(LargestCountsTo);

void BoundSixteens(std::span<const LevelTerms> levels, std::span<const uint32_t> words, const uint16_t* rare,
                   const uint16_t* largest, const SixteenBounds& out) {
  HWY_DYNAMIC_DISPATCH(BoundSixteensTo)(levels, words, rare, largest, out);
}

void AddHits(std::span<const RareHit> hits, const uint32_t* to, size_t stride, size_t level_stride,
             uint16_t* counts) {
  HWY_DYNAMIC_DISPATCH(AddHitsTo)(hits, to, stride, level_stride, counts);
}

bool AddRow(RowCursor& cursor, std::span<const RowLevel> levels, uint32_t need, uint16_t* counts,
            uint64_t& added) {
  return HWY_DYNAMIC_DISPATCH(AddRowTo)(cursor, levels, need, counts, added);
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
