// The features of a query that a segment has, as the search over its blocks wants them.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/lists/block_index.h"
#include "index/search/bound_units.h"

namespace kindred {

struct QueryTerms {
  struct AtLevel {
    Level level = 0;
    uint16_t weight = 0;
    uint32_t always = 0;                              // Frequent features nearly every block has.
    std::vector<const uint64_t*> columns;             // Of the other frequent features.
    std::vector<std::span<const BlockPosting>> rare;  // Of rare ones.
  };

  QueryTerms(const BlockIndex& blocks, const Query& query, const BoundUnits& units);

  std::vector<AtLevel> levels;  // Those that count, shallow first.
  std::vector<uint64_t> row;    // The query's frequent features, as in a block's row.
};

}  // namespace kindred
