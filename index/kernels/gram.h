// The kernel matrix of counted features, computed row by row, from lists of who has a feature.
//
//   kMinimum:  K(G,H) = sum over features of min(count in G, count in H)
//   kProduct:  K(G,H) = sum over features of count in G * count in H
//
// Threads: immutable once built, so that rows may be computed on any number of threads.
// Invariants: (1) a list is sorted by graph and names no graph twice; (2) counts are positive; (3) every list
//             has two graphs at least: what one graph alone has counts in its self() only.
// Exactness: sums of minima are integers. Sums of products are added up in doubles, always in the same order:
//             exact below 2^53.
// Cost: 16 bytes an entry. A row reads the lists of its graph's features: about 1 ns an entry.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "index/base/interrupt.h"
#include "index/kernels/kernel_kind.h"

namespace kindred {

struct FeatureCount {
  uint32_t feature = 0;
  uint32_t count = 0;
};

class Gram {
 public:
  class Builder;

  size_t size() const { return selves_.size(); }
  // K(G,G).
  double self(size_t row) const { return selves_[row]; }

  // Fills out[i] = K(row, first + i). REQUIRES: first + out.size() = size().
  absl::Status Row(size_t row, size_t first, std::span<double> out, const Interrupt& interrupt) const;

  // K(G,H) / sqrt(K(G,G) K(H,H)) instead of K(G,H); 0 for a graph that has no features, also with itself.
  void Normalize(size_t row, size_t first, std::span<double> out) const;

  uint64_t entry_count() const { return entries_.size(); }
  size_t memory_bytes() const;

 private:
  // One graph of a list, or one feature of a row.
  struct Entry {
    uint32_t at = 0;
    uint32_t count = 0;
  };

  Gram() = default;

  std::span<const Entry> list(uint32_t feature) const {
    return std::span(lists_).subspan(list_begins_[feature],
                                     list_begins_[feature + 1] - list_begins_[feature]);
  }
  template <typename Sum, typename Combine>
  absl::Status SumLists(size_t row, size_t first, std::span<double> out, const Interrupt& interrupt,
                        Combine combine) const;

  Combination combination_ = Combination::kMinimum;
  std::vector<double> selves_;
  // Entries of row g: from row_begins_[g] up to row_begins_[g + 1]; `at` is a feature.
  std::vector<uint64_t> row_begins_;
  std::vector<Entry> entries_;
  // The same by feature; `at` is a graph.
  std::vector<uint64_t> list_begins_;
  std::vector<Entry> lists_;
};

// Takes the graphs of a matrix, one after the other.
class Gram::Builder {
 public:
  // RESOURCE_EXHAUSTED (kernel_entries_max) when the graphs have more entries than `entries_max` together.
  Builder(Combination combination, uint64_t entries_max);

  // Features may be numbered in any way, and no feature stands twice.
  absl::Status Add(std::span<const FeatureCount> features);

  size_t size() const { return gram_.size(); }
  uint64_t entries_max() const { return entries_max_; }

  Gram Build() &&;

 private:
  // Gives features that several graphs have the numbers 0, 1, ...; leaves out the others.
  size_t NumberSharedFeatures();
  void InvertRows(size_t features);

  const uint64_t entries_max_;
  Gram gram_;
};

}  // namespace kindred
