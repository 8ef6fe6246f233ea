#include "index/pairs/pair_bounds.h"

#include <algorithm>
#include <cmath>

namespace kindred {
namespace {

// Wider than all roundings of a similarity and of the bounds together (a few times 2^-53), far narrower than
// a vertex.
constexpr double kRoundingSlack = 1e-9;

// With so many units for the largest weight, 16 levels of 4,095 vertices stay below 2^31 units.
constexpr double kLargestWeight = 1 << 14;

}  // namespace

PairBounds::PairBounds(const Scoring& scoring, double min_similarity)
    : measure_(scoring.measure()), slack_(1 + kRoundingSlack), least_(min_similarity) {
  double largest = 0;
  double sum = 0;
  for (Level level = 0; level <= scoring.depth(); ++level) {
    largest = std::max(largest, scoring.weight(level));
    sum += scoring.weight(level);
  }
  for (Level level = 0; level <= scoring.depth(); ++level) {
    uniform_ = uniform_ && (scoring.weight(level) == 0 || scoring.weight(level) == largest);
  }
  const double scale = uniform_ ? 1 / largest : kLargestWeight / largest;
  for (Level level = 0; level <= scoring.depth(); ++level) {
    counts_[level] = scoring.weight(level) > 0;
    weights_[level] = uniform_ ? 1 : static_cast<uint32_t>(scoring.weight(level) * scale);
  }
  self_ = sum * scale;
  const double t = min_similarity;
  switch (measure_) {
    case Measure::kKernel:
      least_ *= scale;
      sum_factor_ = self_;
      sum_constant_ = -least_;
      break;
    case Measure::kCosine:
      reach_factor_ = 1 / (t * t * self_ * self_);
      sum_factor_ = self_;
      break;
    case Measure::kTanimoto:
      reach_factor_ = (1 + t) / t / self_;
      sum_factor_ = self_ * (1 - t) / (1 + t);
      break;
  }
  // Both sums of a pair, and the product, are a little off.
  sum_factor_ *= slack_;
  sum_constant_ += kRoundingSlack * (1 + std::abs(sum_constant_));
  sum_factor_ += self_ * kRoundingSlack;
}

uint32_t PairBounds::PartnerMin(uint32_t vertices) const {
  double least = 0;
  switch (measure_) {
    case Measure::kKernel:
      least = least_ / self_;
      break;
    case Measure::kCosine:
      least = least_ * least_ * vertices;
      break;
    case Measure::kTanimoto:
      least = least_ * vertices;
      break;
  }
  const double rounded = std::ceil(least * (1 - kRoundingSlack));
  return (rounded >= kReachMax ? kReachMax : static_cast<uint32_t>(rounded)) +
         TooTight(Mutant::kPartnerBound);
}

// self(a) + self(b) - 2 t sqrt(self(a) self(b)) of the cosine.
double PairBounds::apart_product(uint32_t vertices) const {
  return measure_ == Measure::kCosine ? std::sqrt(2 * least_ * self_ * vertices) : 0;
}

}  // namespace kindred
