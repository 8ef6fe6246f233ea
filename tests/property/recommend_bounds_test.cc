// The bounds that recommendations prune with (docs/exactness.md, by name) against what is true of every
// graph; and whole answers where rounding is most likely to cost one.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bench/generated_molecules.h"
#include "gtest/gtest.h"
#include "index/search/score_bound.h"
#include "tests/support/bounded_blocks.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"
#include "tests/support/recommend_modes.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

constexpr Measure kMeasures[] = {Measure::kKernel, Measure::kCosine, Measure::kTanimoto};

TEST(RecommendBounds, ReachBoundIsAtLeastTheSimilarityOfEveryGraph) {
  ForEachBoundedCase([](const BoundedBlocks& bounded) {
    const BoundedSixteens& blocks = bounded.block_bounds();
    const BoundedSixteens& groups = bounded.group_bounds();
    bounded.ForEachGraph(
        [&](uint32_t slot, const Histogram& histogram, const std::vector<uint32_t>& overlaps) {
          const double similarity = bounded.SimilarityOf(histogram, overlaps);
          const BoundUnits& units = bounded.units();
          const uint32_t block = slot / kBlockGraphs;
          const uint32_t group = block / kGroupBlocks;
          ASSERT_GE(units.Reach(bounded.UnitsOf(overlaps), histogram.vertex_count()), similarity)
              << "slot " << slot;
          ASSERT_GE(units.Reach(blocks.bound(block), blocks.smallest(block)), similarity) << "slot " << slot;
          ASSERT_GE(units.Reach(groups.bound(group), groups.smallest(group)), similarity) << "slot " << slot;
        });
  });
}

// Of weights that are all equal a unit is a unit: the bound is the similarity, but for the slack.
TEST(RecommendBounds, ReachBoundOfAGraphsOwnUnitsIsItsSimilarity) {
  ForEachBoundedCase([](const BoundedBlocks& bounded) {
    if (bounded.units().exact_unit() == 0) {
      return;
    }
    bounded.ForEachGraph(
        [&](uint32_t slot, const Histogram& histogram, const std::vector<uint32_t>& overlaps) {
          const double similarity = bounded.SimilarityOf(histogram, overlaps);
          ASSERT_LE(bounded.units().Reach(bounded.UnitsOf(overlaps), histogram.vertex_count()),
                    similarity * (1 + 1e-8))
              << "slot " << slot;
        });
  });
}

// All that two graphs of few vertices can share.
TEST(RecommendBounds, ReachBoundHoldsForAllSmallGraphsAndSizes) {
  for (const double weight : {1.0, 3.0, 0.1, 1e-9, 1048575.3}) {
    for (const Measure measure : kMeasures) {
      for (uint32_t query_vertices = 1; query_vertices <= 12; ++query_vertices) {
        const Histogram histogram =
            Must(Histogram::FromLevels(query_vertices, {{{ColourId{1}, query_vertices}}}));
        const Query query{
            histogram, Must(Scoring::Create(measure, 0, {}, std::vector<double>{weight})), 1, {}};
        const BoundUnits units(query);
        for (uint32_t n = 1; n <= 24; ++n) {
          for (uint32_t overlap = 0; overlap <= std::min(n, query_vertices); ++overlap) {
            const Score score{query.scoring.Kernel(std::vector<uint32_t>{overlap}), n};
            const double similarity = query.scoring.Similarity(score, query_vertices);
            for (uint32_t smallest = 1; smallest <= n; ++smallest) {
              for (uint32_t more = overlap; more <= query_vertices; ++more) {
                ASSERT_GE(units.Reach(more, smallest), similarity)
                    << "n " << n << " overlap " << overlap << " smallest " << smallest << " units " << more;
              }
            }
          }
        }
      }
    }
  }
}

// Weights of all sizes, also such that products have no digits left.
double DrawWeight(Rng& rng) {
  constexpr double kWeights[] = {1, 0.1, 0.7, 1048576, 1.0 / 3, 1e-9, 1e-300, 5e-324};
  return kWeights[Below(rng, std::size(kWeights))];
}

double DrawSimilarity(Rng& rng) {
  return static_cast<double>(Below(rng, 60)) / static_cast<double>(60 + Below(rng, 7));
}

struct DrawnTaste {
  RecommendQuery query;
  std::vector<double> similarities;
  std::vector<double> reaches;  // At least as much each.
};

