#include "index/search/query_terms.h"

#include <algorithm>

#include "index/base/mutant.h"

namespace kindred {

QueryTerms::QueryTerms(const BlockIndex& blocks, const Query& query, const BoundUnits& units)
    : row(blocks.row_words()) {
  for (Level level = 0; level <= query.scoring.depth(); ++level) {
    if (units.weight(level) == 0) {
      continue;
    }
    AtLevel& here = levels.emplace_back();
    here.level = level;
    here.weight = units.weight(level);
    for (const Histogram::Entry& entry : query.histogram.at_level(level)) {
      // What no graph of the segment wears so often is shared by none.
      const FeatureRange range = blocks.features().Find(level, entry.colour);
      const uint32_t end =
          std::min(range.end, range.begin + entry.count) - std::min(range.size(), TooTight(Mutant::kUnary));
      for (uint32_t feature = range.begin; feature < end; ++feature) {
        const auto list = blocks.rare_list(feature);
        if (!list.empty()) {
          here.rare.push_back(list);
        } else if (const auto frequent = blocks.FindFrequent(feature)) {
          if (blocks.ubiquitous(*frequent)) {
            ++here.always;
          } else {
            here.columns.push_back(blocks.column(*frequent));
          }
          row[blocks.row_bit(*frequent) / 64] |= uint64_t{1} << (blocks.row_bit(*frequent) % 64);
        }
      }
    }
  }
}

}  // namespace kindred
