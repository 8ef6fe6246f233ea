// Recommendations where a bound, or rounding, is most likely to cost an answer: both ways agree, hit for hit
// and score for score.

#include <cmath>
#include <string>
#include <vector>

#include "bench/generated_molecules.h"
#include "gtest/gtest.h"
#include "tests/support/bounded_blocks.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"
#include "tests/support/recommend_modes.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

constexpr Measure kTasteMeasures[] = {Measure::kKernel, Measure::kCosine, Measure::kTanimoto};

// A question of any kind, then again at scores that are somebody's, to the last bit, or next to it.
void ExpectTastesAgree(const SearchedHistograms& stored, const std::vector<Histogram>& examples, Rng& rng) {
  constexpr uint32_t kNumbers[] = {1, 2, 10, 100, 1'000, 10'000};
  const Level index_depth = stored.histogram(0).depth();
  const auto depth = static_cast<Level>(Below(rng, index_depth + 1u));
  const auto weights = WeightsOfKind(static_cast<int>(Below(rng, kWeightKinds)), depth, rng);
  RecommendQuery query{{},
                       Below(rng, 3) == 0 ? RecommendForm::kBestMinimum : RecommendForm::kWeightedSum,
                       Must(Scoring::Create(kTasteMeasures[Below(rng, 3)], index_depth, depth, weights)),
                       kNumbers[Below(rng, std::size(kNumbers))],
                       {},
                       {}};
  const bool minimum = query.form == RecommendForm::kBestMinimum;
  const bool even = Below(rng, 2) == 0;
  const size_t liked = minimum ? examples.size() : 1 + Below(rng, examples.size());
  for (size_t i = 0; i < examples.size(); ++i) {
    query.examples.push_back({examples[i], even || minimum ? 1 : DrawExampleWeight(rng), i < liked});
  }
  const auto hits = ExpectRecommendersAgree(stored, query).hits;
  ASSERT_FALSE(hits.empty());
  const double edge = hits[Below(rng, hits.size())].score;
  query.excluded.insert(hits.front().id);
  query.k = kNumbers[Below(rng, std::size(kNumbers))];
  for (const double least : {edge, std::nextafter(edge, -1e300), std::nextafter(edge, 1e300), 0.0}) {
    query.min_score = least;
    ExpectRecommendersAgree(stored, query);
  }
}

TEST(AdversarialRecommend, ModesAgreeOnRandomQuestionsOverSegmentsWithDeletions) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed);
    ColourHierarchy hierarchy;
    SearchedHistograms stored;
    const auto source = bench::GeneratedMolecules(seed);
    const auto depth = static_cast<Level>(1 + Below(rng, 4));
    for (int segment = 0; segment < 3; ++segment) {
      for (size_t count = 20 + Below(rng, 9'000 >> (2 * segment)); count > 0; --count) {
        const auto record = source->Next();
        const Graph graph = Below(rng, 10) == 0 ? RandomGraph(rng) : record->graph;
        stored.Add(std::to_string(rng()), GrowHistogram(hierarchy, graph, depth));
      }
      stored.Seal(segment % 2 == 0 ? Ordering::kBySimilarity : Ordering::kBySize);
    }
    for (size_t i = 0; i < stored.size(); ++i) {
      if (Below(rng, 4) == 0) {
        stored.Hide(i);
      }
    }
    for (int i = 0; i < 30 && !::testing::Test::HasFailure(); ++i) {
      std::vector<Histogram> examples;
      for (size_t count = 1 + Below(rng, 6); count > 0; --count) {
        examples.push_back(Below(rng, 2) == 0
                               ? stored.histogram(Below(rng, stored.size()))
                               : Histogram::Of(RefineKnown(hierarchy.view(), source->Next()->graph, depth)));
      }
      ExpectTastesAgree(stored, examples, rng);
    }
    const Histogram unknown = Histogram::Of(RefineKnown(hierarchy.view(), Path("???"), depth));
    ExpectTastesAgree(stored, {unknown, unknown}, rng);
    ExpectTastesAgree(stored, {unknown, stored.histogram(0), stored.histogram(0)}, rng);
  }
}

// Blocks are full of ties: only ids tell who is one of the best.
TEST(AdversarialRecommend, ModesAgreeOnManyCopiesWithDeletions) {
  constexpr uint64_t kSeed = 3;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  Rng rng(kSeed);
  ColourHierarchy hierarchy;
  SearchedHistograms stored;
  const std::vector<Histogram> kinds{GrowHistogram(hierarchy, Cycle("CCCCCN"), 3),
                                     GrowHistogram(hierarchy, Cycle("CCCCCO"), 3),
                                     GrowHistogram(hierarchy, Path("CCO"), 3)};
  for (uint32_t i = 0; i < 20'000; ++i) {
    stored.Add("copy" + std::to_string(i * 7'919 % 20'000), kinds[Below(rng, kinds.size())]);
    if (i == 12'000) {
      stored.Seal();
    }
  }
  stored.Seal();
  for (size_t i = 0; i < 1'000; ++i) {
    stored.Hide(i * 19);
  }
  for (int i = 0; i < 12; ++i) {
    ExpectTastesAgree(stored, {kinds[0], kinds[1], kinds[2]}, rng);
    ExpectTastesAgree(stored, {kinds[1], kinds[0]}, rng);
  }
}

TEST(AdversarialRecommend, ModesAgreeOnGraphsOfThousandsOfVertices) {
  constexpr uint64_t kSeed = 23;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  Rng rng(kSeed);
  ColourHierarchy hierarchy;
  SearchedHistograms stored;
  for (uint32_t i = 0; i < 60; ++i) {
    // A third each: too many vertices for a block, a colour too often, and in blocks.
    const uint32_t vertices = i % 3 == 0 ? 5'000 : static_cast<uint32_t>(4'095 - Below(rng, 60));
    const uint32_t labels = i % 3 == 1 ? 3 : 400;
    std::vector<std::string> names;
    std::vector<EdgeSpec> edges;
    for (uint32_t v = 0; v < vertices; ++v) {
      names.push_back("L" + std::to_string(Below(rng, labels)));
      if (v > 0 && Below(rng, 3) != 0) {
        edges.push_back({static_cast<uint32_t>(Below(rng, v)), v});
      }
    }
    stored.Add("g" + std::to_string(i), GrowHistogram(hierarchy, MakeGraph(names, edges), 3));
  }
  stored.Seal();
  stored.Hide(5);
  ASSERT_GT(stored.segments().front().segment->blocks().block_count(), 0u);
  ASSERT_GT(stored.segments().front().segment->outsize().graph_count(), 0u);
  for (size_t i = 0; i < 6; ++i) {
    ExpectTastesAgree(stored, {stored.histogram(i), stored.histogram(i + 7), stored.histogram(40 - i)}, rng);
  }
  ExpectTastesAgree(stored, {SumOf({stored.histogram(0), stored.histogram(1)}, 12), stored.histogram(2)},
                    rng);
}

}  // namespace
}  // namespace kindred::test
