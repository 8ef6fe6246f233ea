// Compares the graphs of prefix lists with each other: every two that reach each other and have sketches that
// are not too far apart become a candidate.
//
// The work of a batch of lists is cut into tasks of about the same size, parts of long lists or several short
// ones, which run on any threads. When there are many candidates, tasks stop where they are, and go on with
// the next call: what is held at a time has a bound.
//
// Threads: Run on several at once, each for a task of its own.
// Cost: 16 pairs of a list are looked at in a few instructions; a comparison of sketches takes 2 ns or so.

#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "index/base/interrupt.h"
#include "index/base/parallel.h"
#include "index/pairs/pair_bounds.h"
#include "index/pairs/pair_kernels.h"
#include "index/pairs/prefix_lists.h"
#include "index/pairs/sketch.h"

namespace kindred {

// Two graphs that may be similar enough, and the place in the order of a feature they share.
struct PairCandidate {
  uint32_t a = 0;  // The larger number.
  uint32_t b = 0;
  uint32_t rank = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): takes a 0 in what is generated for a pointer.
  friend auto operator<=>(const PairCandidate&, const PairCandidate&) = default;
};

class ListJoin {
 public:
  // All references must outlive this.
  ListJoin(const PairBounds& bounds, const Sketches& sketches);

  // REQUIRES: done().
  void Start(PrefixBatch& batch);  // Swaps it for the one that is done.
  bool done() const { return tasks_.empty(); }

  // Appends candidates, until there are about so many in all, or the batch is done, or the interrupt says so.
  void Run(size_t candidates_max, const ParallelFor& parallel_for, const Interrupt& interrupt,
           std::vector<PairCandidate>& candidates);

  // Pairs of graphs whose sketches may have been compared.
  uint64_t compared_count() const { return compared_; }

 private:
  // Rows: an entry of a list, to be compared with those before it. A task has those of several lists, from
  // one row of the first one up to one of the last.
  struct Task {
    uint32_t list = 0;
    uint32_t row = 0;
    uint32_t list_last = 0;
    uint32_t row_end = 0;  // Of the last list.
  };
  struct Columns;

  void MakeTasks();
  // Does a part, and leaves in `task` what is not done; true if that is nothing.
  bool RunTask(Task& task, Columns& columns, std::vector<PairCandidate>& found) const;

  const Sketches& sketches_;
  std::vector<double> sums_;
  std::vector<double> products_;
  CloseLimits limits_;
  PrefixBatch batch_;
  std::vector<Task> tasks_;
  uint64_t compared_ = 0;
};

}  // namespace kindred
