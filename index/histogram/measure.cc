#include "index/histogram/measure.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "index/base/limits.h"
#include "index/base/status.h"

namespace kindred {
namespace {

// GCC and clang both have it on every 64-bit target; the keyword keeps -Wpedantic quiet.
__extension__ using Wide = unsigned __int128;

std::weak_ordering CompareWide(Wide a, Wide b) {
  return a < b ? std::weak_ordering::less
               : (a > b ? std::weak_ordering::greater : std::weak_ordering::equivalent);
}

std::weak_ordering CompareDoubles(double a, double b) {
  return a < b ? std::weak_ordering::less
               : (a > b ? std::weak_ordering::greater : std::weak_ordering::equivalent);
}

// a * b, which may have more than 128 bits: all above the lowest 64, and those.
std::pair<Wide, uint64_t> Product(Wide a, uint64_t b) {
  const Wide low = Wide{static_cast<uint64_t>(a)} * b;
  return {(a >> 64) * b + (low >> 64), static_cast<uint64_t>(low)};
}

}  // namespace

Scoring::Scoring(Measure measure, std::vector<double> weights)
    : measure_(measure), weights_(std::move(weights)) {
  for (const double weight : weights_) {
    integral_ = integral_ && weight == std::floor(weight);
  }
}

absl::StatusOr<Scoring> Scoring::Create(Measure measure, Level index_depth, std::optional<uint32_t> depth,
                                        std::span<const double> weights) {
  const uint32_t levels = depth.value_or(index_depth) + 1u;
  if (depth.value_or(0) > index_depth) {
    return MakeStatus(absl::StatusCode::kFailedPrecondition,
                      "depth: {} is beyond the index, which has depth {}", *depth, index_depth);
  }
  if (weights.empty()) {
    return Scoring(measure, std::vector<double>(levels, 1.0));
  }
  if (weights.size() != levels) {
    return InvalidArgument("weights: there are {}, but levels 0..{} need {}", weights.size(), levels - 1,
                           levels);
  }
  for (size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] >= 0 && weights[i] <= kWeightMax)) {
      return InvalidArgument("weights[{}]: {} is not between 0 and {}", i, weights[i], kWeightMax);
    }
    if (weights[i] > 0 && weights[i] < kWeightAboveZeroMin) {
      return InvalidArgument("weights[{}]: {} is neither 0 nor at least {}", i, weights[i],
                             kWeightAboveZeroMin);
    }
  }
  if (std::ranges::all_of(weights, [](double weight) { return weight == 0; })) {
    return InvalidArgument("weights: all are 0");
  }
  return Scoring(measure, std::vector<double>(weights.begin(), weights.end()));
}

double Scoring::Kernel(std::span<const uint32_t> overlaps) const {
  double kernel = 0;
  for (size_t level = 0; level < weights_.size(); ++level) {
    kernel += weights_[level] * overlaps[level];
  }
  return kernel;
}

// By the same roundings as Kernel, so that a graph is similar to itself by exactly 1 whatever the weights.
double Scoring::SelfKernel(uint32_t vertex_count) const {
  double kernel = 0;
  for (const double weight : weights_) {
    kernel += weight * vertex_count;
  }
  return kernel;
}

std::weak_ordering Scoring::Compare(const Score& a, const Score& b, uint32_t query_vertices) const {
  if (!integral_) {
    return CompareDoubles(Similarity(a, query_vertices), Similarity(b, query_vertices));
  }
  // Exact integers of at most 2^44 (base/limits.h); vertex counts below 2^21.
  const auto ka = static_cast<uint64_t>(a.kernel);
  const auto kb = static_cast<uint64_t>(b.kernel);
  switch (measure_) {
    case Measure::kKernel:
      break;
    case Measure::kCosine:
      // K_a / sqrt(n_a) against K_b / sqrt(n_b), squared: below 2^88 * 2^21.
      return CompareWide(Wide{ka} * ka * b.vertex_count, Wide{kb} * kb * a.vertex_count);
    case Measure::kTanimoto:
      // K / (S - K) grows with K / S, and W cancels out of S = W (n_query + n).
      return CompareWide(Wide{ka} * (uint64_t{query_vertices} + b.vertex_count),
                         Wide{kb} * (uint64_t{query_vertices} + a.vertex_count));
  }
  return CompareWide(ka, kb);
}

std::weak_ordering Scoring::CompareAcross(const Score& a, uint32_t a_query, const Score& b,
                                          uint32_t b_query) const {
  if (!integral_) {
    return CompareDoubles(Similarity(a, a_query), Similarity(b, b_query));
  }
  const auto ka = static_cast<uint64_t>(a.kernel);
  const auto kb = static_cast<uint64_t>(b.kernel);
  switch (measure_) {
    case Measure::kKernel:
      break;
    case Measure::kCosine: {
      // K_a / sqrt(q_a n_a) against K_b / sqrt(q_b n_b), squared: up to 2^88 * 2^40.
      const auto left = Product(Wide{ka} * ka, uint64_t{b_query} * b.vertex_count);
      const auto right = Product(Wide{kb} * kb, uint64_t{a_query} * a.vertex_count);
      return left.first != right.first ? CompareWide(left.first, right.first)
                                       : CompareWide(left.second, right.second);
    }
    case Measure::kTanimoto:
      return CompareWide(Wide{ka} * (uint64_t{b_query} + b.vertex_count),
                         Wide{kb} * (uint64_t{a_query} + a.vertex_count));
  }
  return CompareWide(ka, kb);
}

}  // namespace kindred
