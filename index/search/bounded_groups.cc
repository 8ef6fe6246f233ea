#include "index/search/bounded_groups.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "index/base/status.h"

namespace kindred {

BoundedGroups::BoundedGroups(const BlockIndex& blocks, const LiveBlocks& live, const QueryTerms& terms,
                             BlockScratch& scratch)
    : blocks_(blocks),
      live_(live),
      terms_(terms),
      bounds_(
          {blocks.group_count(), blocks.group_smallest(), blocks.group_largest(), blocks.shelf_smallest()},
          scratch.groups) {}

absl::Status BoundedGroups::Bound(BlockPart part, const BoundUnits& units, NeedTable& need,
                                  const Interrupt& interrupt, SearchStats& stats) {
  bounds_.Reset(Shelves(part, units, need), terms_.levels.size());
  if (bounds_.words().empty()) {
    return absl::OkStatus();
  }
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
    if (units.Most(blocks_.shelf_largest()[shelf]) >= need(blocks_.shelf_smallest()[shelf]) &&
        live_.InShelf(shelf)) {
      shelves.push_back(shelf);
    }
  }
  return shelves;
}

// A group has a feature once, in however many of its blocks, if a graph that is shown does.
absl::Status BoundedGroups::CountRare(const Interrupt& interrupt, SearchStats& stats) {
  std::vector<uint32_t> counts;  // A group each, of one level.
  const auto count = [&](std::span<const BlockPosting> list) {
    uint32_t block = 0;
    uint32_t last = kNowhere;
    for (const BlockPosting& posting : list) {
      block += posting.gap;
      if ((posting.mask & live_.lanes(block)) == 0) {
        continue;
      }
      const uint32_t group = block / kGroupBlocks;
      counts[group] += static_cast<uint32_t>(group != last);
      last = group;
    }
  };
  for (size_t l = 0; l < terms_.levels.size(); ++l) {
    if (terms_.levels[l].rare.empty()) {
      continue;
    }
    counts.assign(size_t{blocks_.shelf_count()} * kShelfGroups, 0);
    KINDRED_RETURN_IF_ERROR(terms_.levels[l].ReadRare(interrupt, stats, count));
    for (uint32_t place = 0; place < bounds_.words().size() * kShelfGroups; ++place) {
      bounds_.rare(place, l) =
          static_cast<uint16_t>(std::min<uint32_t>(counts[bounds_.number(place)], UINT16_MAX));
    }
  }
  return absl::OkStatus();
}

}  // namespace kindred
