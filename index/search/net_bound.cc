#include "index/search/net_bound.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "index/base/mutant.h"

namespace kindred {
namespace {

// Slopes to try: chords up to similarities of 0.1 to 1. Any would do.
constexpr std::array kSlopes = {1.1, 1.2, 1.3, 1.4, 1.55, 2.0};

}  // namespace

NetBound::NetBound(const RecommendExamples& examples)
    : examples_(examples), measure_(examples.query().scoring.measure()) {
  const Scoring& scoring = examples.query().scoring;
  for (Level level = 0; level <= scoring.depth(); ++level) {
    weight_sum_ += scoring.weight(level);
  }
  double all_weights = 0;
  for (const RecommendQuery::Example& example : examples.query().examples) {
    vertices_.push_back(example.histogram.vertex_count());
    middle_ += example.weight * vertices_.back();
    all_weights += example.weight;
    disliked_ += example.liked ? 0 : example.weight;
  }
  middle_ /= all_weights;
  for (const RecommendQuery::Example& example : examples.query().examples) {
    const double n = vertices_[weights_.size()];
    double weight = example.weight;
    switch (measure_) {
      case Measure::kKernel:
        break;
      case Measure::kCosine:
        weight /= std::sqrt(n);
        break;
      case Measure::kTanimoto:
        weight /= n + middle_;
        break;
    }
    weights_.push_back(example.liked ? weight : -weight);
  }
}

double NetBound::Most(double net, const Block& block) const {
  double most = net;
  switch (measure_) {
    case Measure::kKernel:
      break;
    case Measure::kCosine:
      most = net / (weight_sum_ * std::sqrt(net > 0 ? block.smallest : block.largest));
      break;
    case Measure::kTanimoto:
      most = MostTanimoto(net, block);
      break;
  }
  // The score is a difference of sums: it is off by some of all that is added and taken away.
  double moved = std::abs(most);
  for (size_t e = 0; e < vertices_.size(); ++e) {
    moved += examples_.query().examples[e].weight * block.reaches[e];
  }
  return most + kRoundingSlack * moved + std::numeric_limits<double>::min();
}

double NetBound::MostTanimoto(double net, const Block& block) const {
  // (n_e + n) / (n_e + m) of a graph of a size in between; 1 where all examples are alike.
  const double size = 0.5 * (block.smallest + block.largest);
  const double shrink = (2 * middle_) / (middle_ + size);
  // Where an example is not of the size of all, it counts for more or less than that.
  double uneven = 0;
  std::array<double, kSlopes.size()> above{};  // What the chords of the liked leave out.
  for (size_t e = 0; e < vertices_.size(); ++e) {
    const double reach = block.reaches[e];
    const double share = reach / (1 + reach);
    const double weight = examples_.query().examples[e].weight;
    const double base = shrink / (vertices_[e] + middle_);
    if (weights_[e] < 0) {
      uneven += weight * share * std::max(0.0, base * (vertices_[e] + block.largest) - 1);
      continue;
    }
    uneven += weight * share * std::max(0.0, 1 - base * (vertices_[e] + block.smallest));
    for (size_t i = 0; i < kSlopes.size(); ++i) {
      above[i] += weight * std::max(0.0, reach - kSlopes[i] * share) * (1 - TooTight(Mutant::kNetChord));
    }
  }
  const double linear = shrink * net / weight_sum_ + uneven * (1 - TooTight(Mutant::kNetUneven));
  double most = 0;
  for (size_t i = 0; i < kSlopes.size(); ++i) {
    const double below = (std::sqrt(kSlopes[i]) - 1) * (1 - TooTight(Mutant::kNetTangent));
    const double bound = kSlopes[i] * linear + above[i] + disliked_ * below * below;
    most = i == 0 ? bound : std::min(most, bound);
  }
  return most;
}

}  // namespace kindred
