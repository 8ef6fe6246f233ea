// Counts parts by their keys while a graph is walked, within limits.
//
// Threads: one caller at a time.

#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "index/base/status.h"
#include "index/kernels/parts.h"

namespace kindred {

class PartCounter {
 public:
  explicit PartCounter(PartBudget& budget) : budget_(budget) {}

  // Sums may pass through values below 0 and wrap around; in the end none is below 0.
  void Add(const Part::Key& key, uint64_t count) { counts_[key] += count; }
  void Subtract(const Part::Key& key, uint64_t count) { counts_[key] -= count; }

  // After so many steps: whether to go on.
  absl::Status Step(uint64_t steps) {
    if (const uint64_t more = counts_.size() - std::exchange(accounted_, counts_.size()); more > 0) {
      const uint64_t all = budget_.parts.fetch_add(more, std::memory_order_relaxed) + more;
      if (all > budget_.parts_max) {
        return OverLimit("kinds of parts of graphs", all, "kernel_entries_max", budget_.parts_max);
      }
    }
    unchecked_ += steps;
    if (unchecked_ < kStepsBetweenChecks) {
      return absl::OkStatus();
    }
    unchecked_ = 0;
    return budget_.interrupt.Check();
  }

  std::vector<Part> Take() && {
    std::vector<Part> parts;
    for (const auto& [key, count] : counts_) {
      if (count != 0) {
        parts.push_back({key, count});
      }
    }
    std::ranges::sort(parts, {}, &Part::key);
    return parts;
  }

 private:
  PartBudget& budget_;
  absl::flat_hash_map<Part::Key, uint64_t> counts_;
  uint64_t accounted_ = 0;  // Of counts_, in the budget.
  uint64_t unchecked_ = 0;
};

// What PartsOf calls.
absl::Status CountEdges(const Graph& graph, std::span<const uint32_t> labels, PartCounter& counter);
absl::Status CountGraphlets(const Graph& graph, std::span<const uint32_t> labels, PartCounter& counter);
absl::Status CountPaths(const Graph& graph, std::span<const uint32_t> labels, PartCounter& counter);

}  // namespace kindred
