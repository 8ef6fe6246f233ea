// Every recommender equals the model, id for id and score for score, on random sets full of ties: both forms,
// all measures, depths, weights of levels and of examples, k from 1 to n + 3, scores asked for, in random
// segments with random graphs hidden, inverted or not.

#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/search/exhaustive_recommender.h"
#include "index/search/pruned_recommender.h"
#include "tests/property/generators.h"
#include "tests/property/rapidcheck_gtest.h"
#include "tests/support/corpus.h"
#include "tests/support/recommend_model.h"
#include "tests/support/recommend_modes.h"
#include "tests/support/status_matchers.h"

namespace kindred {

void showValue(const RecommendHit& hit, std::ostream& out) { out << hit; }

}  // namespace kindred

namespace kindred::test {
namespace {

constexpr Level kTasteDepth = 3;

// Ids whose order is neither that of insertion nor of numbers.
std::string TasteId(size_t i) {
  return std::string(1, static_cast<char>('a' + i * 7 % 26)) + std::to_string(i % 3) + std::to_string(i);
}

// Random graphs in segments, inverted and not, and in the model.
class TasteCorpus {
 public:
  explicit TasteCorpus(const std::vector<GraphSpec>& graphs) {
    for (size_t i = 0; i < graphs.size(); ++i) {
      const Graph graph = ToGraph(graphs[i]);
      stored_.Add(TasteId(i), GrowHistogram(hierarchy_, graph, kTasteDepth));
      model_.Put(TasteId(i), graph);
      if (*rc::gen::inRange(0, 6) == 0) {
        stored_.Seal();
      }
    }
    stored_.Seal();
    for (size_t i = 0; i < graphs.size(); ++i) {
      if (*rc::gen::inRange(0, 6) == 0) {
        stored_.Hide(i);
        model_.Delete(TasteId(i));
      }
    }
  }

  const RecommendModel& model() const { return model_; }

  RecommendQuery QueryFor(const ModelTaste& taste) const {
    RecommendQuery query{{},
                         taste.form,
                         Must(Scoring::Create(taste.measure, kTasteDepth, taste.depth, taste.weights)),
                         taste.k,
                         taste.min_score,
                         {taste.excluded.begin(), taste.excluded.end()}};
    for (const bool liked : {true, false}) {
      for (const ModelTaste::Example& example : liked ? taste.liked : taste.disliked) {
        query.examples.push_back({Histogram::Of(RefineKnown(hierarchy_.view(), example.graph, kTasteDepth)),
                                  example.weight, liked});
      }
    }
    return query;
  }

  void ExpectAllEqualTheModel(const ModelTaste& taste) const {
    const std::vector<RecommendHit> expected = model_.Recommend(taste);
    const RecommendQuery query = QueryFor(taste);
    RC_ASSERT(Must(PrunedRecommender(stored_.segments()).Recommend(query, Interrupt())).hits == expected);
    RC_ASSERT(Must(PrunedRecommender(stored_.plain_segments()).Recommend(query, Interrupt())).hits ==
              expected);
    RC_ASSERT(Must(ExhaustiveRecommender(stored_.source()).Recommend(query, Interrupt())).hits == expected);
  }

