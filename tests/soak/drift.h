// Whether a series of samples goes up or down in the long run, whatever it does in between: the median of the
// slopes between every two samples (Theil and Sen), which a third of wild samples does not move.
//
// Cost: quadratic in the samples; thousands take a second.

#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace kindred::test {

// REQUIRES: not empty.
inline double MedianOf(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// How much the series rose from its first to its last sample; they lie evenly. 0 of fewer than two.
inline double DriftOf(const std::vector<double>& samples) {
  std::vector<double> slopes;
  for (size_t i = 0; i < samples.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      slopes.push_back((samples[i] - samples[j]) / static_cast<double>(i - j));
    }
  }
  return slopes.empty() ? 0 : MedianOf(std::move(slopes)) * static_cast<double>(samples.size() - 1);
}

}  // namespace kindred::test
