// Rules of novelty that are none, and the effort that is spent on isomorphism: the same whatever was found
// out before.

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/engine.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/hard_graphs.h"
#include "tests/support/novel_writes.h"
#include "tests/support/novelty_model.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::EngineHarness;
using test::HeldWriter;
using test::IsOk;
using test::kInvalid;
using test::OptionsOf;
using test::PutNovel;
using test::PutOf;
using test::StatusIs;
using Kind = Outcome::Kind;

TEST(NoveltyRule, NeedsAThresholdInTheRangeOfTheMeasure) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Measure measure : {Measure::kTanimoto, Measure::kCosine, Measure::kKernel}) {
    for (const double wrong : {0.0, -0.0, -0.5, std::nan(""), infinity, -infinity}) {
      EXPECT_THAT(MakeNoveltyRule({.measure = measure, .min_similarity = wrong}, 3, Limits()),
                  StatusIs(kInvalid, "min_similarity: "))
          << wrong;
    }
    EXPECT_THAT(MakeNoveltyRule({.measure = measure, .min_similarity = 1}, 3, Limits()), IsOk());
    EXPECT_THAT(MakeNoveltyRule({.measure = measure, .min_similarity = 1e-300}, 3, Limits()), IsOk());
  }
  const double above = std::nextafter(1.0, 2.0);
  EXPECT_THAT(MakeNoveltyRule({.measure = Measure::kTanimoto, .min_similarity = above}, 3, Limits()),
              StatusIs(kInvalid, "is not above 0 and at most 1"));
  EXPECT_THAT(MakeNoveltyRule({.measure = Measure::kCosine, .min_similarity = above}, 3, Limits()),
              StatusIs(kInvalid, "is not above 0 and at most 1"));
  EXPECT_THAT(MakeNoveltyRule({.measure = Measure::kKernel, .min_similarity = 60}, 3, Limits()), IsOk());
  EXPECT_THAT(MakeNoveltyRule({.min_similarity = 1, .depth = 4}, 3, Limits()),
              StatusIs(test::kFailedPrecondition, "depth: 4 is beyond the index"));
  EXPECT_THAT(MakeNoveltyRule({.min_similarity = 1, .weights = {1, 2}}, 3, Limits()),
              StatusIs(kInvalid, "weights"));
}

EngineOptions WithSteps(uint64_t steps) {
  EngineOptions options = OptionsOf(2, 2);
  options.limits.isomorphism_steps_max = steps;
  return options;
}

// One look takes 256 steps and those of the isomorphism.
uint64_t StepsOf(const Graph& a, const Graph& b) { return 256 + DecideIsomorphism(a, b, UINT64_MAX).steps; }

TEST(IsomorphismStepsMax, AtItsEdge) {
  const Graph graph = test::UniformCycle(6);
  const Graph other = test::DisjointUnion({test::UniformCycle(3), test::UniformCycle(3)});
  const uint64_t needed = StepsOf(other, graph);
  for (const bool within_request : {false, true}) {
    for (const uint64_t steps : {uint64_t{0}, needed - 1, needed}) {
      EngineHarness harness(WithSteps(steps));
      std::vector<Mutation> puts;
      puts.push_back(PutOf("a", graph));
      if (!within_request) {
        harness.Write(std::exchange(puts, {}));
      }
      puts.push_back(PutOf("b", other));
      const Outcome outcome =
          WriteNovel(harness, {.min_similarity = 1, .isomorphic = true}, std::move(puts)).outcomes.back();
      if (steps == needed) {
        EXPECT_EQ(outcome.kind, Kind::kInserted);
      } else {
        ASSERT_EQ(outcome.kind, Kind::kNotNovel) << "what is undecided counts";
        EXPECT_EQ(*outcome.closest, (ClosestGraph{"a", 18, 1.0, Identity::kUndecided}));
      }
    }
  }
}

