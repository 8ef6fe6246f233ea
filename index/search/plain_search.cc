#include "index/search/plain_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "index/base/mutant.h"
#include "index/base/status.h"
#include "index/histogram/packed.h"

namespace kindred {

PlainSearch::Counts::Counts(std::span<const Histogram::Entry> entries)
    : mask_(std::bit_ceil(4 * entries.size() + 1) - 1), slots_(mask_ + 1) {
  for (const Histogram::Entry& entry : entries) {
    size_t at = Hash(Raw(entry.colour));
    while (slots_[at].count != 0) {
      at = (at + 1) & mask_;
    }
    slots_[at] = {Raw(entry.colour), entry.count};
  }
}

PlainSearch::PlainSearch(const Query& query, const BoundUnits& units) : query_(query), units_(units) {
  const Level depth = query.scoring.depth();
  deeper_.resize(depth + 1u);
  for (Level level = 0; level <= depth; ++level) {
    counts_.emplace_back(query.histogram.at_level(level));
    for (Level above = 0; above < level; ++above) {
      deeper_[above] += units.weight(level);
    }
    all_ += units.weight(level);
  }
}

absl::Status PlainSearch::Search(const SegmentView& view, BlockPart part, const Interrupt& interrupt,
                                 TopK& top, SearchStats& stats) const {
  const GraphTable& graphs = view.segment->graphs();
  const PlainGraphs& plain = view.segment->plain();
  const uint64_t count = plain.graph_count();
  const auto end = static_cast<uint32_t>(count * (part.number + 1) / part.count);
  NeedTable need(units_);
  std::array<uint32_t, kLevelsMax> overlaps{};
  uint64_t unchecked = 0;
  const auto begin = static_cast<uint32_t>(count * part.number / part.count);
  for (uint32_t slot = view.NextShown(begin); slot < end; slot = view.NextShown(slot + 1)) {
    const uint32_t vertices = graphs.vertex_count(slot);
    const uint64_t most = all_ * std::min(vertices, query_.histogram.vertex_count());
    need.SetSimilarity(top.least_similarity());
    const uint64_t needed = need(vertices);
    if (most < needed) {
      continue;
    }
    PackedCursor cursor(plain.packed(slot));
    uint64_t units = 0;
    bool hopeless = false;
    for (Level level = 0; level < counts_.size() && !hopeless; ++level) {
      const uint32_t entries = cursor.Next();
      uint32_t colour = 0;
      uint32_t overlap = 0;
      for (uint32_t i = 0; i < entries; ++i) {
        colour += cursor.Next();
        overlap += std::min(counts_[level](colour), cursor.Next());
      }
      overlaps[level] = overlap;
      unchecked += entries;
      units += uint64_t{units_.weight(level)} * overlap;
      hopeless = units + deeper_[level] * overlap < needed + TooTight(Mutant::kPlainBound);
    }
    if (!hopeless) {
      ++stats.candidates;
      top.Offer({query_.scoring.Kernel(overlaps), vertices}, [&] { return graphs.external_id(slot); });
    }
    if (unchecked >= kPostingsBetweenChecks) {
      stats.postings_read += std::exchange(unchecked, 0);
      KINDRED_RETURN_IF_ERROR(interrupt.Check());
    }
  }
  stats.postings_read += unchecked;
  return absl::OkStatus();
}

}  // namespace kindred
