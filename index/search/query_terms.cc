#include "index/search/query_terms.h"

#include <algorithm>

#include "index/base/mutant.h"

namespace kindred {
namespace {

// A colour of the query, and what of it the segment has.
struct Worn {
  size_t place = 0;  // Of its level among those that count.
  Level level = 0;
  Histogram::Entry entry;
  FeatureRange features{};
};

LevelTerms Terms(const QueryTerms::AtLevel& level, std::span<const uint16_t* const> columns) {
  const uint32_t always = level.always - std::min(level.always, TooTight(Mutant::kUbiquitousBound));
  return {columns, static_cast<uint16_t>(std::min<uint32_t>(always, UINT16_MAX)), level.weight};
}

}  // namespace

QueryTerms::QueryTerms(const BlockIndex& blocks, const Query& query, const BoundUnits& units)
    : row(blocks.row_words()) {
  std::vector<Worn> colours;
  for (Level level = 0; level <= query.scoring.depth(); ++level) {
    if (units.weight(level) == 0) {
      continue;
    }
    AtLevel& here = levels.emplace_back();
    here.level = level;
    here.weight = units.weight(level);
    for (const Histogram::Entry& entry : query.histogram.at_level(level)) {
      colours.push_back({levels.size() - 1, level, entry});
    }
  }
  // Step by step for all, so that one does not wait for another's memory.
  const FeatureTable& features = blocks.features();
  for (const Worn& worn : colours) {
    features.PrefetchBucket(worn.level, worn.entry.colour);
  }
  for (const Worn& worn : colours) {
    features.PrefetchColours(worn.level, worn.entry.colour);
  }
  for (Worn& worn : colours) {
    worn.features = features.Find(worn.level, worn.entry.colour);
    blocks.PrefetchList(worn.features.begin);
  }
  for (const Worn& worn : colours) {
    // What no graph of the segment wears so often is shared by none.
    const FeatureRange range = worn.features;
    const uint32_t end = std::min(range.end, range.begin + worn.entry.count) -
                         std::min(range.size(), TooTight(Mutant::kUnary));
    for (uint32_t feature = range.begin; feature < end; ++feature) {
      Add(blocks, levels[worn.place], feature);
    }
  }
}

void QueryTerms::Add(const BlockIndex& blocks, AtLevel& level, uint32_t feature) {
  const auto list = blocks.rare_list(feature);
  if (!list.empty()) {
    __builtin_prefetch(list.data());
    level.rare.push_back(list);
  } else if (const auto frequent = blocks.FindFrequent(feature)) {
    if (blocks.ubiquitous(*frequent)) {
      ++level.always;
    } else {
      level.columns.push_back(blocks.column(*frequent));
      level.group_columns.push_back(blocks.group_column(*frequent));
      __builtin_prefetch(level.group_columns.back());
    }
    row[blocks.row_bit(*frequent) / 64] |= uint64_t{1} << (blocks.row_bit(*frequent) % 64);
  }
}

std::vector<LevelTerms> QueryTerms::BlockTerms() const {
  std::vector<LevelTerms> terms;
  for (const AtLevel& level : levels) {
    terms.push_back(Terms(level, level.columns));
  }
  return terms;
}

std::vector<LevelTerms> QueryTerms::GroupTerms() const {
  std::vector<LevelTerms> terms;
  for (const AtLevel& level : levels) {
    terms.push_back(Terms(level, level.group_columns));
  }
  return terms;
}

std::vector<RowLevel> QueryTerms::RowLevels(const BlockIndex& blocks, bool summed) const {
  std::vector<RowLevel> row_levels;
  for (Level level = 0; level < blocks.features().level_count(); ++level) {
    const auto found = std::ranges::find(levels, level, &AtLevel::level);
    const auto place = static_cast<uint32_t>(found - levels.begin());
    row_levels.push_back(
        {blocks.row_words_at(level).size(), summed || found == levels.end() ? 0 : place * kBlockGraphs});
  }
  return row_levels;
}

}  // namespace kindred
