#include "index/search/similarity_floor.h"

#include <algorithm>
#include <array>

#include "index/base/limits.h"
#include "index/base/mutant.h"

namespace kindred {
namespace {

// A similarity is a quotient of sums of at most 16 products that are not negative, and perhaps a root: its
// double is within 2^-46 of it, relatively.
constexpr double kSlack = 1e-9;

// No graph has more vertices (base/limits.h).
constexpr uint32_t kVerticesCeiling = 1 << 21;

}  // namespace

SimilarityFloor::SimilarityFloor(const Scoring& scoring, uint32_t query_vertices, double least)
    : query_vertices_(query_vertices),
      by_sum_(scoring.measure() == Measure::kTanimoto),
      by_root_(scoring.measure() == Measure::kCosine),
      least_(least),
      factor_(least) {
  double weight_sum = 0;
  for (Level level = 0; level <= scoring.depth(); ++level) {
    weight_sum += scoring.weight(level);
  }
  if (by_sum_) {
    factor_ = least / (1 + least) * weight_sum;
  } else if (by_root_) {
    factor_ = least * weight_sum * std::sqrt(query_vertices);
  }
  factor_ *= 1 - kSlack;
  FindWindow(scoring);
}

bool SimilarityFloor::MayReach(const Scoring& scoring, std::span<const uint32_t> overlaps,
                               uint32_t vertices) const {
  std::array<uint32_t, kLevelsMax> most{};
  for (Level level = 0; level <= scoring.depth(); ++level) {
    most[level] = std::min(overlaps[level], vertices);
  }
  const Score score{scoring.Kernel(most), vertices};
  return scoring.Similarity(score, query_vertices_) >= least_ * (1 - kSlack);
}

// Up to the query's own size the best a graph of n vertices can have grows with n; beyond, it falls or stays.
void SimilarityFloor::FindWindow(const Scoring& scoring) {
  std::array<uint32_t, kLevelsMax> all{};
  all.fill(query_vertices_);
  const auto may_reach = [&](uint32_t vertices) { return MayReach(scoring, all, vertices); };
  if (!may_reach(query_vertices_)) {
    return;
  }
  uint32_t no = 0;
  for (uint32_t yes = query_vertices_; yes - no > 1;) {
    const uint32_t middle = no + (yes - no) / 2;
    (may_reach(middle) ? yes : no) = middle;
  }
  vertices_min_ = no + 1 + TooTight(Mutant::kWindowBound);
  uint32_t yes = query_vertices_;
  for (no = std::max(kVerticesCeiling, query_vertices_) + 1; no - yes > 1;) {
    const uint32_t middle = yes + (no - yes) / 2;
    (may_reach(middle) ? yes : no) = middle;
  }
  vertices_max_ = yes;
}

// KernelNeeded is low by kSlack already: this is high by as much, so that no rounding counts.
uint32_t SimilarityFloor::VerticesMost(double kernel) const {
  const double share = kernel / factor_;
  const double most = by_sum_      ? share - query_vertices_
                      : by_root_   ? share * share
                      : share >= 1 ? vertices_max_ + 1.0
                                   : 0;
  const double rounded = most * (1 + kSlack) + kSlack - TooTight(Mutant::kVerticesMost);
  if (rounded >= vertices_max_) {
    return vertices_max_;
  }
  return rounded > 0 ? static_cast<uint32_t>(rounded) : 0;
}

// The most a graph of n vertices can have is a sum of w_i min(overlap_i, n): linear in n between two
// overlaps, so that its similarity, as a function of n, has no maximum but at an overlap.
bool SimilarityFloor::RulesOut(const Scoring& scoring, std::span<const uint32_t> overlaps) const {
  std::array<uint32_t, kLevelsMax> most{};
  for (Level level = 0; level <= scoring.depth(); ++level) {
    most[level] = overlaps[level] - std::min(overlaps[level], TooTight(Mutant::kShareBound));
  }
  for (Level level = 0; level <= scoring.depth(); ++level) {
    if (most[level] > 0 && MayReach(scoring, most, most[level])) {
      return false;
    }
  }
  return true;
}

// A kernel is at most that of each of the two with itself. So tanimoto, K / (K(G,G) + K(H,H) - K), is at most
// K / K(G,G), and the cosine, K / sqrt(K(G,G) K(H,H)), at most the root of that.
double KernelLeast(const Scoring& scoring, uint32_t vertices, double least) {
  double kernel = least;
  switch (scoring.measure()) {
    case Measure::kKernel:
      break;
    case Measure::kCosine:
      kernel = least * least * scoring.SelfKernel(vertices);
      break;
    case Measure::kTanimoto:
      kernel = least * scoring.SelfKernel(vertices);
      break;
  }
  return kernel * (1 - kSlack) + TooTight(Mutant::kKernelLeast);
}

}  // namespace kindred
