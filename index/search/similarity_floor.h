// What a graph must have to be at least so similar to a query: its size, its kernel, and what it shares.
//
// Everything here is for leaving graphs out. Each bound is computed by the roundings of Scoring, or gives way
// by kSlack, which is far more than those roundings add up to; so a graph that is left out does not reach the
// floor, and Reaches decides the others, exactly as a search does.
//
// Threads: a value; immutable.

#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "index/histogram/measure.h"

namespace kindred {

// The size of a graph, as KernelNeeded wants it.
struct GraphSize {
  explicit GraphSize(uint32_t vertex_count) : vertices(vertex_count), root(std::sqrt(vertex_count)) {}

  uint32_t vertices;
  double root;
};

class SimilarityFloor {
 public:
  // REQUIRES: least > 0.
  SimilarityFloor(const Scoring& scoring, uint32_t query_vertices, double least);

  // [WindowBound] Graphs with fewer or with more vertices do not reach it. None does if the first exceeds the
  // second.
  uint32_t vertices_min() const { return vertices_min_; }
  uint32_t vertices_max() const { return vertices_max_; }

  // [KernelBound] A graph of this size with less than this does not reach it.
  double KernelNeeded(const GraphSize& size) const {
    return factor_ * (by_sum_ ? query_vertices_ + size.vertices : by_root_ ? size.root : 1);
  }

  // The other way round: the most vertices a graph may have that reaches it with this kernel; 0: none does.
  uint32_t VerticesMost(double kernel) const;

  // [ShareBound] Whether no graph of any size can reach it that shares at most so much with the query at each
  // level. REQUIRES: `overlaps` do not grow with the level, and are at most the query's vertices.
  bool RulesOut(const Scoring& scoring, std::span<const uint32_t> overlaps) const;

  bool Reaches(const Scoring& scoring, const Score& score) const {
    return scoring.Similarity(score, query_vertices_) >= least_;
  }
  double least() const { return least_; }
  uint32_t query_vertices() const { return query_vertices_; }

 private:
  // Whether a graph of so many vertices could reach it if it shared at most so much at each level.
  bool MayReach(const Scoring& scoring, std::span<const uint32_t> overlaps, uint32_t vertices) const;
  void FindWindow(const Scoring& scoring);

  uint32_t query_vertices_;
  uint32_t vertices_min_ = 1;
  uint32_t vertices_max_ = 0;
  bool by_sum_;   // Tanimoto: what is needed grows with the sum of both sizes,
  bool by_root_;  // cosine: with the root of the graph's.
  double least_;
  double factor_;
};

// [PartnerBound] The kernel that two graphs have at least if they are at least so similar, one of them of so
// many vertices, whatever the size of the other.
double KernelLeast(const Scoring& scoring, uint32_t vertices, double least);

}  // namespace kindred
