// What two graphs need to be similar enough, as far as their sizes and what they do not share decide it.
//
// Counted in units: weight(l) units for one vertex of overlap at level l, never more than scale times its
// weight, so that what is counted as lost was lost in truth. Weights that are all equal (or 0) become 1 each
// and lose nothing; others are scaled and rounded down. Every bound is proved in docs/pairs.md under the name
// in brackets.
//
// Threads: a value; immutable.

#pragma once

#include <array>
#include <cstdint>

#include "index/base/limits.h"
#include "index/base/mutant.h"
#include "index/histogram/measure.h"

namespace kindred {

class PairBounds {
 public:
  // Stands for every size there is.
  static constexpr uint32_t kReachMax = UINT16_MAX;

  // REQUIRES: min_similarity > 0.
  PairBounds(const Scoring& scoring, double min_similarity);

  bool counts(Level level) const { return counts_[level]; }
  // Of a level that counts.
  uint32_t weight(Level level) const { return weights_[level]; }
  // All levels that count have the same weight.
  bool uniform() const { return uniform_; }

  // [PrefixBound] A graph of `vertices` vertices of which features of `lost` units are not shared can be
  // similar enough to graphs of at most so many vertices; 0: to none. Falls with `lost`.
  uint32_t Reach(uint32_t vertices, uint32_t lost) const {
    const double left = self_ * vertices * slack_ - lost;
    double reach = kReachMax;
    switch (measure_) {
      case Measure::kKernel:
        return left >= least_ ? kReachMax : 0;
      case Measure::kCosine:
        reach = left * left * reach_factor_ / vertices;
        break;
      case Measure::kTanimoto:
        reach = left * reach_factor_ - vertices;
        break;
    }
    reach = reach * slack_ + (slack_ - 1) - TooTight(Mutant::kPrefixBound);
    return reach >= kReachMax ? kReachMax : (left > 0 && reach > 0 ? static_cast<uint32_t>(reach) : 0);
  }
  // [SizeBound] And to graphs of at least so many.
  uint32_t PartnerMin(uint32_t vertices) const;

  // [SketchBound] Graphs of these sizes that are similar enough do not share features of at most so many
  // units, of both together: Apart(a, b) = apart_sum(a) + apart_sum(b) - apart_product(a) * apart_product(b).
  double apart_sum(uint32_t vertices) const { return sum_factor_ * vertices + sum_constant_; }
  double apart_product(uint32_t vertices) const;

 private:
  Measure measure_;
  double slack_;
  bool uniform_ = true;
  std::array<bool, kLevelsMax> counts_{};
  std::array<uint32_t, kLevelsMax> weights_{};
  double self_ = 0;   // scale * K(G,G) of a graph of one vertex.
  double least_ = 0;  // The similarity; of the kernel, times the scale.
  double reach_factor_ = 0;
  double sum_factor_ = 0;
  double sum_constant_ = 0;
};

}  // namespace kindred
