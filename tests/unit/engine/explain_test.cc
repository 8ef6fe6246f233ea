// Explain: stored graphs and others, what the index has never seen, and what is refused.

#include "index/engine/explain.h"

#include <cmath>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "index/engine/engine.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/reference_model.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::EngineHarness;
using test::Must;
using test::Path;
using test::StatusIs;
using ::testing::ElementsAre;
using Pair = Assignment::Pair;
using Asked = std::variant<std::string, Graph>;

class Explanations : public ::testing::Test {
 protected:
  Explanations() {
    harness_.Put("propane", Path("CCC"));
    harness_.Put("heptane", Path("CCCCCCC"));
  }

  absl::StatusOr<Explanation> Ask(Asked a, Asked b, std::optional<uint32_t> depth = {},
                                  std::vector<double> weights = {}) {
    return Explain(*harness_.Newest(), {std::move(a), std::move(b), depth, std::move(weights)}, Interrupt());
  }

  EngineHarness harness_{test::OptionsOf(1, 2)};
};

TEST_F(Explanations, OfStoredGraphsAddUpToTheKernelThatASearchFinds) {
  const Explanation explanation = Must(Ask("propane", "heptane"));
  // Level 0 three C; level 1 two ends and one inner; level 2 the ends.
  EXPECT_THAT(explanation.assignment.overlaps, ElementsAre(3, 3, 2));
  EXPECT_EQ(explanation.kernel, 8);
  EXPECT_THAT(explanation.weights, ElementsAre(1, 1, 1));
  EXPECT_EQ(explanation.a.vertex_count(), 3u);
  EXPECT_EQ(explanation.b.vertex_count(), 7u);
  for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
    const std::vector<Hit> hits = harness_.Hits(test::Ask(std::string("propane"), 2, measure));
    const Hit& hit = hits[hits[0].id == "heptane" ? 0 : 1];
    EXPECT_EQ(hit.kernel, explanation.kernel);
    EXPECT_EQ(hit.similarity, measure == Measure::kKernel   ? explanation.kernel
                              : measure == Measure::kCosine ? explanation.cosine
                                                            : explanation.tanimoto);
  }
}

TEST_F(Explanations, CountWhatTheIndexHasNeverSeen) {
  // Labels, edges and neighbourhoods that no stored graph has.
  const Graph a = Path("XYZ", "new");
  const Explanation explanation = Must(Ask(a, Path("ZYX", "new")));
  EXPECT_THAT(explanation.assignment.pairs, ElementsAre(Pair{0, 2, 3}, Pair{1, 1, 3}, Pair{2, 0, 3}));
  EXPECT_EQ(explanation.kernel, 9);
  EXPECT_EQ(explanation.tanimoto, 1);
  EXPECT_EQ(explanation.cosine, 1);
}

TEST_F(Explanations, GrowNothing) {
  const EngineStats before = harness_.engine().stats();
  Must(Ask(Path("XYZ", "new"), "propane"));
  const EngineStats after = harness_.engine().stats();
  EXPECT_EQ(after.labels, before.labels);
  EXPECT_EQ(after.colours, before.colours);
  EXPECT_EQ(after.sequence, before.sequence);
}

TEST_F(Explanations, EqualTheDefinitionWhetherStoredOrNot) {
  constexpr uint64_t kSeed = 103;
  test::Rng rng(kSeed);
  for (int i = 0; i < 200; ++i) {
    const Graph a = test::RandomGraph(rng);
    const Graph b = test::RandomGraph(rng);
    const auto overlaps = test::NaiveOverlaps(test::NaiveHistogramOf(a, 2), test::NaiveHistogramOf(b, 2));
    const double kernel = static_cast<double>(overlaps[0] + overlaps[1] + overlaps[2]);
    EXPECT_EQ(Must(Ask(a, b)).kernel, kernel) << "seed " << kSeed << " round " << i;
    harness_.Put("a", a);
    EXPECT_EQ(Must(Ask(b, "a")).kernel, kernel) << "seed " << kSeed << " round " << i;
  }
}

TEST_F(Explanations, HonourDepthAndWeights) {
  EXPECT_EQ(Must(Ask("propane", "heptane", 0)).kernel, 3);
  EXPECT_EQ(Must(Ask("propane", "heptane", 1)).assignment.overlaps.size(), 2u);
  const Explanation weighted = Must(Ask("propane", "heptane", 2, {0, 0.5, 4}));
  EXPECT_EQ(weighted.kernel, 3 * 0.5 + 2 * 4);
  EXPECT_EQ(weighted.tanimoto, 9.5 / (4.5 * 10 - 9.5));
  EXPECT_EQ(weighted.cosine, 9.5 / std::sqrt((4.5 * 3) * (4.5 * 7)));
}

TEST_F(Explanations, SayPreciselyWhatIsWrong) {
  EXPECT_THAT(Ask("propane", "nobody"),
              StatusIs(absl::StatusCode::kNotFound, "b.id: no graph has the id 'nobody'"));
  EXPECT_THAT(Ask("nobody", "propane"), StatusIs(absl::StatusCode::kNotFound, "a.id: no graph has the id"));
  EXPECT_THAT(Ask("propane", "heptane", 3), StatusIs(absl::StatusCode::kFailedPrecondition,
                                                     "depth: 3 is beyond the index, which has depth 2"));
  EXPECT_THAT(Ask("propane", "heptane", 1, {1}), StatusIs(test::kInvalid, "weights: there are 1"));
}

TEST_F(Explanations, AreOfOneSnapshot) {
  const auto before = harness_.Newest();
  harness_.Put("heptane", Path("N"));
  harness_.Delete("propane");
  const Explanation explanation = Must(Explain(*before, {"propane", "heptane", {}, {}}, Interrupt()));
  EXPECT_EQ(explanation.kernel, 8);
}

TEST_F(Explanations, StopWhenInterrupted) {
  const Interrupt cancelled([] { return true; }, Interrupt::Clock::time_point::max());
  EXPECT_THAT(Explain(*harness_.Newest(), {"propane", "heptane", {}, {}}, cancelled),
              StatusIs(absl::StatusCode::kCancelled, ""));
}

}  // namespace
}  // namespace kindred
