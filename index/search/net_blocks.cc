#include "index/search/net_blocks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "index/base/mutant.h"
#include "index/base/status.h"
#include "index/lists/block_kernels.h"
#include "index/search/block_scratch.h"

namespace kindred {
namespace {

constexpr double kNetUnitsMax = INT16_MAX;
// More than roundings of a net weight, less than a unit.
constexpr double kNetSlack = 1e-6;

struct NetFeature {
  uint32_t feature = 0;
  double weight = 0;
};

// The features that the segment has of all examples, each once, with their net weights.
std::vector<NetFeature> NetFeatures(const BlockIndex& blocks, const RecommendExamples& examples,
                                    const NetBound& bound) {
  std::vector<NetFeature> features;
  for (size_t e = 0; e < examples.size(); ++e) {
    const Query& query = examples[e].query;
    for (Level level = 0; level <= query.scoring.depth(); ++level) {
      const double weight = query.scoring.weight(level) * bound.weight(e);
      for (const Histogram::Entry& entry : query.histogram.at_level(level)) {
        const FeatureRange range = blocks.features().Find(level, entry.colour);
        for (uint32_t feature = range.begin; feature < std::min(range.end, range.begin + entry.count);
             ++feature) {
          features.push_back({feature, weight});
        }
      }
    }
  }
  std::ranges::sort(features, {}, &NetFeature::feature);
  size_t kept = 0;
  for (const NetFeature& feature : features) {
    if (kept > 0 && features[kept - 1].feature == feature.feature) {
      features[kept - 1].weight += feature.weight;
    } else {
      features[kept++] = feature;
    }
  }
  features.resize(kept);
  return features;
}

}  // namespace

NetBlocks::NetBlocks(const BlockIndex& blocks, const RecommendExamples& examples, const NetBound& bound)
    : blocks_(blocks), row_(blocks.row_words()), row_weights_(size_t{blocks.row_words()} * 64) {
  const std::vector<NetFeature> features = NetFeatures(blocks, examples, bound);
  double most = 0;
  for (const NetFeature& feature : features) {
    most += std::max(feature.weight, 0.0);
  }
  // Rounding up adds at most one unit a feature.
  const double room = kNetUnitsMax - 2 * static_cast<double>(features.size());
  usable_ = room > kNetUnitsMax / 2;
  if (!usable_) {
    return;
  }
  scale_ = most > 0 ? std::min(room / most, 1e300) : 1;
  for (const NetFeature& feature : features) {
    // One far below what saturates is as good as that.
    const double units = std::max(std::ceil(feature.weight * scale_ + kNetSlack), -kNetUnitsMax);
    AddFeature(feature.feature, static_cast<int16_t>(units - TooTight(Mutant::kNetWeight)));
  }
}

void NetBlocks::AddFeature(uint32_t feature, int16_t weight) {
  if (const auto list = blocks_.rare_list(feature); !list.empty()) {
    rare_.push_back({list, weight});
  } else if (const auto frequent = blocks_.FindFrequent(feature)) {
    const uint32_t bit = blocks_.row_bit(*frequent);
    row_[bit / 64] |= uint64_t{1} << (bit % 64);
    row_weights_[bit] = weight;
    if (weight > 0) {
      columns_.push_back(blocks_.column(*frequent));
      column_weights_.push_back(weight);
    }
  }
}

absl::Status NetBlocks::Bound(const std::vector<uint32_t>& groups, const Interrupt& interrupt,
                              SearchStats& stats) {
  GrowTo(group_places_, blocks_.group_count(), kNowhere);
  for (size_t i = 0; i < groups.size(); ++i) {
    group_places_[groups[i]] = static_cast<uint32_t>(i) * kGroupBlocks;
  }
  sums_.assign(groups.size() * kGroupBlocks, 0);
  const absl::Status status = ReadRare(interrupt, stats);
  for (const uint32_t group : groups) {
    group_places_[group] = kNowhere;
  }
  KINDRED_RETURN_IF_ERROR(status);
  SortHits(sums_.size());
  constexpr size_t kWordsBetweenChecks = 256;
  for (size_t first = 0; first < groups.size(); first += kWordsBetweenChecks) {
    KINDRED_RETURN_IF_ERROR(interrupt.Check());
    const size_t size = std::min(kWordsBetweenChecks, groups.size() - first);
    AddColumns(columns_, column_weights_, std::span(groups).subspan(first, size),
               sums_.data() + first * kGroupBlocks);
  }
  return absl::OkStatus();
}

absl::Status NetBlocks::ReadRare(const Interrupt& interrupt, SearchStats& stats) {
  hits_.clear();
  uint64_t unchecked = 0;
  for (const Rare& rare : rare_) {
    uint32_t block = 0;
    for (const BlockPosting& posting : rare.list) {
      block += posting.gap;
      const uint32_t group_place = group_places_[block / kGroupBlocks];
      if (group_place == kNowhere || posting.mask == 0) {
        continue;
      }
      const uint32_t place = group_place + block % kGroupBlocks;
      hits_.push_back({place, {posting.mask, rare.weight}});
      if (rare.weight > 0) {
        sums_[place] = static_cast<int16_t>(sums_[place] + rare.weight);
      }
    }
    stats.postings_read += rare.list.size();
    unchecked += rare.list.size();
    if (unchecked >= kPostingsBetweenChecks) {
      unchecked = 0;
      KINDRED_RETURN_IF_ERROR(interrupt.Check());
    }
  }
  return absl::OkStatus();
}

// By their places.
void NetBlocks::SortHits(size_t places) {
  mask_ends_.assign(places + 1, 0);
  for (const Hit& hit : hits_) {
    ++mask_ends_[hit.place + 1];
  }
  for (size_t place = 1; place <= places; ++place) {
    mask_ends_[place] += mask_ends_[place - 1];
  }
  masks_.resize(hits_.size());
  for (const Hit& hit : hits_) {
    masks_[mask_ends_[hit.place]++] = hit.mask;
  }
}

NetBlocks::Sums NetBlocks::OfGraphs(uint32_t place, uint32_t block, SearchStats& stats) const {
  Sums sums{};
  const uint32_t begin = place == 0 ? 0 : mask_ends_[place - 1];
  AddMasks(std::span(masks_).subspan(begin, mask_ends_[place] - begin), sums.data());
  stats.postings_read += AddWeightedRow(blocks_.row(block), row_.data(), blocks_.row_words(),
                                        blocks_.row_masks(block), row_weights_.data(), sums.data());
  return sums;
}

}  // namespace kindred
