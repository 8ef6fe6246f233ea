#include "index/kernels/gram.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "index/base/status.h"
#include "index/kernels/parts.h"

namespace kindred {

template <typename Sum, typename Combine>
absl::Status Gram::SumLists(size_t row, size_t first, std::span<double> out, const Interrupt& interrupt,
                            Combine combine) const {
  std::vector<Sum> sums(size(), 0);
  uint64_t unchecked = 0;
  for (uint64_t e = row_begins_[row]; e < row_begins_[row + 1]; ++e) {
    const Entry& own = entries_[e];
    std::span<const Entry> others = list(own.at);
    if (first > 0) {
      others = others.subspan(
          static_cast<size_t>(std::ranges::lower_bound(others, first, {}, &Entry::at) - others.begin()));
    }
    for (const Entry& other : others) {
      sums[other.at] += combine(static_cast<Sum>(own.count), static_cast<Sum>(other.count));
    }
    unchecked += others.size();
    if (unchecked >= kStepsBetweenChecks) {
      unchecked = 0;
      KINDRED_RETURN_IF_ERROR(interrupt.Check());
    }
  }
  std::copy(sums.begin() + static_cast<std::ptrdiff_t>(first), sums.end(), out.begin());
  if (first <= row) {
    out[row - first] = selves_[row];
  }
  return absl::OkStatus();
}

absl::Status Gram::Row(size_t row, size_t first, std::span<double> out, const Interrupt& interrupt) const {
  if (combination_ == Combination::kMinimum) {
    // 32 bits hold them: a graph has at most 2^20 vertices at each of 16 levels, or 2^24 edges.
    return SumLists<uint32_t>(row, first, out, interrupt,
                              [](uint32_t a, uint32_t b) { return std::min(a, b); });
  }
  return SumLists<double>(row, first, out, interrupt, [](double a, double b) { return a * b; });
}

void Gram::Normalize(size_t row, size_t first, std::span<double> out) const {
  for (size_t i = 0; i < out.size(); ++i) {
    const double selves = selves_[row] * selves_[first + i];
    out[i] = selves > 0 ? out[i] / std::sqrt(selves) : 0;
  }
}

size_t Gram::memory_bytes() const {
  return selves_.capacity() * sizeof(double) +
         (row_begins_.capacity() + list_begins_.capacity()) * sizeof(uint64_t) +
         (entries_.capacity() + lists_.capacity()) * sizeof(Entry);
}

Gram::Builder::Builder(Combination combination, uint64_t entries_max) : entries_max_(entries_max) {
  gram_.combination_ = combination;
  gram_.row_begins_.push_back(0);
}

absl::Status Gram::Builder::Add(std::span<const FeatureCount> features) {
  const uint64_t entries = gram_.entries_.size() + features.size();
  if (entries > entries_max_) {
    return OverLimit("counted features of the graphs of the matrix", entries, "kernel_entries_max",
                     entries_max_);
  }
  double self = 0;
  for (const FeatureCount& feature : features) {
    const auto count = static_cast<double>(feature.count);
    self += gram_.combination_ == Combination::kMinimum ? count : count * count;
    gram_.entries_.push_back({feature.feature, feature.count});
  }
  gram_.selves_.push_back(self);
  gram_.row_begins_.push_back(entries);
  return absl::OkStatus();
}

size_t Gram::Builder::NumberSharedFeatures() {
  std::vector<uint32_t> features;
  features.reserve(gram_.entries_.size());
  for (const Entry& entry : gram_.entries_) {
    features.push_back(entry.at);
  }
  std::ranges::sort(features);
  size_t shared = 0;
  for (size_t begin = 0; begin < features.size();) {
    const size_t end =
        static_cast<size_t>(std::upper_bound(features.begin() + static_cast<std::ptrdiff_t>(begin),
                                             features.end(), features[begin]) -
                            features.begin());
    if (end - begin > 1) {
      features[shared++] = features[begin];
    }
    begin = end;
  }
  features.resize(shared);

  uint64_t kept = 0;
  for (size_t row = 0; row < gram_.size(); ++row) {
    const uint64_t begin = std::exchange(gram_.row_begins_[row], kept);
    for (uint64_t e = begin; e < gram_.row_begins_[row + 1]; ++e) {
      const Entry entry = gram_.entries_[e];
      const auto found = std::ranges::lower_bound(features, entry.at);
      if (found != features.end() && *found == entry.at) {
        gram_.entries_[kept++] = {static_cast<uint32_t>(found - features.begin()), entry.count};
      }
    }
  }
  gram_.row_begins_.back() = kept;
  gram_.entries_.resize(kept);
  gram_.entries_.shrink_to_fit();
  return shared;
}

void Gram::Builder::InvertRows(size_t features) {
  std::vector<uint64_t>& begins = gram_.list_begins_;
  begins.assign(features + 1, 0);
  for (const Entry& entry : gram_.entries_) {
    ++begins[entry.at + 1];
  }
  for (size_t feature = 0; feature < features; ++feature) {
    begins[feature + 1] += begins[feature];
  }
  std::vector<uint64_t> next(begins.begin(), begins.end() - 1);
  gram_.lists_.resize(gram_.entries_.size());
  for (size_t row = 0; row < gram_.size(); ++row) {
    for (uint64_t e = gram_.row_begins_[row]; e < gram_.row_begins_[row + 1]; ++e) {
      const Entry& entry = gram_.entries_[e];
      gram_.lists_[next[entry.at]++] = {static_cast<uint32_t>(row), entry.count};
    }
  }
}

Gram Gram::Builder::Build() && {
  InvertRows(NumberSharedFeatures());
  return std::move(gram_);
}

}  // namespace kindred
