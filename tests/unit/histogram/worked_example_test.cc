// One pair of graphs computed by hand, as the paper's figure of a histogram intersection does (Kriege,
// Giscard, Wilson, NIPS 2016): K = 15.
//
// G, heptane:          1-2-3-4-5-6-7         H, 3-methylhexane:   1-2-3-4-5-6
//                                                                     |
// All labels are C, edges unlabelled, h = 2.                          7
//
// Level 0. One colour, C:              G 7,  H 7                         I_0 = 7
//
// Level 1. By degree: e (1 neighbour), i (2), d (3).
//          G: e 2 (1,7)      i 5 (2..6)   d 0
//          H: e 3 (1,6,7)    i 3 (2,4,5)  d 1 (3)
//          min:    2              3            0                         I_1 = 5
//
// Level 2. Own colour and those of the neighbours.
//          e{i}:  G 2 (1,7)    H 2 (1,6)    min 2
//          i{e,i}: G 2 (2,6)   H 1 (5)      min 1
//          i{i,i}: G 3 (3,4,5) H 0          min 0
//          only in H: i{d,e} (2), d{e,i,i} (3), i{d,i} (4), e{d} (7)     I_2 = 3
//
// K = 7 + 5 + 3 = 15.

#include <vector>

#include "gtest/gtest.h"
#include "index/histogram/histogram.h"
#include "index/histogram/measure.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::Must;

class WorkedExample : public ::testing::Test {
 protected:
  WorkedExample()
      : heptane_(test::GrowHistogram(hierarchy_, test::Path("CCCCCCC"), 2)),
        methylhexane_(test::GrowHistogram(hierarchy_,
                                          test::MakeGraph({"C", "C", "C", "C", "C", "C", "C"},
                                                          {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {2, 6}}),
                                          2)) {}

  double Similarity(Measure measure, std::optional<uint32_t> depth, const std::vector<double>& weights) {
    const Scoring scoring = Must(Scoring::Create(measure, 2, depth, weights));
    return scoring.Similarity({scoring.Kernel(LevelOverlaps(heptane_, methylhexane_)), 7}, 7);
  }

  ColourHierarchy hierarchy_;
  Histogram heptane_;
  Histogram methylhexane_;
};

TEST_F(WorkedExample, HistogramsAreThoseOfTheTable) {
  EXPECT_EQ(heptane_.at_level(0).size(), 1u);
  EXPECT_EQ(heptane_.at_level(1).size(), 2u);
  EXPECT_EQ(heptane_.at_level(2).size(), 3u);
  EXPECT_EQ(methylhexane_.at_level(0).size(), 1u);
  EXPECT_EQ(methylhexane_.at_level(1).size(), 3u);
  EXPECT_EQ(methylhexane_.at_level(2).size(), 6u);
}

TEST_F(WorkedExample, OverlapsAre7And5And3FromBothSides) {
  EXPECT_EQ(LevelOverlaps(heptane_, methylhexane_), (std::vector<uint32_t>{7, 5, 3}));
  EXPECT_EQ(LevelOverlaps(methylhexane_, heptane_), (std::vector<uint32_t>{7, 5, 3}));
}

TEST_F(WorkedExample, KernelIs15) {
  EXPECT_EQ(Similarity(Measure::kKernel, std::nullopt, {}), 15.0);
  EXPECT_EQ(Similarity(Measure::kKernel, 1, {}), 12.0);
  EXPECT_EQ(Similarity(Measure::kKernel, 0, {}), 7.0);
}

TEST_F(WorkedExample, CosineIs15Over21) {
  EXPECT_EQ(Similarity(Measure::kCosine, std::nullopt, {}), 15.0 / 21.0);
}

TEST_F(WorkedExample, TanimotoIs15Over27) {
  EXPECT_EQ(Similarity(Measure::kTanimoto, std::nullopt, {}), 15.0 / 27.0);
}

TEST_F(WorkedExample, WeightsWeighTheLevels) {
  EXPECT_EQ(Similarity(Measure::kKernel, std::nullopt, {1, 10, 100}), 357.0);
  EXPECT_EQ(Similarity(Measure::kKernel, 1, {0, 2}), 10.0);
  EXPECT_EQ(Similarity(Measure::kTanimoto, std::nullopt, {0, 0, 4}), 12.0 / (4 * 14 - 12));
  EXPECT_EQ(Similarity(Measure::kCosine, std::nullopt, {0.5, 0.25, 0.25}), 5.5 / 7);
}

}  // namespace
}  // namespace kindred
