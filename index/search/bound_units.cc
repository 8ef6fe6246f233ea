#include "index/search/bound_units.h"

#include <algorithm>
#include <cmath>

#include "index/base/mutant.h"
#include "index/lists/block_index.h"

namespace kindred {
namespace {

constexpr double kUnitsMax = UINT16_MAX;

}  // namespace

BoundUnits::BoundUnits(const Query& query) : measure_(query.scoring.measure()) {
  const Scoring& scoring = query.scoring;
  double equal = 0;     // The weight of all levels that have one,
  bool uniform = true;  // if it is one.
  double most = 0;      // The largest kernel with a blocked graph.
  uint32_t overlaps = 0;
  for (Level level = 0; level <= scoring.depth(); ++level) {
    const double weight = scoring.weight(level);
    if (weight == 0) {
      continue;
    }
    uint64_t worn = 0;
    for (const Histogram::Entry& entry : query.histogram.at_level(level)) {
      worn += std::min(entry.count, kBlockCountMax);
    }
    overlap_max_[level] = static_cast<uint32_t>(std::min<uint64_t>(worn, kBlockVerticesMax));
    overlaps += overlap_max_[level];
    most += weight * overlap_max_[level];
    weight_sum_ += weight;
    uniform = uniform && (equal == 0 || weight == equal);
    equal = weight;
  }
  self_kernel_ = weight_sum_ * query.histogram.vertex_count();
  if (uniform) {
    scale_ = 1 / equal;
    exact_unit_ = scoring.integral() ? equal : 0;
  } else if (most > 0) {
    // Rounding up adds at most one unit a vertex and level.
    scale_ = (kUnitsMax - overlaps) / most;
  }
  for (Level level = 0; level <= scoring.depth(); ++level) {
    const double weight = scoring.weight(level);
    if (weight == 0) {
      weights_[level] = 0;
    } else if (uniform || overlap_max_[level] == 0) {
      weights_[level] = 1;  // Also where nothing is shared: the product could be out of range.
    } else {
      weights_[level] = static_cast<uint16_t>(std::ceil(weight * scale_) - TooTight(Mutant::kUnits));
    }
  }
}

uint32_t BoundUnits::Most(uint32_t vertex_count) const {
  uint32_t units = 0;
  for (Level level = 0; level < kLevelsMax; ++level) {
    units += weights_[level] * std::min(overlap_max_[level], vertex_count);
  }
  return units - std::min(units, TooTight(Mutant::kSizeBound));
}

uint32_t BoundUnits::Need(double similarity, uint32_t vertex_count) const {
  double kernel = similarity;
  switch (measure_) {
    case Measure::kKernel:
      break;
    case Measure::kCosine:
      kernel *= std::sqrt(self_kernel_ * (weight_sum_ * vertex_count));
      break;
    case Measure::kTanimoto:
      kernel *= (self_kernel_ + weight_sum_ * vertex_count) / (1 + similarity);
      break;
  }
  const double units = std::ceil(kernel * scale_ * (1 - kRoundingSlack));
  return units >= kUnitsMax + 1 ? static_cast<uint32_t>(kUnitsMax) + 1
                                : static_cast<uint32_t>(units) + TooTight(Mutant::kNeedBound);
}

double BoundUnits::Reach(uint32_t units, uint32_t vertex_count) const {
  units -= std::min(units, TooTight(Mutant::kReachBound));
  const double kernel = units / scale_ * (1 + kRoundingSlack);
  // Of graphs with this kernel the smallest is the most similar, and it has kernel / weight_sum_ vertices.
  const double self = std::max(weight_sum_ * vertex_count, kernel);
  switch (measure_) {
    case Measure::kKernel:
      break;
    case Measure::kCosine:
      return kernel / std::sqrt(self_kernel_ * self);
    case Measure::kTanimoto:
      return kernel / (self_kernel_ + self - kernel);
  }
  return kernel;
}

}  // namespace kindred
