// Times of repeated work, and what is told of them.

#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace kindred::bench {

class Quantiles {
 public:
  void Add(double value) { values_.push_back(value); }
  size_t size() const { return values_.size(); }

  // REQUIRES, here and below: not empty.
  double At(double share) {
    std::ranges::sort(values_);
    return values_[std::min(values_.size() - 1,
                            static_cast<size_t>(share * static_cast<double>(values_.size())))];
  }
  double Mean() const {
    double sum = 0;
    for (const double value : values_) {
      sum += value;
    }
    return sum / static_cast<double>(values_.size());
  }

 private:
  std::vector<double> values_;
};

}  // namespace kindred::bench
