// Random parts of requests, each with what the model needs to know of it.
//
// Graphs are small and have few labels, ids and tags are few: ties, replacements, equal graphs and filters
// that match are common. Threads: a chooser each.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "kindred/v1/kindred.pb.h"
#include "tests/model/world.h"
#include "tests/support/graphs.h"

namespace kindred::test {

struct ChosenFilter {
  std::string text;  // Empty: all.
  Matches matches;
};

struct ChosenScoring {
  Measure measure = Measure::kTanimoto;
  std::optional<uint32_t> depth;
  std::vector<double> weights;
};

class Chooser {
 public:
  Chooser(uint64_t seed, Level depth, uint64_t ids) : rng_(seed), depth_(depth), ids_(ids) {}

  uint64_t Below(uint64_t n) { return test::Below(rng_, n); }
  bool Once(uint64_t in) { return Below(in) == 0; }

  std::string Id() { return "g" + std::to_string(Below(ids_)); }
  Graph RandomlyMadeGraph();
  KeptRecord Record();
  v1::WriteMode Mode();
  // One that can match something, or none.
  ChosenFilter Filter();
  ChosenScoring Scoring();
  // In the unit of the measure; above 0.
  double Threshold(Measure measure);

 private:
  Rng rng_;
  Level depth_;
  uint64_t ids_;
};

v1::Graph MessageOf(const Graph& graph);
v1::Record MessageOf(const std::string& id, const KeptRecord& record);
v1::Measure MessageOf(Measure measure);

// Sets measure, depth and weights of a request that has them.
template <typename Request>
void SetScoring(const ChosenScoring& scoring, Request& request) {
  request.set_measure(MessageOf(scoring.measure));
  if (scoring.depth) {
    request.set_depth(*scoring.depth);
  }
  request.mutable_weights()->Add(scoring.weights.begin(), scoring.weights.end());
}

}  // namespace kindred::test
