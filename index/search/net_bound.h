// How high the score of graphs can be, given what their features count for and against them together.
//
// The similarities of a weighted sum are nearly linear in the kernels. So what a graph shares with liked and
// disliked examples alike need not be counted for it once and forgotten where it counts against it: every
// feature f of the examples gets a net weight c_f, the sum of v_e over the liked examples e that have it less
// that over the disliked, and a graph has at most the net weights of its features.
//
//   [NetBound] With N(G) = the sum over examples of +-v_e K(q_e,G), n the vertices of G, W the sum of the
//   weights of the levels:
//     kernel     v_e = w_e                  score(G) = N(G)
//     cosine     v_e = w_e / sqrt(n_e)      score(G) = N(G) / (W sqrt(n))
//     tanimoto   v_e = w_e / (n_e + m)      with u = K / (W (n_e + n)), sim = u / (1 - u) lies, for any slope
//     s >= 1, below
//                s u + max(0, r - s r / (1 + r)) where it is at most r, and above s u - (sqrt(s) - 1)^2.
//
// docs/exactness.md proves it, and tells what becomes of examples of different sizes.
//
// Threads: one recommendation.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "index/search/recommend_examples.h"

namespace kindred {

class NetBound {
 public:
  // `examples` must outlive this; they ask for a weighted sum.
  explicit NetBound(const RecommendExamples& examples);

  // +-v_e.
  double weight(size_t example) const { return weights_[example]; }

  // What a block is known by.
  struct Block {
    uint32_t smallest = 0;  // Its vertex counts.
    uint32_t largest = 0;
    const double* reaches = nullptr;  // How similar its graphs can be to each example, also to the disliked.
  };
  // At least the score of every graph of the block with N(G) <= `net`.
  double Most(double net, const Block& block) const;

 private:
  double MostTanimoto(double net, const Block& block) const;

  const RecommendExamples& examples_;
  const Measure measure_;
  double weight_sum_ = 0;  // W.
  double middle_ = 0;      // m: the vertices of an example, on average.
  double disliked_ = 0;    // The weights of the disliked.
  std::vector<double> weights_;
  std::vector<double> vertices_;  // n_e.
};

}  // namespace kindred
