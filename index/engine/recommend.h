// The stored graphs nearest to several liked graphs and away from disliked ones, from one snapshot.
//
// Threads: a free function; the snapshot is immutable.
// Cost: one read of the store an example that is named by its id; then search/pruned_recommender.h.

#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "index/engine/engine.h"
#include "index/filter/filter.h"
#include "index/search/recommendation.h"

namespace kindred {

struct RecommendRequest {
  struct Example {
    // The external id of a stored graph, or a graph.
    std::variant<std::string, Graph> graph;
    double weight = 1;
  };

  std::vector<Example> liked;
  std::vector<Example> disliked;
  RecommendForm form = RecommendForm::kWeightedSum;
  uint32_t k = kNeighboursDefault;
  Measure measure = Measure::kTanimoto;
  std::optional<uint32_t> depth;
  std::vector<double> weights;
  SearchMode mode = SearchMode::kPruned;
  CommitSequence min_sequence{};
  // How a molecule became the graphs of the examples; empty: not said.
  std::string molecule_scheme;
  // Ids that are no hits, beside those of the examples. One that is not stored is ignored.
  std::vector<std::string> excluded;
  std::optional<double> min_score;
  // Only graphs that match are hits; examples need not.
  Filter filter;
  WantedFields fields = WantedFields::kNone;
};

struct RecommendReply {
  RecommendAnswer answer;
  CommitSequence sequence{};
  std::vector<HitFields> fields;  // One a hit if some were wanted, else none.
};

// An error starts with the path of the field: "liked[2].weight: ...". NOT_FOUND for an id that is not stored.
absl::StatusOr<RecommendReply> Recommend(const Engine& engine, const RecommendRequest& request,
                                         const Interrupt& interrupt);

}  // namespace kindred
