// How many values fell below each of some bounds, and their sum: a histogram of Prometheus.
//
// Threads: any.
// Cost: Observe finds its bucket and adds to two counters, without a lock.

#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kindred::daemon {

class Distribution {
 public:
  // `bounds` ascend, and must outlive this.
  explicit Distribution(std::span<const double> bounds) : bounds_(bounds), counts_(bounds.size() + 1) {}

  void Observe(double value) {
    const auto bucket = static_cast<size_t>(std::ranges::lower_bound(bounds_, value) - bounds_.begin());
    counts_[bucket].fetch_add(1, std::memory_order_relaxed);
    sum_.fetch_add(value, std::memory_order_relaxed);
  }

  std::span<const double> bounds() const { return bounds_; }
  // Values at most each bound, and last, all of them. Never falls from one to the next.
  std::vector<uint64_t> CumulativeCounts() const {
    std::vector<uint64_t> counts;
    uint64_t count = 0;
    for (const auto& bucket : counts_) {
      counts.push_back(count += bucket.load(std::memory_order_relaxed));
    }
    return counts;
  }
  double sum() const { return sum_.load(std::memory_order_relaxed); }

 private:
  const std::span<const double> bounds_;
  std::vector<std::atomic<uint64_t>> counts_;
  std::atomic<double> sum_{0};
};

}  // namespace kindred::daemon
