#include "index/search/bounded_blocks.h"

#include <utility>

#include "index/base/status.h"

namespace kindred {
namespace {

// Half a megabyte. A large query in a large segment may have more, and reads its lists again.
constexpr size_t kHitsMax = 1 << 16;

}  // namespace

BoundedBlocks::BoundedBlocks(const BlockIndex& blocks, const LiveBlocks& live, const QueryTerms& terms,
                             BlockScratch& scratch)
    : blocks_(blocks),
      live_(live),
      terms_(terms),
      scratch_(scratch),
      bounds_({blocks.block_count(), blocks.smallest(), blocks.largest(), blocks.group_smallest()},
              scratch.blocks) {}

absl::Status BoundedBlocks::Bound(std::vector<uint32_t> groups, const Interrupt& interrupt,
                                  SearchStats& stats) {
  bounds_.Reset(std::move(groups), terms_.levels.size());
  for (size_t i = 0; i < bounds_.words().size(); ++i) {
    stats.blocks_bounded += bounds_.count_in(i);
  }
  if (bounds_.words().empty()) {
    scratch_.hits.clear();
    kept_ = true;
    return absl::OkStatus();
  }
  size_t batches = 0;
  KINDRED_RETURN_IF_ERROR(ReadRare(interrupt, stats, [&](std::span<const RareHit> hits) {
    ++batches;
    for (const RareHit& hit : hits) {
      ++bounds_.rare(hit.place, hit.level);
    }
  }));
  kept_ = batches == 1;
  return bounds_.Bound(terms_.BlockTerms(), interrupt);
}

absl::Status BoundedBlocks::ForEachRare(const Interrupt& interrupt, SearchStats& stats,
                                        absl::FunctionRef<void(std::span<const RareHit>)> take) {
  if (kept_) {
    take(scratch_.hits);
    return absl::OkStatus();
  }
  return ReadRare(interrupt, stats, take);
}

absl::Status BoundedBlocks::ReadRare(const Interrupt& interrupt, SearchStats& stats,
                                     absl::FunctionRef<void(std::span<const RareHit>)> take) {
  GrowTo(scratch_.group_places, blocks_.group_count(), kNowhere);
  for (size_t i = 0; i < bounds_.words().size(); ++i) {
    scratch_.group_places[bounds_.words()[i]] = static_cast<uint32_t>(i) * kGroupBlocks;
  }
  scratch_.hits.clear();
  const absl::Status status = ReadLists(interrupt, stats, take);
  for (const uint32_t group : bounds_.words()) {
    scratch_.group_places[group] = kNowhere;
  }
  return status;
}

// Leaves the last hits in scratch_.hits.
absl::Status BoundedBlocks::ReadLists(const Interrupt& interrupt, SearchStats& stats,
                                      absl::FunctionRef<void(std::span<const RareHit>)> take) {
  std::vector<RareHit>& hits = scratch_.hits;
  for (size_t l = 0; l < terms_.levels.size(); ++l) {
    KINDRED_RETURN_IF_ERROR(
        terms_.levels[l].ReadRare(interrupt, stats, [&](std::span<const BlockPosting> list) {
          uint32_t block = 0;
          for (const BlockPosting& posting : list) {
            block += posting.gap;
            const uint32_t place = scratch_.group_places[block / kGroupBlocks];
            if (place == kNowhere) {
              continue;
            }
            const auto mask = static_cast<uint16_t>(posting.mask & live_.lanes(block));
            if (mask == 0) {
              continue;
            }
            if (hits.size() == kHitsMax) {
              take(hits);
              hits.clear();
            }
            hits.push_back({place + block % kGroupBlocks, mask, static_cast<uint16_t>(l)});
          }
        }));
  }
  take(hits);
  return absl::OkStatus();
}

}  // namespace kindred
