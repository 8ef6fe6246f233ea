// For each colour the number of a graph's vertices that wear it, level by level.
//
// Threads: a value; immutable once built.
// Invariants: (1) within a level, entries are sorted by colour and no colour stands twice; (2) counts are
//             positive; (3) the counts of a level add up to vertex_count(), or to less where the graph
//             wears colours the index has never seen (a query).

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/ids.h"
#include "index/base/limits.h"
#include "index/hierarchy/refinement.h"

namespace kindred {

class Histogram {
 public:
  struct Entry {
    ColourId colour{};
    uint32_t count = 0;

    friend bool operator==(const Entry&, const Entry&) = default;
  };

  // Unknown colours are left out: they match nothing.
  static Histogram Of(const VertexColours& colours);

  // From stored levels. Refuses (DATA_LOSS) what breaks an invariant, or a level that does not add up to
  // `vertex_count`.
  static absl::StatusOr<Histogram> FromLevels(uint32_t vertex_count,
                                              const std::vector<std::vector<Entry>>& levels);

  uint32_t vertex_count() const { return vertex_count_; }
  Level depth() const { return static_cast<Level>(level_count_ - 1); }
  std::span<const Entry> entries() const { return entries_; }
  std::span<const Entry> at_level(Level level) const {
    const uint32_t begin = level == 0 ? 0 : level_ends_[level - 1u];
    return std::span(entries_).subspan(begin, level_ends_[level] - begin);
  }

  friend bool operator==(const Histogram&, const Histogram&) = default;

 private:
  void EndLevel() { level_ends_[level_count_++] = static_cast<uint32_t>(entries_.size()); }

  uint32_t vertex_count_ = 0;
  uint32_t level_count_ = 0;
  std::vector<Entry> entries_;
  std::array<uint32_t, kLevelsMax> level_ends_{};
};

// I_0..I_h: at each level the sum over colours of the smaller count. REQUIRES: a and b have one depth.
std::vector<uint32_t> LevelOverlaps(const Histogram& a, const Histogram& b);

}  // namespace kindred
