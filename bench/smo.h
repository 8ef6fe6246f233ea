// One C-SVM of two classes, solved for one cost after another: sequential minimal optimization with the
// second-order working sets of Fan, Chen and Lin (JMLR 2005), as LIBSVM does it, to LIBSVM's tolerance.
//
// Ours, since choosing trains on the same graphs for many costs: LIBSVM computes the kernels again for each
// cost, through 16-byte entries a row apart (1 s of 1.0 to 1.8 s a training on 3,329 graphs of NCI1), and
// starts each cost from nothing. Here the matrix is dense and a cost goes on from the solution of the one
// before it.
//
// Threads: one.
// Cost: two passes a step over the graphs, or (shrinking) over those whose weights still move. Memory: 4
// bytes a pair
//       of graphs, and while shrunk as much again for those that move.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kindred::bench {

class Smo {
 public:
  // `kernel` row by row, square; `signs`, of the classes, are 1 and -1, both there.
  Smo(std::vector<float> kernel, std::span<const int> signs);

  // REQUIRES: `cost` is not less than the one before. False if it took more than `steps_max` steps; the
  // solution is then not one.
  bool Solve(double cost, uint64_t steps_max);

  // Whether the cost holds any graph back. If not, a higher cost has the same solution.
  bool any_bounded() const;
  // Of the graphs, with sign: a graph x is of the positive class if the sum of coefficient times kernel with
  // x, plus the bias, is positive.
  std::vector<float> Coefficients() const;
  double Bias() const;
  // What is maximized: the dual's objective.
  double Objective() const;

 private:
  struct Extremes {
    size_t highest = 0;  // Of those that may go up.
    double high = 0;
    double low = 0;  // Of those that may go down.
  };

  const float* row(size_t i) const { return &kernel_[i * signs_.size()]; }
  // Steps until it is solved or no step is left.
  bool Run(uint64_t& steps_left);
  Extremes Find() const;
  Extremes Step(const Extremes& extremes, size_t other);
  size_t BestPartner(const Extremes& extremes) const;
  // Those that are not at a bound that their slope keeps them at.
  std::vector<size_t> Moving(const Extremes& extremes) const;
  // Runs on these alone, with a smaller matrix, and takes over what it comes to.
  bool RunPart(const std::vector<size_t>& graphs, uint64_t& steps_left);
  // What may still be added to sign times weight, and taken from it.
  double Room(size_t i, bool upwards) const;
  void SetPenalties(size_t i);

  std::vector<float> kernel_;
  std::vector<float> diagonal_;
  std::vector<double> signs_;
  double cost_ = 0;
  std::vector<double> weights_;  // Between 0 and the cost.
  std::vector<double> slopes_;   // Of the objective by sign times weight: sign - sum of kernel * coefficient.
  // 0 for those that may go up (down), else so low (high) that they are never the highest (lowest).
  std::vector<double> up_penalties_;
  std::vector<double> down_penalties_;
  std::vector<float> may_go_down_;  // 1 or 0.
};

}  // namespace kindred::bench
