#include "index/lists/colour_features.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "index/lists/block_index.h"

namespace kindred {
namespace {

constexpr size_t kSlotsMin = 1024;
constexpr uint32_t kCountBits = 8;
constexpr uint32_t kCountMask = (1u << kCountBits) - 1;
static_assert(kBlockCountMax <= kCountMask);

}  // namespace

ColourFeatures::ColourFeatures() : slots_(kSlotsMin), shift_(64 - std::countr_zero(kSlotsMin)) {}

void ColourFeatures::Note(Level level, uint32_t colour, uint32_t count) {
  Slot& slot = slots_[Place(colour)];
  if (slot.value != 0) {
    if (count > (slot.value & kCountMask)) {
      slot.value = uint32_t{level} << kCountBits | count;
    }
    return;
  }
  slot = {colour, uint32_t{level} << kCountBits | count};
  if (++taken_ * 2 > slots_.size()) {
    Grow();
  }
}

void ColourFeatures::Grow() {
  const LargeVector<Slot> before = std::exchange(slots_, LargeVector<Slot>(slots_.size() * 2));
  --shift_;
  for (const Slot& slot : before) {
    if (slot.value != 0) {
      slots_[Place(slot.colour)] = slot;
    }
  }
}

FeatureTable ColourFeatures::Number() {
  std::vector<std::vector<FeatureTable::Colour>> levels;
  for (const Slot& slot : slots_) {
    if (slot.value != 0) {
      const size_t level = slot.value >> kCountBits;
      levels.resize(std::max(levels.size(), level + 1));
      levels[level].push_back({ColourId{slot.colour}, slot.value & kCountMask});
    }
  }
  for (auto& level : levels) {
    std::ranges::sort(level, {}, &FeatureTable::Colour::id);
  }
  FeatureTable table(levels);
  for (uint32_t number = 0; number < table.colour_count(); ++number) {
    slots_[Place(Raw(table.colour(number)))].value = table.features(number).begin + 1;
  }
  return table;
}

}  // namespace kindred
