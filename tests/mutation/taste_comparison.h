// Compares pruned recommendations, over blocks and over plain graphs, with exhaustive ones until they differ.

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "index/search/exhaustive_recommender.h"
#include "index/search/pruned_recommender.h"

namespace kindred::test {

class TasteComparison {
 public:
  using Stored = std::vector<std::pair<std::string, Histogram>>;

  // All must outlive this.
  TasteComparison(const Stored& stored, const std::vector<SegmentView>& segments,
                  const std::vector<SegmentView>& plain)
      : stored_(stored), segments_(segments), plain_(plain) {}

  // Of questions made of these graphs: one alone, one twice, and several of different size for and against.
  bool AnyDifference(const std::vector<Histogram>& graphs) const {
    for (size_t i = 0; i + 5 <= graphs.size(); ++i) {
      const Histogram* const some = &graphs[i];
      for (const Measure measure : {Measure::kTanimoto, Measure::kCosine, Measure::kKernel}) {
        for (const auto& weights : {std::vector<double>{}, std::vector<double>{1, 2, 4, 8}}) {
          const RecommendQuery empty{{},
                                     RecommendForm::kWeightedSum,
                                     *Scoring::Create(measure, some->depth(), std::nullopt, weights),
                                     1,
                                     std::nullopt,
                                     {}};
          if (Differs(empty, {{some[0], 1, true}}) ||
              Differs(empty, {{some[0], 1, true}, {some[0], 1, true}}) ||
              Differs(empty, {{some[0], 1, true}, {some[1], 1, true}, {some[2], 1, false}}) ||
              Differs(empty,
                      {{some[0], 3, true}, {some[1], 1, true}, {some[0], 2, false}, {some[3], 0.5, false}})) {
            return true;
          }
        }
      }
    }
    return false;
  }

 private:
  using Examples = std::vector<RecommendQuery::Example>;

  // For a few, then again at the very score of the best: nothing there may be lost.
  bool Differs(RecommendQuery query, Examples examples) const {
    query.examples = std::move(examples);
    query.k = 10;
    std::vector<RecommendHit> best;
    if (Differ(query, best)) {
      return true;
    }
    std::vector<RecommendHit> ignored;
    for (const RecommendHit& hit : best) {
      query.min_score = hit.score;
      if (Differ(query, ignored)) {
        return true;
      }
    }
    return false;
  }

  bool Differ(const RecommendQuery& query, std::vector<RecommendHit>& expected) const {
    const ExhaustiveRecommender oracle([this](const HistogramVisitor& visit) {
      for (const auto& [id, histogram] : stored_) {
        if (absl::Status status = visit(id, histogram); !status.ok()) {
          return status;
        }
      }
      return absl::OkStatus();
    });
    expected = oracle.Recommend(query, Interrupt())->hits;
    return PrunedRecommender(segments_).Recommend(query, Interrupt())->hits != expected ||
           PrunedRecommender(plain_).Recommend(query, Interrupt())->hits != expected;
  }

  const Stored& stored_;
  const std::vector<SegmentView>& segments_;
  const std::vector<SegmentView>& plain_;
};

}  // namespace kindred::test
