#include "index/search/bounded_groups.h"

#include <utility>
#include <vector>

#include "index/base/status.h"

namespace kindred {

BoundedGroups::BoundedGroups(const BlockIndex& blocks, const QueryTerms& terms, BlockScratch& scratch)
    : blocks_(blocks),
      terms_(terms),
      bounds_({blocks.group_count(), blocks.group_smallest(), blocks.group_largest(), blocks.shelf_smallest()},
              scratch.groups) {}

absl::Status BoundedGroups::Bound(BlockPart part, const BoundUnits& units, NeedTable& need,
                                  const Interrupt& interrupt, SearchStats& stats) {
  bounds_.Reset(Shelves(part, units, need), terms_.levels.size());
  KINDRED_RETURN_IF_ERROR(CountRare(interrupt, stats));
  return bounds_.Bound(terms_.GroupTerms(), interrupt);
}

// [SizeBound] Those in which some graph can be similar enough by its size alone.
std::vector<uint32_t> BoundedGroups::Shelves(BlockPart part, const BoundUnits& units, NeedTable& need) const {
  const uint64_t count = blocks_.shelf_count();
  const auto begin = static_cast<uint32_t>(count * part.number / part.count);
  const auto end = static_cast<uint32_t>(count * (part.number + 1) / part.count);
  std::vector<uint32_t> shelves;
  for (uint32_t shelf = begin; shelf < end; ++shelf) {
    if (units.Most(blocks_.shelf_largest()[shelf]) >= need(blocks_.shelf_smallest()[shelf])) {
      shelves.push_back(shelf);
    }
  }
  return shelves;
}

// A group has a feature once, in however many of its blocks.
absl::Status BoundedGroups::CountRare(const Interrupt& interrupt, SearchStats& stats) {
  std::vector<uint32_t> places(blocks_.shelf_count(), kNowhere);
  for (size_t i = 0; i < bounds_.words().size(); ++i) {
    places[bounds_.words()[i]] = static_cast<uint32_t>(i) * 16;
  }
  uint64_t unchecked = 0;
  for (size_t l = 0; l < terms_.levels.size(); ++l) {
    for (const std::span<const BlockPosting> list : terms_.levels[l].rare) {
      uint32_t block = 0;
      uint32_t last = kNowhere;
      for (const BlockPosting& posting : list) {
        block += posting.gap;
        const uint32_t group = block / kGroupBlocks;
        const uint32_t place = places[group / kShelfGroups];
        if (group == last || place == kNowhere || posting.mask == 0) {
          continue;
        }
        last = group;
        uint16_t& count = bounds_.rare(place + group % kShelfGroups, l);
        count = static_cast<uint16_t>(count + (count < UINT16_MAX ? 1 : 0));
      }
      stats.postings_read += list.size();
      unchecked += list.size();
      if (unchecked >= kPostingsBetweenChecks) {
        unchecked = 0;
        KINDRED_RETURN_IF_ERROR(interrupt.Check());
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace kindred