DrawnTaste DrawTaste(Rng& rng) {
  const Histogram histogram = Must(Histogram::FromLevels(1, {{{ColourId{1}, 1}}}));
  DrawnTaste taste{
      {{}, RecommendForm::kWeightedSum, Must(Scoring::Create(Measure::kTanimoto, 0, {}, {})), 1, {}, {}},
      {},
      {}};
  if (Below(rng, 3) == 0) {
    taste.query.form = RecommendForm::kBestMinimum;
  }
  const size_t liked = 1 + Below(rng, 30);
  const size_t disliked = taste.query.form == RecommendForm::kBestMinimum ? 0 : Below(rng, 30);
  for (size_t i = 0; i < liked + disliked; ++i) {
    taste.query.examples.push_back({histogram, DrawWeight(rng), i < liked});
    taste.similarities.push_back(DrawSimilarity(rng));
    taste.reaches.push_back(taste.similarities.back() + (Below(rng, 2) == 0 ? 0 : DrawSimilarity(rng)));
  }
  return taste;
}

// The hardest case is the one without room: what can be reached is what there is.
TEST(RecommendBounds, ScoreBoundIsAtLeastTheScoreWhateverIsKnown) {
  for (uint64_t seed = 0; seed < 20'000; ++seed) {
    Rng rng(seed);
    const DrawnTaste taste = DrawTaste(rng);
    const RecommendQuery& query = taste.query;
    ScoreBound bound(query);
    bound.Set([&](size_t i) { return taste.reaches[i]; });
    std::vector<double> known{query.NoScore()};  // After so many examples.
    for (size_t i = 0; i < query.examples.size(); ++i) {
      known.push_back(query.AddScore(known.back(), query.examples[i], taste.similarities[i]));
    }
    const double score = known.back();
    ASSERT_GE(bound.Whole(), score) << "seed " << seed;
    for (size_t i = 0; i < known.size(); ++i) {
      ASSERT_GE(bound.Rest(known[i], i), score) << "seed " << seed << ", " << i << " known";
      if (i < query.examples.size() && query.examples[i].liked) {
        ASSERT_LE(bound.Need(known[i], i, score), taste.similarities[i])
            << "seed " << seed << ", example " << i;
        ASSERT_LE(bound.Need(known[i], i, std::nextafter(score, -1e300)), taste.similarities[i])
            << "seed " << seed;
      }
    }
  }
}

// A question of any kind, then again at scores that are somebody's, to the last bit, or next to it.
void ExpectAgreeAsked(const SearchedHistograms& stored, const std::vector<Histogram>& examples, Rng& rng) {
  constexpr uint32_t kNumbers[] = {1, 2, 10, 100, 1'000, 10'000};
  const Level index_depth = stored.histogram(0).depth();
  const auto depth = static_cast<Level>(Below(rng, index_depth + 1u));
  const auto weights = WeightsOfKind(static_cast<int>(Below(rng, kWeightKinds)), depth, rng);
  RecommendQuery query{{},
                       Below(rng, 3) == 0 ? RecommendForm::kBestMinimum : RecommendForm::kWeightedSum,
                       Must(Scoring::Create(kMeasures[Below(rng, 3)], index_depth, depth, weights)),
                       kNumbers[Below(rng, std::size(kNumbers))],
                       {},
                       {}};
  const bool minimum = query.form == RecommendForm::kBestMinimum;
  const bool even = Below(rng, 2) == 0;
  const size_t liked = minimum ? examples.size() : 1 + Below(rng, examples.size());
  for (size_t i = 0; i < examples.size(); ++i) {
    query.examples.push_back({examples[i], even || minimum ? 1 : DrawWeight(rng), i < liked});
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

TEST(RecommendBounds, ModesAgreeOnRandomQuestionsOverSegmentsWithDeletions) {
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
      ExpectAgreeAsked(stored, examples, rng);
    }
    const Histogram unknown = Histogram::Of(RefineKnown(hierarchy.view(), Path("???"), depth));
    ExpectAgreeAsked(stored, {unknown, unknown}, rng);
    ExpectAgreeAsked(stored, {unknown, stored.histogram(0), stored.histogram(0)}, rng);
  }
}

// Blocks are full of ties: only ids tell who is one of the best.
TEST(RecommendBounds, ModesAgreeOnManyCopiesWithDeletions) {
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
    ExpectAgreeAsked(stored, {kinds[0], kinds[1], kinds[2]}, rng);
    ExpectAgreeAsked(stored, {kinds[1], kinds[0]}, rng);
  }
}

TEST(RecommendBounds, ModesAgreeOnGraphsOfThousandsOfVertices) {
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
    ExpectAgreeAsked(stored, {stored.histogram(i), stored.histogram(i + 7), stored.histogram(40 - i)}, rng);
  }
  ExpectAgreeAsked(stored, {SumOf({stored.histogram(0), stored.histogram(1)}, 12), stored.histogram(2)}, rng);
}

}  // namespace
}  // namespace kindred::test
