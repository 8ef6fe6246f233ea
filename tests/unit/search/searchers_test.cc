// Every searcher gives the same answer as the model: the same harness is run over each of them.

#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/corpus.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"

namespace kindred {
namespace {

using test::Corpus;
using test::ModelQuery;

struct SearcherCase {
  const char* name;
  std::vector<Hit> (Corpus::*search)(const Query&) const;
};

class Searchers : public ::testing::TestWithParam<SearcherCase> {
 protected:
  std::vector<Hit> Search(const Corpus& corpus, const Graph& query, const ModelQuery& how) const {
    return (corpus.*GetParam().search)(corpus.QueryFor(query, how));
  }
};

INSTANTIATE_TEST_SUITE_P(All, Searchers,
                         ::testing::Values(SearcherCase{"Pruned", &Corpus::Pruned},
                                           SearcherCase{"Exhaustive", &Corpus::Exhaustive}),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(Searchers, AnEmptyIndexAnswersNothing) {
  Corpus corpus(3);
  EXPECT_EQ(Search(corpus, test::Path("CCO"), {}), std::vector<Hit>{});
  corpus.Seal();  // A segment without graphs.
  EXPECT_EQ(Search(corpus, test::Path("CCO"), {}), std::vector<Hit>{});
}

TEST_P(Searchers, TheGraphItselfComesFirstWithSimilarityOne) {
  Corpus corpus(3);
  corpus.Add("near", test::Path("CCN"));
  corpus.Add("same", test::Path("CCO"));
  corpus.Add("far", test::Path("NN"));
  corpus.Seal();
  const auto hits = Search(corpus, test::Path("OCC"), {.k = 1});
  EXPECT_EQ(hits, (std::vector<Hit>{{"same", 12, 1.0, 3}}));
}

TEST_P(Searchers, TiesAreOrderedByIdBytewiseAcrossSegments) {
  Corpus corpus(2);
  for (const char* id : {"b", "\xc3\xa9", "a"}) {
    corpus.Add(id, test::Path("CO"));
  }
  corpus.Seal();
  for (const char* id : {"aa", "Z", "\x01"}) {
    corpus.Add(id, test::Path("CO"));
  }
  corpus.Seal();
  const auto hits = Search(corpus, test::Path("CO"), {.k = 5});
  ASSERT_EQ(hits.size(), 5u);
  EXPECT_EQ(hits[0].id, "\x01");
  EXPECT_EQ(hits[1].id, "Z");
  EXPECT_EQ(hits[2].id, "a");
  EXPECT_EQ(hits[3].id, "aa");
  EXPECT_EQ(hits[4].id, "b");
}

TEST_P(Searchers, AGraphWithNothingInCommonIsAnAnswerLikeAnyOther) {
  Corpus corpus(2);
  corpus.Add("y", test::Path("NN"));
  corpus.Add("x", test::Path("OOO"));
  corpus.Add("z", test::Path("CC"));
  corpus.Seal();
  EXPECT_EQ(Search(corpus, test::Path("CC"), {.k = 3}),
            (std::vector<Hit>{{"z", 6, 1.0, 2}, {"x", 0, 0.0, 3}, {"y", 0, 0.0, 2}}));
  EXPECT_EQ(Search(corpus, test::Path("FF"), {.k = 2}),
            (std::vector<Hit>{{"x", 0, 0.0, 3}, {"y", 0, 0.0, 2}}));
}

TEST_P(Searchers, AMinimumOfZeroKeepsWhatHasNothingInCommonAndMoreDrops) {
  Corpus corpus(2);
  corpus.Add("x", test::Path("OO"));
  corpus.Seal();
  EXPECT_EQ(Search(corpus, test::Path("CC"), {.min_similarity = 0.0}).size(), 1u);
  EXPECT_EQ(Search(corpus, test::Path("CC"), {.min_similarity = 1e-300}).size(), 0u);
}

TEST_P(Searchers, MinSimilarityIsInclusiveForEveryMeasure) {
  constexpr uint64_t kSeed = 59;
  test::Rng rng(kSeed);
  Corpus corpus(2);
  for (int i = 0; i < 40; ++i) {
    corpus.Add("g" + std::to_string(i), test::RandomGraph(rng));
  }
  corpus.Seal();
  const Graph query = test::RandomGraph(rng);
  for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
    const auto all = Search(corpus, query, {.measure = measure, .k = 100});
    ASSERT_EQ(all.size(), 40u);
    for (size_t i = 0; i < all.size(); ++i) {
      const double edge = all[i].similarity;
      const auto at = Search(corpus, query, {.measure = measure, .k = 100, .min_similarity = edge});
      ASSERT_EQ(at.size(), static_cast<size_t>(std::ranges::count_if(
                               all, [&](const Hit& hit) { return hit.similarity >= edge; })))
          << "seed " << kSeed;
      ASSERT_TRUE(std::ranges::count(at, all[i]) == 1);
    }
  }
}

TEST_P(Searchers, HiddenGraphsAreNoAnswers) {
  Corpus corpus(2);
  corpus.Add("a", test::Path("CO"));
  corpus.Add("b", test::Path("CO"));
  corpus.Seal();
  corpus.Hide("a");
  EXPECT_EQ(Search(corpus, test::Path("CO"), {.k = 10}), (std::vector<Hit>{{"b", 6, 1.0, 2}}));
  corpus.Add("a", test::Path("CN"));  // The id comes back with another graph.
  corpus.Seal();
  const auto hits = Search(corpus, test::Path("CO"), {.k = 10});
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_EQ(hits[0].id, "b");
  EXPECT_EQ(hits[1], (Hit{"a", 1, 1.0 / 11.0, 2}));
}

TEST_P(Searchers, UnseenLabelsMatchNothingButCountInTheQuerysSize) {
  Corpus corpus(0);
  corpus.Add("a", test::Isolated("CC"));
  corpus.Seal();
  // K = 1, n = 3 and 2: tanimoto 1 / (5 - 1).
  EXPECT_EQ(Search(corpus, test::Isolated("CXX"), {}), (std::vector<Hit>{{"a", 1, 0.25, 2}}));
}

// Seeds: tie-rich sets in random segments with random hidden graphs, every measure, depth and kind of
// weights, k around the number of graphs.
TEST_P(Searchers, EqualTheModelOnTieRichSets) {
  const std::vector<std::vector<double>> weightings{
      {}, {1, 2, 4}, {0, 0, 1}, {0.5, 0.25, 2}, {0.1, 0.7, 1.3}};
  for (uint64_t seed = 0; seed < 12; ++seed) {
    test::Rng rng(seed);
    Corpus corpus(2);
    const auto graphs = static_cast<uint32_t>(1 + test::Below(rng, 40));
    for (uint32_t i = 0; i < graphs; ++i) {
      corpus.Add("g" + std::to_string(i * 7919 % 1000), test::RandomGraph(rng, {.vertices_max = 6}));
      if (test::Below(rng, 8) == 0) {
        corpus.Seal();
      }
    }
    corpus.Seal();
    for (const std::string& id : corpus.model().ids()) {
      if (test::Below(rng, 5) == 0) {
        corpus.Hide(id);
      }
    }
    const Graph query = test::RandomGraph(rng, {.vertices_max = 6, .vertex_labels = 3});
    for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
      for (uint32_t depth = 0; depth <= 2; ++depth) {
        for (std::vector<double> weights : weightings) {
          weights.resize(weights.empty() ? 0 : depth + 1);
          if (!weights.empty() && *std::ranges::max_element(weights) == 0) {
            continue;  // All 0 up to this depth.
          }
          for (const uint32_t k : {1u, 2u, 7u, graphs, graphs + 3}) {
            const ModelQuery how{measure, depth, weights, k, std::nullopt};
            ASSERT_EQ(Search(corpus, query, how), corpus.model().Search(query, how))
                << "seed " << seed << " measure " << static_cast<int>(measure) << " depth " << depth << " k "
                << k;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace kindred
