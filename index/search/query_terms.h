// The features of a query that a segment has, as the search over its blocks wants them.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "index/lists/block_index.h"
#include "index/lists/block_kernels.h"
#include "index/search/bound_units.h"
#include "index/search/interrupt.h"

namespace kindred {

struct QueryTerms {
  struct AtLevel {
    Level level = 0;
    uint16_t weight = 0;
    uint32_t always = 0;                              // Frequent features nearly every block has.
    std::vector<const uint16_t*> columns;             // Of the other frequent features,
    std::vector<const uint16_t*> group_columns;       // and of the same.
    std::vector<std::span<const BlockPosting>> rare;  // Of rare ones.

    // Calls visit(list) for each rare one, and looks at the interrupt now and then.
    template <typename Visit>
    absl::Status ReadRare(const Interrupt& interrupt, SearchStats& stats, Visit visit) const {
      uint64_t unchecked = 0;
      for (const std::span<const BlockPosting> list : rare) {
        visit(list);
        stats.postings_read += list.size();
        unchecked += list.size();
        if (unchecked >= kPostingsBetweenChecks) {
          unchecked = 0;
          if (absl::Status status = interrupt.Check(); !status.ok()) {
            return status;
          }
        }
      }
      return absl::OkStatus();
    }
  };

  QueryTerms(const BlockIndex& blocks, const Query& query, const BoundUnits& units);

  // As BoundSixteens takes them, for as long as this lives.
  std::vector<LevelTerms> BlockTerms() const;
  std::vector<LevelTerms> GroupTerms() const;
  // All levels, in the order of a row; those that do not count share no bit with the query. Where levels are
  // told apart, the counts of each lie behind those of the one before.
  std::vector<RowLevel> RowLevels(const BlockIndex& blocks, bool summed) const;

  std::vector<AtLevel> levels;  // Those that count, shallow first.
  std::vector<uint64_t> row;    // The query's frequent features, as in a block's row.

 private:
  void Add(const BlockIndex& blocks, AtLevel& level, uint32_t feature);
};

}  // namespace kindred
