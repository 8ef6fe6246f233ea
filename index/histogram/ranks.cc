#include "index/histogram/ranks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index/histogram/ranks.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace kindred::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Four vectors at a time stay in registers, as an array of them would not.
void FindRanksTo(const int32_t* HWY_RESTRICT numbers, size_t count, int32_t* HWY_RESTRICT ranks) {
  const hn::CappedTag<int32_t, kRankedMax / 4> tag;
  const size_t lanes = hn::Lanes(tag);
  for (size_t begin = 0; begin < count; begin += 4 * lanes) {
    const auto numbers0 = hn::LoadU(tag, numbers + begin);
    const auto numbers1 = hn::LoadU(tag, numbers + begin + lanes);
    const auto numbers2 = hn::LoadU(tag, numbers + begin + 2 * lanes);
    const auto numbers3 = hn::LoadU(tag, numbers + begin + 3 * lanes);
    auto ranks0 = hn::Zero(tag);
    auto ranks1 = hn::Zero(tag);
    auto ranks2 = hn::Zero(tag);
    auto ranks3 = hn::Zero(tag);
    for (size_t i = 0; i < count; ++i) {
      const auto other = hn::Set(tag, numbers[i]);
      ranks0 = hn::Sub(ranks0, hn::VecFromMask(tag, hn::Lt(other, numbers0)));  // True is -1.
      ranks1 = hn::Sub(ranks1, hn::VecFromMask(tag, hn::Lt(other, numbers1)));
      ranks2 = hn::Sub(ranks2, hn::VecFromMask(tag, hn::Lt(other, numbers2)));
      ranks3 = hn::Sub(ranks3, hn::VecFromMask(tag, hn::Lt(other, numbers3)));
    }
    hn::StoreU(ranks0, tag, ranks + begin);
    hn::StoreU(ranks1, tag, ranks + begin + lanes);
    hn::StoreU(ranks2, tag, ranks + begin + 2 * lanes);
    hn::StoreU(ranks3, tag, ranks + begin + 3 * lanes);
  }
}

}  // namespace kindred::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kindred {

HWY_EXPORT(FindRanksTo);

void FindRanks(const std::array<int32_t, kRankedMax>& numbers, size_t count,
               std::array<int32_t, kRankedMax>& ranks) {
  HWY_DYNAMIC_DISPATCH(FindRanksTo)(numbers.data(), count, ranks.data());
}

}  // namespace kindred
#endif  // HWY_ONCE
