// The small integers blocks are bounded in, and what a block needs of them to matter.
//
// A bound counts in units: weight(l) units for one vertex of overlap at level l, such that the units of a
// graph are at least scale times its kernel. Weights that are all equal (or 0) become 1 each and lose
// nothing; others are scaled to 16 bits and rounded up, so that a bound stays a bound.
//
// Threads: a value; immutable.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "index/base/limits.h"
#include "index/search/searcher.h"

namespace kindred {

// Wider than all roundings of a similarity and of a bound together (a few times 2^-53), far narrower than a
// unit.
inline constexpr double kRoundingSlack = 1e-9;

class BoundUnits {
 public:
  // Of a query's search in blocks.
  explicit BoundUnits(const Query& query);

  // 0: the level does not count.
  uint16_t weight(Level level) const { return weights_[level]; }
  // One unit is exactly this much kernel, whatever the level; 0 if there is no such number.
  double exact_unit() const { return exact_unit_; }

  // The most units a graph of so many vertices can have.
  uint32_t Most(uint32_t vertex_count) const;
  // [NeedBound] The least units a graph of at least so many vertices has if its similarity is at least
  // `similarity`. Grows with both.
  uint32_t Need(double similarity, uint32_t vertex_count) const;
  // [ReachBound] The other way round: at least the similarity of every graph of at least so many vertices
  // that has at most so many units. Grows with the units, falls with the vertices.
  double Reach(uint32_t units, uint32_t vertex_count) const;

 private:
  Measure measure_;
  double self_kernel_ = 0;  // Of the query.
  double weight_sum_ = 0;   // K(G,G) of a graph of one vertex.
  double scale_ = 1;
  double exact_unit_ = 0;
  std::array<uint16_t, kLevelsMax> weights_{};
  std::array<uint32_t, kLevelsMax> overlap_max_{};  // The most vertices a blocked graph shares at a level.
};

// Need for one similarity at a time, remembered for each vertex count.
class NeedTable {
 public:
  // `units` must outlive this.
  explicit NeedTable(const BoundUnits& units) : units_(units) {}

  void SetSimilarity(double similarity) {
    if (similarity != similarity_) {
      similarity_ = similarity;
      needs_.assign(needs_.size(), kUnknown);
    }
  }
  uint32_t operator()(uint32_t vertex_count) {
    if (vertex_count >= needs_.size()) {
      needs_.resize(vertex_count + 1, kUnknown);
    }
    uint32_t& need = needs_[vertex_count];
    if (need == kUnknown) {
      need = units_.Need(similarity_, vertex_count);
    }
    return need;
  }

 private:
  static constexpr uint32_t kUnknown = UINT32_MAX;

  const BoundUnits& units_;
  double similarity_ = 0;
  std::vector<uint32_t> needs_;
};

}  // namespace kindred
