// Walks of random graphs over random orders, beside a sort of all their colours.

#include "index/search/colour_walk.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"

namespace kindred::test {
namespace {

constexpr Level kWalkDepth = 3;

struct Walked {
  ColourId colour{};
  std::vector<uint32_t> left;
};

std::vector<Walked> WalkOf(ColourWalk& walk, const ColourPostings& postings, const Histogram& histogram) {
  std::vector<Walked> walked;
  walk.Run(postings, ToMatched(histogram), [&](const ColourWalk::Step& step) {
    walked.push_back({step.colour, {step.left.begin(), step.left.end()}});
    return true;
  });
  return walked;
}

class ColourWalkTest : public ::testing::TestWithParam<std::vector<double>> {
 protected:
  void Fill(Rng& rng) {
    for (const Graph& graph : RandomGraphs(rng, 40, {.vertices_max = 12})) {
      histograms_.push_back(GrowHistogram(hierarchy_, graph, kWalkDepth));
    }
    for (uint32_t colour = 0; colour < hierarchy_.colour_count(); ++colour) {
      for (uint64_t i = Below(rng, 5); i > 0; --i) {
        postings_.CountWearer(ColourId{colour});
      }
    }
    postings_.FixOrder();
  }

  uint32_t RankOf(ColourId colour) const {
    const ColourPostings::Slot* const slot = postings_.Find(colour, postings_.Prefetch(colour));
    return slot == nullptr ? 0 : slot->rank;
  }

  // All colours that count, in order, with what the definition leaves before each.
  std::vector<Walked> ByDefinition(const Scoring& scoring, const Histogram& histogram) const {
    std::vector<std::tuple<uint32_t, int, int64_t>> order;
    std::map<ColourId, std::pair<Level, uint32_t>> worn;
    std::vector<uint32_t> left(kWalkDepth + 1u, histogram.vertex_count());
    for (Level level = 0; level <= kWalkDepth; ++level) {
      for (const Histogram::Entry& entry : histogram.at_level(level)) {
        if (scoring.weight(level) > 0) {
          order.emplace_back(RankOf(entry.colour), -level, -int64_t{Raw(entry.colour)});
          worn[entry.colour] = {level, entry.count};
        }
      }
    }
    std::ranges::sort(order);
    std::vector<Walked> walked;
    for (const auto& [rank, level, negative] : order) {
      const ColourId colour{static_cast<uint32_t>(-negative)};
      std::vector<uint32_t> capped = left;
      for (size_t l = 1; l < capped.size(); ++l) {
        capped[l] = std::min(capped[l], capped[l - 1]);
      }
      walked.push_back({colour, capped});
      left[worn[colour].first] -= worn[colour].second;
    }
    return walked;
  }

  ColourHierarchy hierarchy_;
  std::vector<Histogram> histograms_;
  ColourPostings postings_;
};

TEST_P(ColourWalkTest, VisitsInTheOrderWithWhatIsLeft) {
  Rng rng(11);
  Fill(rng);
  const Scoring scoring = *Scoring::Create(Measure::kTanimoto, kWalkDepth, std::nullopt, GetParam());
  ColourWalk walk(scoring);
  for (const Histogram& histogram : histograms_) {
    const std::vector<Walked> walked = WalkOf(walk, postings_, histogram);
    const std::vector<Walked> expected = ByDefinition(scoring, histogram);
    ASSERT_EQ(walked.size(), expected.size());
    for (size_t i = 0; i < walked.size(); ++i) {
      ASSERT_EQ(walked[i].colour, expected[i].colour);
      ASSERT_EQ(walked[i].left, expected[i].left);
    }
  }
}

TEST_P(ColourWalkTest, WhatIsLeftAtTheFirstSharedColourBoundsTheKernel) {
  Rng rng(12);
  Fill(rng);
  const Scoring scoring = *Scoring::Create(Measure::kTanimoto, kWalkDepth, std::nullopt, GetParam());
  ColourWalk walk(scoring);
  size_t tight = 0;
  for (const Histogram& a : histograms_) {
    const std::vector<Walked> of_a = WalkOf(walk, postings_, a);
    for (const Histogram& b : histograms_) {
      const double kernel = scoring.Kernel(LevelOverlaps(a, b));
      const std::vector<Walked> of_b = WalkOf(walk, postings_, b);
      for (const Walked& first : of_a) {
        const auto there = std::ranges::find(of_b, first.colour, &Walked::colour);
        if (there != of_b.end()) {
          EXPECT_LE(kernel, scoring.Kernel(first.left));
          EXPECT_LE(kernel, scoring.Kernel(there->left));
          tight += kernel == scoring.Kernel(there->left) ? 1 : 0;
          break;
        }
      }
    }
  }
  EXPECT_GT(tight, 40u) << "not even of equal graphs";
}

INSTANTIATE_TEST_SUITE_P(Weights, ColourWalkTest,
                         ::testing::Values(std::vector<double>{}, std::vector<double>{0, 2, 0, 1},
                                           std::vector<double>{3, 0, 0, 0},
                                           std::vector<double>{0, 0, 0, 0.7}));

}  // namespace
}  // namespace kindred::test
