// Recommendations by definition: every graph compared with every example, one by one. Shares no code with
// index/ beyond Graph and the words of a question.
//
// Sums are added up in doubles in the documented order (index/search/recommendation.h); least similarities
// are compared as fractions of 128-bit integers where the weights of the levels are integers, else as
// doubles.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "index/search/recommendation.h"
#include "tests/support/reference_model.h"

namespace kindred::test {

struct ModelTaste {
  struct Example {
    Graph graph;
    double weight = 1;
  };
  std::vector<Example> liked;
  std::vector<Example> disliked;
  RecommendForm form = RecommendForm::kWeightedSum;
  Measure measure = Measure::kTanimoto;
  std::optional<uint32_t> depth = {};  // Default: the model's.
  std::vector<double> weights = {};    // Default: all 1.
  uint32_t k = 10;
  std::optional<double> min_score = {};
  std::set<std::string> excluded = {};
};

class RecommendModel {
 public:
  explicit RecommendModel(Level depth) : depth_(depth) {}

  void Put(const std::string& id, const Graph& graph);
  void Delete(const std::string& id) { graphs_.erase(id); }

  size_t size() const { return graphs_.size(); }
  bool contains(const std::string& id) const { return graphs_.contains(id); }
  const Graph& graph(const std::string& id) const { return graphs_.at(id).graph; }

  std::vector<RecommendHit> Recommend(const ModelTaste& taste) const;

 private:
  struct Entry {
    Graph graph;
    NaiveHistogram histogram;
  };

  Level depth_;
  std::map<std::string, Entry> graphs_;
};

}  // namespace kindred::test
