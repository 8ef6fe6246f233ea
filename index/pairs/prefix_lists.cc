#include "index/pairs/prefix_lists.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace kindred {

PrefixLists::PrefixLists(const PairParts& parts, const PairBounds& bounds, Lanes lanes,
                         const ParallelFor& parallel_for)
    : parts_(parts),
      bounds_(bounds),
      lanes_(std::move(lanes)),
      progress_(parts.number_end()),
      total_(CountLanes(lanes_)) {
  for (uint32_t part = 0; part < parts.part_count(); ++part) {
    masks_.emplace_back(parts.blocks(part), parallel_for);
    const GraphTable& graphs = parts.view(part).segment->graphs();
    for (uint32_t slot = 0; slot < lanes_[part].size() * kBlockGraphs; ++slot) {
      progress_[parts.begin(part) + slot].vertices = graphs.vertex_count(slot);
    }
  }
  for (uint32_t vertices = 0; vertices <= kBlockVerticesMax; ++vertices) {
    partner_mins_.push_back(
        static_cast<uint16_t>(std::min(bounds.PartnerMin(vertices), PairBounds::kReachMax)));
  }
  Order(parallel_for);
}

// By the number of graphs that have a feature. Of features of one colour, "worn at least t times", the one of
// the largest t comes first: fewer have it, or as many.
void PrefixLists::Order(const ParallelFor& parallel_for) {
  const FeatureTable& features = parts_.features();
  std::vector<uint32_t> counts(features.size());
  for (uint32_t part = 0; part < parts_.part_count(); ++part) {
    const std::vector<uint32_t> counts_here = masks_[part].Count(lanes_[part], parallel_for);
    parts_.ForEachFeature(part,
                          [&](uint32_t here, uint32_t feature) { counts[feature] += counts_here[here]; });
  }
  // Those of levels that count and that some graph has, the last one first.
  const auto for_each = [&](auto visit) {
    for (Level level = features.level_count(); level-- > 0;) {
      const FeatureRange range = bounds_.counts(level) ? features.at_level(level) : FeatureRange{};
      for (uint32_t feature = range.end; feature-- > range.begin;) {
        if (counts[feature] > 0) {
          visit(feature);
        }
      }
    }
  };
  // Sorted by counting, since counts are small: where those of each count go.
  LargeVector<uint32_t> places(total_ + 2);
  for_each([&](uint32_t feature) { ++places[counts[feature] + 1]; });
  std::partial_sum(places.begin(), places.end(), places.begin());
  order_.resize(places.back());
  ranks_.assign(features.size(), UINT32_MAX);
  for_each([&](uint32_t feature) {
    ranks_[feature] = places[counts[feature]]++;
    order_[ranks_[feature]] = feature;
  });
}

bool PrefixLists::Next(size_t entries, PrefixBatch& batch) {
  batch.lists.clear();
  batch.entries.clear();
  const FeatureTable& features = parts_.features();
  while (next_ < order_.size() && done_ < total_ && batch.entries.size() < entries) {
    const uint32_t feature = order_[next_];
    Prefetch();
    Level level = 0;
    while (feature >= features.at_level(level).end) {
      ++level;
    }
    const auto begin = static_cast<uint32_t>(batch.entries.size());
    AddList(feature, bounds_.weight(level), batch.entries);
    const auto end = static_cast<uint32_t>(batch.entries.size());
    if (end - begin >= 2) {
      batch.lists.push_back({next_, begin, end});
    } else {
      batch.entries.resize(begin);
    }
    ++next_;
  }
  if (next_ == order_.size()) {
    done_ = total_;
  }
  return !batch.lists.empty();
}

// Lists stand in no order of memory: those that come soon are asked for.
void PrefixLists::Prefetch() const {
  constexpr uint32_t kBegins = 16;
  constexpr uint32_t kPostings = 8;
  if (next_ + kBegins >= order_.size()) {
    return;
  }
  for (uint32_t part = 0; part < parts_.part_count(); ++part) {
    if (const uint32_t here = parts_.feature_in(part, order_[next_ + kBegins]);
        here != PairParts::kNoFeature) {
      parts_.blocks(part).PrefetchList(here);
    }
    if (const uint32_t here = parts_.feature_in(part, order_[next_ + kPostings]);
        here != PairParts::kNoFeature) {
      masks_[part].Prefetch(here);
    }
  }
}

void PrefixLists::AddList(uint32_t feature, uint32_t weight, std::vector<PrefixEntry>& entries) {
  for (uint32_t part = 0; part < parts_.part_count(); ++part) {
    const uint32_t here = parts_.feature_in(part, feature);
    if (here == PairParts::kNoFeature) {
      continue;
    }
    masks_[part].ForEach(here, lanes_[part], [&](uint32_t block, uint32_t left) {
      for (; left != 0; left &= left - 1) {
        const uint32_t number =
            parts_.begin(part) + block * kBlockGraphs + static_cast<uint32_t>(std::countr_zero(left));
        Progress& graph = progress_[number];
        const uint32_t reach = bounds_.Reach(graph.vertices, graph.lost);
        if (reach < partner_mins_[graph.vertices] || reach == 0) {
          uint16_t& lanes = lanes_[part][block];
          lanes = static_cast<uint16_t>(lanes & ~(left & -left));
          ++done_;
          continue;
        }
        entries.push_back({number, static_cast<uint16_t>(graph.vertices), static_cast<uint16_t>(reach)});
        graph.lost += weight;
      }
    });
  }
}

}  // namespace kindred
