// The vertices of two graphs of one size in cells: two vertices that an isomorphism could make partners lie
// in one cell, each cell has as many of a as of b, and cells are split until that is all one can see of
// neighbours.
//
//   elements_  | a3 b1 b0 a5 | a0 b7 | a1 b2 | ...      a cell is a range; a pair alone in its cell are
//   partners
//
// The vertices of b are numbered behind those of a. Splits can be taken back, the last first.
//
// Threads: one at a time.
// Invariant: after Refine said kBalanced, of two vertices of one cell both have, for every cell and edge
// label,
//            as many neighbours there.
// Cost: Refine is O((V + E) log V) for all splits that lead down from the first partition, as of Hopcroft.

#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "index/graph/graph.h"

namespace kindred {

class PairPartition {
 public:
  enum class State { kBalanced, kUnbalanced, kOutOfSteps };

  // One cell a vertex label. REQUIRES: as many vertices and edges in both; `steps_max` bounds steps().
  PairPartition(const Graph& a, const Graph& b, uint64_t steps_max);

  // Splits cells until they are stable, or one is unbalanced: then there is no isomorphism within these
  // cells.
  State Refine();
  // Makes partners of a vertex of a and one of b. REQUIRES: they lie in one cell of more. Refine comes next.
  void Pair(uint32_t of_a, uint32_t of_b);

  bool IsPaired(uint32_t vertex) const { return cells_[cell_of_[vertex]].size == 2; }
  // All vertices of its cell, in any order.
  std::span<const uint32_t> CellOf(uint32_t vertex) const {
    const Cell& cell = cells_[cell_of_[vertex]];
    return std::span(elements_).subspan(cell.begin, cell.size);
  }
  std::span<const Graph::Neighbour> arcs(uint32_t vertex) const {
    return std::span(arcs_).subspan(arc_begins_[vertex], arc_begins_[vertex + 1] - arc_begins_[vertex]);
  }

  // What Undo goes back to.
  size_t mark() const { return cells_.size(); }
  void Undo(size_t mark);

  uint32_t vertices_of_a() const { return vertices_; }
  uint64_t steps() const { return steps_; }
  void AddSteps(uint64_t steps) { steps_ += steps; }
  bool OutOfSteps() const { return steps_ > steps_max_; }

 private:
  struct Cell {
    uint32_t begin = 0;
    uint32_t size = 0;
    uint32_t parent = 0;  // The cell it was split from.
    bool queued = false;
  };

  void AddArcs(const Graph& graph, std::span<const uint32_t> labels, uint32_t first);
  void BuildLabelCells(std::span<const uint32_t> vertex_labels);
  void Enqueue(uint32_t cell);
  // Counts the arcs of one label that come from a splitter, and splits the cells they lead to.
  bool SplitBy(std::span<const std::pair<uint32_t, uint32_t>> arcs);
  bool SplitCell(std::span<const uint32_t> touched);
  uint32_t SplitOff(uint32_t cell, std::span<const uint32_t> members);
  void MoveToEnd(uint32_t vertex, uint32_t place);
  bool Balanced(std::span<const uint32_t> members) const;

  const uint32_t vertices_;  // Of a.
  const uint64_t steps_max_;
  uint64_t steps_ = 0;

  std::vector<uint32_t> arc_begins_;
  std::vector<Graph::Neighbour> arcs_;  // With labels that both graphs share.

  std::vector<uint32_t> elements_;
  std::vector<uint32_t> place_;  // Of a vertex in elements_.
  std::vector<uint32_t> cell_of_;
  std::vector<Cell> cells_;
  std::vector<uint32_t> queue_;  // Cells to split others by.
  bool labels_balanced_ = true;  // Each as often in a as in b.

  // Of one splitter.
  std::vector<std::pair<uint32_t, uint32_t>> from_splitter_;  // Edge label and where the arc leads.
  std::vector<uint32_t> count_;                               // Of arcs, a vertex each; zero between uses.
  std::vector<uint32_t> touched_;
  std::vector<uint32_t> fragments_;
};

}  // namespace kindred
