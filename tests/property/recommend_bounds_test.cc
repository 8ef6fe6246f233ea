// The bounds that recommendations prune with (docs/exactness.md, by name) against what is true of every
// graph; and whole answers where rounding is most likely to cost one.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "bench/generated_molecules.h"
#include "gtest/gtest.h"
#include "index/search/net_blocks.h"
#include "index/search/net_bound.h"
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
    taste.query.examples.push_back({histogram, DrawExampleWeight(rng), i < liked});
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

// Graphs in blocks, several examples, and what is true of both.
class NetCase {
 public:
  explicit NetCase(uint64_t seed) : rng_(seed) {
    const auto source = bench::GeneratedMolecules(seed);
    const auto depth = static_cast<Level>(1 + Below(rng_, 3));
    std::vector<Histogram> histograms;
    for (int i = 0; i < 300; ++i) {
      const Graph graph = source->Next()->graph;
      histograms.push_back(GrowHistogram(hierarchy_, Below(rng_, 4) == 0 ? RandomGraph(rng_) : graph, depth));
    }
    set_ = std::make_unique<BlockSet>(histograms);
    const auto weights = WeightsOfKind(static_cast<int>(Below(rng_, kWeightKinds)), depth, rng_);
    query_ = std::make_unique<RecommendQuery>(
        RecommendQuery{{},
                       RecommendForm::kWeightedSum,
                       Must(Scoring::Create(kMeasures[seed % 3], depth, {}, weights)),
                       1,
                       {},
                       {}});
    const size_t liked = 1 + Below(rng_, 4);
    const bool even = Below(rng_, 2) == 0;
    for (size_t i = 0; i < liked + Below(rng_, 5); ++i) {
      const Histogram& histogram = histograms[Below(rng_, histograms.size())];
      query_->examples.push_back({histogram, even ? 1 : DrawExampleWeight(rng_), i < liked});
    }
  }

  const BlockSet& set() const { return *set_; }
  const BlockIndex& blocks() const { return set_->blocks(); }
  const RecommendQuery& query() const { return *query_; }

  // Calls visit(slot, histogram, kernels, score) for every graph.
  template <typename Visit>
  void ForEachGraph(Visit visit) const {
    for (uint32_t slot = 0; slot < set_->by_slot().size(); ++slot) {
      if (const auto& histogram = set_->by_slot()[slot]) {
        std::vector<double> kernels;
        for (const RecommendQuery::Example& example : query_->examples) {
          kernels.push_back(query_->scoring.Kernel(LevelOverlaps(example.histogram, *histogram)));
        }
        visit(slot, *histogram, kernels, RankOf(*query_, kernels, histogram->vertex_count()).score);
      }
    }
  }

 private:
  Rng rng_;
  ColourHierarchy hierarchy_;
  std::unique_ptr<BlockSet> set_;
  std::unique_ptr<RecommendQuery> query_;
};

double NetOf(const NetBound& bound, const std::vector<double>& kernels) {
  double net = 0;
  for (size_t e = 0; e < kernels.size(); ++e) {
    net += bound.weight(e) * kernels[e];
  }
  return net;
}

// From the very net of a graph and what it has of each example: no room but the slack.
TEST(RecommendBounds, NetBoundIsAtLeastTheScoreOfEveryGraph) {
  for (uint64_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const NetCase one(seed);
    const RecommendExamples examples(one.query());
    const NetBound bound(examples);
    one.ForEachGraph([&](uint32_t slot, const Histogram& histogram, const std::vector<double>& kernels,
                         double score) {
      const std::vector<double> similarities = SimilaritiesOf(one.query(), kernels, histogram.vertex_count());
      const uint32_t n = histogram.vertex_count();
      const double net = NetOf(bound, kernels);
      ASSERT_GE(bound.Most(net, {n, n, similarities.data()}), score) << "slot " << slot;
      ASSERT_GE(bound.Most(net, {1 + n / 2, n + 3, similarities.data()}), score) << "slot " << slot;
      std::vector<double> more = similarities;
      for (double& similarity : more) {
        similarity *= 1.3;
      }
      ASSERT_GE(bound.Most(net, {n, n + 1, more.data()}), score) << "slot " << slot;
    });
  }
}

TEST(RecommendBounds, NetBoundOfBlocksAndGraphsIsAtLeastTheNetOfEveryGraph) {
  size_t negative = 0;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const NetCase one(seed);
    const RecommendExamples examples(one.query());
    const NetBound bound(examples);
    NetBlocks net(one.blocks(), examples, bound);
    ASSERT_TRUE(net.usable());
    std::vector<uint32_t> groups;
    for (uint32_t group = 0; group < one.blocks().group_count(); ++group) {
      groups.push_back(group);
    }
    SearchStats stats;
    ASSERT_THAT(net.Bound(groups, Interrupt(), stats), IsOk());
    one.ForEachGraph([&](uint32_t slot, const Histogram&, const std::vector<double>& kernels, double) {
      const uint32_t block = slot / kBlockGraphs;  // All groups are bounded: its place.
      const double units = net.Units(net.OfGraphs(block, block, stats)[slot % kBlockGraphs]);
      ASSERT_GE(units, NetOf(bound, kernels)) << "slot " << slot;
      ASSERT_GE(net.MostOfBlock(block), units) << "slot " << slot;
      negative += units < 0 ? 1 : 0;
    });
  }
  EXPECT_GT(negative, 1'000u) << "the disliked take nothing away";
}

}  // namespace
}  // namespace kindred::test
