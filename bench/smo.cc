#include "bench/smo.h"

#include <algorithm>
#include <cmath>

#include "index/base/check.h"

// The loops below are vectorized by the compiler (CMakeLists.txt has its options), for either processor.
// ThreadSanitizer cannot: what chooses between the two runs before the sanitizer is there.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define KINDRED_BENCH_CLONES [[gnu::target_clones("arch=haswell", "default")]]
#else
#define KINDRED_BENCH_CLONES
#endif

namespace kindred::bench {
namespace {

constexpr double kTolerance = 1e-3;  // LIBSVM's own default.
constexpr double kNever = 1e300;
constexpr float kFlat = 1e-12F;  // For a direction without curvature, as in LIBSVM.
// Reductions are over a block, and the place of the best is looked for in the best block alone.
constexpr size_t kBlock = 256;
constexpr uint64_t kStepsBetweenShrinking = 1000;

struct BlockExtremes {
  double high = -kNever;
  double low = kNever;
};

KINDRED_BENCH_CLONES
BlockExtremes Move(double* slopes, const float* up_row, const float* down_row, double step,
                   const double* up_penalties, const double* down_penalties, size_t count) {
  double high = -kNever;
  double low = kNever;
#pragma omp simd reduction(max : high) reduction(min : low)
  for (size_t i = 0; i < count; ++i) {
    const double slope =
        slopes[i] - step * (static_cast<double>(up_row[i]) - static_cast<double>(down_row[i]));
    slopes[i] = slope;
    const double up = slope - up_penalties[i];
    const double down = slope + down_penalties[i];
    high = high > up ? high : up;
    low = low < down ? low : down;
  }
  return {high, low};
}

// What a pair of the highest and each other one would gain.
KINDRED_BENCH_CLONES
float Gains(const double* slopes, double high, const float* row, const float* diagonal, float own,
            const float* may_go_down, size_t count, float* gains) {
  float best = 0;
#pragma omp simd reduction(max : best)
  for (size_t i = 0; i < count; ++i) {
    float difference = static_cast<float>(high - slopes[i]) * may_go_down[i];
    difference = difference > 0 ? difference : 0;
    float curvature = own + diagonal[i] - 2 * row[i];
    curvature = curvature > kFlat ? curvature : kFlat;
    const float gain = difference * difference / curvature;
    gains[i] = gain;
    best = best > gain ? best : gain;
  }
  return best;
}

KINDRED_BENCH_CLONES
void AddRow(const float* row, double factor, double* slopes, size_t count) {
#pragma omp simd
  for (size_t i = 0; i < count; ++i) {
    slopes[i] += factor * static_cast<double>(row[i]);
  }
}

}  // namespace

Smo::Smo(std::vector<float> kernel, std::span<const int> signs)
    : kernel_(std::move(kernel)),
      signs_(signs.begin(), signs.end()),
      weights_(signs.size(), 0),
      slopes_(signs_) {
  const size_t size = signs_.size();
  KINDRED_CHECK(kernel_.size() == size * size);
  for (size_t i = 0; i < size; ++i) {
    diagonal_.push_back(row(i)[i]);
  }
  up_penalties_.resize(size);
  down_penalties_.resize(size);
  may_go_down_.resize(size);
}

double Smo::Room(size_t i, bool upwards) const {
  return (signs_[i] > 0) == upwards ? cost_ - weights_[i] : weights_[i];
}

void Smo::SetPenalties(size_t i) {
  up_penalties_[i] = Room(i, true) > 0 ? 0 : kNever;
  may_go_down_[i] = Room(i, false) > 0 ? 1 : 0;
  down_penalties_[i] = Room(i, false) > 0 ? 0 : kNever;
}

Smo::Extremes Smo::Find() const {
  Extremes extremes{0, -kNever, kNever};
  for (size_t i = 0; i < signs_.size(); ++i) {
    extremes.low = std::min(extremes.low, slopes_[i] + down_penalties_[i]);
    if (slopes_[i] - up_penalties_[i] > extremes.high) {
      extremes.high = slopes_[i] - up_penalties_[i];
      extremes.highest = i;
    }
  }
  return extremes;
}

size_t Smo::BestPartner(const Extremes& extremes) const {
  const float* const kernels = row(extremes.highest);
  float gains[kBlock];
  size_t best = 0;
  float best_gain = -1;
  for (size_t begin = 0; begin < signs_.size(); begin += kBlock) {
    const size_t count = std::min(kBlock, signs_.size() - begin);
    const float gain = Gains(&slopes_[begin], extremes.high, kernels + begin, &diagonal_[begin],
                             diagonal_[extremes.highest], &may_go_down_[begin], count, gains);
    if (gain > best_gain) {
      best_gain = gain;
      best = begin + static_cast<size_t>(std::find(gains, gains + count, gain) - gains);
    }
  }
  return best;
}

Smo::Extremes Smo::Step(const Extremes& extremes, size_t other) {
  const size_t up = extremes.highest;
  const double curvature = static_cast<double>(diagonal_[up]) + static_cast<double>(diagonal_[other]) -
                           2 * static_cast<double>(row(up)[other]);
  const double wanted = (extremes.high - slopes_[other]) / std::max<double>(curvature, kFlat);
  const double step = std::min({wanted, Room(up, true), Room(other, false)});
  const auto move = [&](size_t i, bool upwards) {
    // At the bound itself, not beside it by a rounding: the penalties ask for equality.
    const bool grows = (signs_[i] > 0) == upwards;
    const bool all = step == Room(i, upwards);
    weights_[i] = all ? (grows ? cost_ : 0) : weights_[i] + (grows ? step : -step);
  };
  move(up, true);
  move(other, false);
  SetPenalties(up);
  SetPenalties(other);
  Extremes next{0, -kNever, kNever};
  size_t best_block = 0;
  for (size_t begin = 0; begin < signs_.size(); begin += kBlock) {
    const size_t count = std::min(kBlock, signs_.size() - begin);
    const BlockExtremes block = Move(&slopes_[begin], row(up) + begin, row(other) + begin, step,
                                     &up_penalties_[begin], &down_penalties_[begin], count);
    next.low = std::min(next.low, block.low);
    if (block.high > next.high) {
      next.high = block.high;
      best_block = begin;
    }
  }
  next.highest = best_block;
  while (slopes_[next.highest] - up_penalties_[next.highest] < next.high) {
    ++next.highest;
    KINDRED_CHECK(next.highest < signs_.size());
  }
  return next;
}

bool Smo::Solve(double cost, uint64_t steps_max) {
  KINDRED_CHECK(cost >= cost_);
  cost_ = cost;
  for (size_t i = 0; i < signs_.size(); ++i) {
    SetPenalties(i);
  }
  uint64_t steps_left = steps_max;
  return Run(steps_left);
}

bool Smo::Run(uint64_t& steps_left) {
  Extremes extremes = Find();
  for (uint64_t steps = 1; extremes.high - extremes.low >= kTolerance; ++steps) {
    if (steps_left == 0) {
      return false;
    }
    --steps_left;
    extremes = Step(extremes, BestPartner(extremes));
    if (steps % kStepsBetweenShrinking == 0) {
      const std::vector<size_t> moving = Moving(extremes);
      if (moving.size() * 4 < signs_.size() * 3) {
        if (!RunPart(moving, steps_left)) {
          return false;
        }
        extremes = Find();
      }
    }
  }
  return true;
}

std::vector<size_t> Smo::Moving(const Extremes& extremes) const {
  std::vector<size_t> moving;
  for (size_t i = 0; i < signs_.size(); ++i) {
    const bool up = up_penalties_[i] == 0 && slopes_[i] >= extremes.low;
    const bool down = down_penalties_[i] == 0 && slopes_[i] <= extremes.high;
    const bool is_free = up_penalties_[i] == 0 && down_penalties_[i] == 0;
    if (up || down || is_free) {
      moving.push_back(i);
    }
  }
  return moving;
}

bool Smo::RunPart(const std::vector<size_t>& graphs, uint64_t& steps_left) {
  std::vector<float> kernel;
  kernel.reserve(graphs.size() * graphs.size());
  std::vector<int> signs;
  for (const size_t i : graphs) {
    signs.push_back(static_cast<int>(signs_[i]));
    for (const size_t j : graphs) {
      kernel.push_back(row(i)[j]);
    }
  }
  Smo part(std::move(kernel), signs);
  part.cost_ = cost_;
  for (size_t i = 0; i < graphs.size(); ++i) {
    part.weights_[i] = weights_[graphs[i]];
    part.slopes_[i] = slopes_[graphs[i]];
    part.SetPenalties(i);
  }
  const bool solved = part.Run(steps_left);
  for (size_t i = 0; i < graphs.size(); ++i) {
    const double moved = signs_[graphs[i]] * (part.weights_[i] - weights_[graphs[i]]);
    if (moved != 0) {
      weights_[graphs[i]] = part.weights_[i];
      SetPenalties(graphs[i]);
      AddRow(row(graphs[i]), -moved, slopes_.data(), slopes_.size());
    }
  }
  return solved;
}

bool Smo::any_bounded() const {
  return std::ranges::any_of(weights_, [&](double weight) { return weight >= cost_; });
}

std::vector<float> Smo::Coefficients() const {
  std::vector<float> coefficients(signs_.size());
  std::ranges::transform(weights_, signs_, coefficients.begin(),
                         [](double weight, double sign) { return static_cast<float>(weight * sign); });
  return coefficients;
}

double Smo::Bias() const {
  double sum = 0;
  size_t count = 0;
  for (size_t i = 0; i < signs_.size(); ++i) {
    if (weights_[i] > 0 && weights_[i] < cost_) {
      sum += slopes_[i];
      ++count;
    }
  }
  const Extremes extremes = Find();
  return count > 0 ? sum / static_cast<double>(count) : (extremes.high + extremes.low) / 2;
}

double Smo::Objective() const {
  // The slope is sign - sum, so that sum over all of sign * weight * sum is sum of weight * (1 - sign *
  // slope).
  double objective = 0;
  for (size_t i = 0; i < signs_.size(); ++i) {
    objective += weights_[i] * (1 + signs_[i] * slopes_[i]) / 2;
  }
  return objective;
}

}  // namespace kindred::bench