// Of three that are equal the last is the isomorphic one; with too few steps it is not reached.
TEST(IsomorphismStepsMax, IsSharedByAllGraphsOfEqualHistogram) {
  test::Rng rng(3);
  const Graph rook = test::Rook();
  const Graph shrikhande = test::Shrikhande();
  const uint64_t no = StepsOf(rook, shrikhande);
  const uint64_t yes = StepsOf(rook, rook);
  const std::vector<std::pair<uint64_t, ClosestGraph>> expected{
      {2 * no + yes, {"c", 48, 1.0, Identity::kIsomorphic}},
      {2 * no + yes - 1, {"a", 48, 1.0, Identity::kEqualHistogram}},
      {no - 1, {"a", 48, 1.0, Identity::kUndecided}}};
  for (const auto& [steps, closest] : expected) {
    EngineHarness harness(WithSteps(steps));
    harness.Write({PutOf("a", shrikhande), PutOf("b", shrikhande), PutOf("c", rook)});
    EXPECT_EQ(*PutNovel(harness, {.min_similarity = 1}, PutOf("x", rook)).closest, closest);
  }
}

struct Step {
  std::vector<Mutation> mutations;
  bool novel = false;
};

// Few graphs, all of equal histogram by depth 0, so that the effort runs out often; with deletes.
std::vector<Step> Script(uint64_t seed) {
  test::Rng rng(seed);
  const std::vector<Graph> pool{
      test::Rook(), test::Shrikhande(), test::DisjointUnion({test::UniformCycle(8), test::UniformCycle(8)}),
      test::UniformCycle(16), test::DisjointUnion({test::Hypercube(3), test::Hypercube(3)})};
  std::vector<Step> script;
  for (int i = 0; i < 120; ++i) {
    Step step;
    step.novel = test::Below(rng, 4) != 0;
    for (uint64_t left = 1 + test::Below(rng, 6); left > 0; --left) {
      const std::string id = "g" + std::to_string(test::Below(rng, 30));
      step.mutations.push_back(test::Below(rng, 4) == 0
                                   ? test::DeleteOf(id)
                                   : PutOf(id, test::Shuffled(rng, pool[test::Below(rng, pool.size())])));
    }
    script.push_back(std::move(step));
  }
  return script;
}

struct Seen {
  std::vector<Kind> kinds;
  std::vector<ClosestGraph> closest;
  test::StoreContents contents;
};

// All at once, so that much is prepared before its turn; or one after the other.
Seen RunScript(uint64_t seed, uint64_t steps, bool at_once) {
  EngineHarness harness(WithSteps(steps));
  Seen seen;
  std::vector<std::future<WriteResult>> results;
  const NoveltyParts rule{.min_similarity = 1, .depth = 0, .isomorphic = true};
  const auto take = [&](const WriteResult& result) {
    for (const Outcome& outcome : result.outcomes) {
      seen.kinds.push_back(outcome.kind);
      if (outcome.closest != nullptr) {
        seen.closest.push_back(*outcome.closest);
      }
    }
  };
  for (Step& step : Script(seed)) {
    if (step.novel) {
      results.push_back(SubmitNovel(harness, rule, std::move(step.mutations)));
    } else {
      const auto promise = std::make_shared<std::promise<WriteResult>>();
      results.push_back(promise->get_future());
      harness.writer().Submit({std::move(step.mutations), 0,
                               [promise](WriteResult result) { promise->set_value(std::move(result)); }});
    }
    if (!at_once) {
      results.back().wait();
    }
  }
  for (std::future<WriteResult>& result : results) {
    take(result.get());
  }
  seen.contents = test::ReadContents(*harness.Newest()->store);
  return seen;
}

TEST(IsomorphismStepsMax, OutcomesDependOnTheOrderOfCommitsAlone) {
  for (const uint64_t seed : {1u, 2u, 3u}) {
    const Seen expected = RunScript(seed, 20'000, false);
    const Seen seen = RunScript(seed, 20'000, true);
    EXPECT_EQ(seen.kinds, expected.kinds) << "seed " << seed;
    EXPECT_EQ(seen.closest, expected.closest) << "seed " << seed;
    EXPECT_EQ(seen.contents, expected.contents) << "seed " << seed;
    EXPECT_TRUE(std::ranges::any_of(
        seen.closest, [](const ClosestGraph& closest) { return closest.identity == Identity::kUndecided; }));
    EXPECT_TRUE(std::ranges::any_of(
        seen.closest, [](const ClosestGraph& closest) { return closest.identity == Identity::kIsomorphic; }));
  }
}

}  // namespace
}  // namespace kindred