 private:
  ColourHierarchy hierarchy_;
  SearchedHistograms stored_;
  RecommendModel model_{kTasteDepth};
};

std::vector<double> DrawLevelWeights(uint32_t depth) {
  const int kind = *rc::gen::inRange(0, 4);  // All 1, integers, binary fractions, decimal fractions.
  std::vector<double> weights;
  for (uint32_t level = 0; kind > 0 && level <= depth; ++level) {
    const double units[] = {0, 1, 0.125, 0.1};
    weights.push_back(*rc::gen::inRange(level == 0 ? 1 : 0, 8) * units[kind]);
  }
  return weights;
}

std::vector<ModelTaste::Example> DrawExamples(const std::vector<GraphSpec>& stored, int least,
                                              bool weighted) {
  std::vector<ModelTaste::Example> examples;
  for (int count = *rc::gen::inRange(least, 4); count > 0; --count) {
    // One of those that are stored, now or once, or any.
    const bool known = *rc::gen::inRange(0, 2) == 0;
    const GraphSpec graph = known ? stored[*rc::gen::inRange<size_t>(0, stored.size())]
                                  : *GenGraph({.vertices_max = 5, .vertex_labels = 3, .edge_labels = 3});
    const double weight = *rc::gen::element(1.0, 1.0, 2.0, 0.5, 0.1, 0.7, 1048576.0, 1e-9, 1e-300, 5e-324);
    examples.push_back({ToGraph(graph), weighted ? weight : 1});
  }
  return examples;
}

ModelTaste DrawTaste(const std::vector<GraphSpec>& stored) {
  ModelTaste taste;
  taste.form = *rc::gen::element(RecommendForm::kWeightedSum, RecommendForm::kBestMinimum);
  const bool sum = taste.form == RecommendForm::kWeightedSum;
  taste.liked = DrawExamples(stored, 1, sum);
  taste.disliked = sum ? DrawExamples(stored, 0, true) : std::vector<ModelTaste::Example>();
  taste.measure = *rc::gen::element(Measure::kKernel, Measure::kCosine, Measure::kTanimoto);
  taste.depth = *rc::gen::inRange<uint32_t>(0, kTasteDepth + 1u);
  taste.weights = DrawLevelWeights(*taste.depth);
  taste.k = *rc::gen::inRange<uint32_t>(1, static_cast<uint32_t>(stored.size()) + 4);
  for (size_t i = 0; i < stored.size(); ++i) {
    if (*rc::gen::inRange(0, 8) == 0) {
      taste.excluded.insert(TasteId(i));
    }
  }
  return taste;
}

RC_GTEST_PROP(RecommendModel, AllRecommendersEqualTheModel, ()) {
  const auto graphs = *GenGraphs(24, {.vertices_max = 5});
  const TasteCorpus corpus(graphs);
  for (int question = 0; question < 8; ++question) {
    corpus.ExpectAllEqualTheModel(DrawTaste(graphs));
  }
}

RC_GTEST_PROP(RecommendModel, ScoresAskedForCutWhereTheModelDoes, ()) {
  const auto graphs = *GenGraphs(24, {.vertices_max = 5});
  const TasteCorpus corpus(graphs);
  ModelTaste taste = DrawTaste(graphs);
  taste.k = static_cast<uint32_t>(graphs.size());
  const std::vector<RecommendHit> all = corpus.model().Recommend(taste);
  taste.k = *rc::gen::inRange<uint32_t>(1, static_cast<uint32_t>(graphs.size()) + 4);
  // Scores that are somebody's, to the last bit, and one that is likely nobody's.
  std::vector<double> scores{*rc::gen::inRange(-100, 100) / 100.0};
  for (const RecommendHit& hit : all) {
    scores.push_back(hit.score);
  }
  for (const double score : scores) {
    taste.min_score = score;
    corpus.ExpectAllEqualTheModel(taste);
  }
}

// One liked example alone is a search.
RC_GTEST_PROP(RecommendModel, OneLikedExampleAnswersAsASearchDoes, ()) {
  const auto graphs = *GenGraphs(24, {.vertices_max = 5});
  Corpus corpus(kTasteDepth);
  for (size_t i = 0; i < graphs.size(); ++i) {
    corpus.Add(TasteId(i), ToGraph(graphs[i]));
  }
  corpus.Seal();
  const Graph liked = ToGraph(*GenGraph({.vertices_max = 5}));
  ModelQuery how;
  how.measure =
      *rc::gen::element(Measure::kKernel, Measure::kTanimoto);  // Of these, doubles order as fractions do.
  const Query query = corpus.QueryFor(liked, how);
  for (const auto form : {RecommendForm::kWeightedSum, RecommendForm::kBestMinimum}) {
    const RecommendQuery asked{{{query.histogram, 1, true}}, form, query.scoring, query.k, {}, {}};
    const auto hits = Must(PrunedRecommender(corpus.segments()).Recommend(asked, Interrupt())).hits;
    const std::vector<Hit> expected = corpus.Pruned(query);
    RC_ASSERT(hits.size() == expected.size());
    for (size_t i = 0; i < hits.size(); ++i) {
      RC_ASSERT(hits[i].id == expected[i].id);
      RC_ASSERT(hits[i].score == expected[i].similarity);
    }
  }
}

}  // namespace
}  // namespace kindred::test
