// The features of a query that a segment has, as the search over its blocks wants them.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/lists/block_index.h"
#include "index/lists/block_kernels.h"
#include "index/search/bound_units.h"

namespace kindred {

struct QueryTerms {
  struct AtLevel {
    Level level = 0;
    uint16_t weight = 0;
    uint32_t always = 0;                              // Frequent features nearly every block has.
    std::vector<const uint16_t*> columns;             // Of the other frequent features,
    std::vector<const uint16_t*> group_columns;       // and of the same.
    std::vector<std::span<const BlockPosting>> rare;  // Of rare ones.
  };

  QueryTerms(const BlockIndex& blocks, const Query& query, const BoundUnits& units);

  // As BoundSixteens takes them, for as long as this lives.
  std::vector<LevelTerms> BlockTerms() const;
  std::vector<LevelTerms> GroupTerms() const;

  std::vector<AtLevel> levels;  // Those that count, shallow first.
  std::vector<uint64_t> row;    // The query's frequent features, as in a block's row.

 private:
  void Add(const BlockIndex& blocks, AtLevel& level, uint32_t feature);
};

}  // namespace kindred
