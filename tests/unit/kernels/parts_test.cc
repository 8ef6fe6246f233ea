// Parts of graphs: worked examples, and what happens at the limits.

#include "index/kernels/parts.h"

#include <numeric>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "index/kernels/graph_features.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::IsOk;
using test::Must;
using test::StatusIs;
using testing::ElementsAre;

// The graph's own numbering of labels.
std::vector<uint32_t> OwnLabels(const Graph& graph) {
  std::vector<uint32_t> labels(graph.labels().size());
  std::iota(labels.begin(), labels.end(), 0);
  return labels;
}

std::vector<Part> Count(PartKind kind, const Graph& graph) {
  PartBudget budget;
  return Must(PartsOf(kind, graph, OwnLabels(graph), budget));
}

// 0-1-2, C C O: labels C 0, O 1, and the empty label of edges 2.
TEST(Parts, EdgesHaveTheSmallerLabelFirst) {
  const Graph graph = test::MakeGraph({"C", "O", "C"}, {{1, 0}, {1, 2}});
  EXPECT_THAT(Count(PartKind::kEdge, graph), ElementsAre(Part{{0, 1, 2}, 2}));
}

TEST(Parts, PathsCountOrderedPairsOnce) {
  const Graph graph = test::Path("CCO");
  EXPECT_THAT(Count(PartKind::kPath, graph),
              ElementsAre(Part{{0, 0, 1}, 2}, Part{{0, 1, 1}, 1}, Part{{0, 1, 2}, 1}, Part{{1, 0, 1}, 1},
                          Part{{1, 0, 2}, 1}));
  EXPECT_TRUE(Count(PartKind::kPath, test::Isolated("CCC")).empty());
}

TEST(Parts, ATriangleIsNoWedge) {
  const Graph triangle = test::Cycle("CCC");
  EXPECT_THAT(Count(PartKind::kGraphlet, triangle), ElementsAre(Part{{1, 0, 0, 0, 1, 1, 1}, 1}));
  // With a tail: one triangle, two wedges over the tail.
  const Graph tail = test::MakeGraph({"C", "C", "C", "C"}, {{0, 1}, {1, 2}, {0, 2}, {2, 3}});
  EXPECT_THAT(Count(PartKind::kGraphlet, tail),
              ElementsAre(Part{{0, 0, 0, 1, 0, 1}, 2}, Part{{1, 0, 0, 0, 1, 1, 1}, 1}));
}

TEST(Parts, GraphletsKnowWhichEdgeHasWhichLabel) {
  const auto triangle = [](const char* ab, const char* bc, const char* ca) {
    return test::MakeGraph({"A", "B", "C"}, {{0, 1, ab}, {1, 2, bc}, {2, 0, ca}});
  };
  const Graph one = triangle("x", "y", "y");
  const Graph other = triangle("y", "x", "y");
  GraphFeatures features(KernelKind::kGl, 0);
  Gram::Builder builder(Combination::kProduct, 100);
  ASSERT_THAT(features.Add(std::vector{&one, &other}, ForEachInTurn, Interrupt(), builder), IsOk());
  std::vector<double> row(2);
  ASSERT_THAT(std::move(builder).Build().Row(0, 0, row, Interrupt()), IsOk());
  EXPECT_THAT(row, ElementsAre(1, 0));
}

TEST(Parts, ABudgetIsForAllGraphsThatShareIt) {
  const Graph graph = test::MakeGraph({"A", "B", "C", "D"}, {{0, 1}, {1, 2}, {2, 3}});
  PartBudget enough{3, {}, {}};
  EXPECT_THAT(PartsOf(PartKind::kEdge, graph, OwnLabels(graph), enough), IsOk());
  EXPECT_THAT(PartsOf(PartKind::kEdge, graph, OwnLabels(graph), enough),
              StatusIs(absl::StatusCode::kResourceExhausted, "kernel_entries_max = 3"));
  PartBudget short_by_one{2, {}, {}};
  EXPECT_THAT(PartsOf(PartKind::kEdge, graph, OwnLabels(graph), short_by_one),
              StatusIs(absl::StatusCode::kResourceExhausted, "kernel_entries_max = 2"));
}

TEST(Parts, StopWhenInterrupted) {
  const Graph graph = test::Path(std::string(2 * kStepsBetweenChecks, 'C'));
  for (const PartKind kind : {PartKind::kEdge, PartKind::kGraphlet, PartKind::kPath}) {
    PartBudget budget;
    budget.interrupt = Interrupt([] { return true; }, Interrupt::Clock::time_point::max());
    EXPECT_THAT(PartsOf(kind, graph, OwnLabels(graph), budget), StatusIs(absl::StatusCode::kCancelled, ""));
  }
}

// The wedges of a hub are counted, not listed; a count of 2^32 is refused.
TEST(Parts, CountsAtTheEdgeOfTheLimit) {
  constexpr uint64_t kLeaves = 92'682;
  static_assert(kLeaves * (kLeaves - 1) / 2 <= kPartCountMax);
  static_assert((kLeaves + 1) * kLeaves / 2 > kPartCountMax);
  for (const uint64_t leaves : {kLeaves, kLeaves + 1}) {
    const Graph small = test::Path("CC");
    const Graph star = test::Star(std::string(leaves + 1, 'C'));
    GraphFeatures features(KernelKind::kGl, 0);
    Gram::Builder builder(Combination::kProduct, 100);
    const absl::Status status = features.Add(std::vector{&small, &star}, ForEachInTurn, Interrupt(), builder);
    if (leaves == kLeaves) {
      ASSERT_THAT(status, IsOk());
      const double wedges = static_cast<double>(kLeaves * (kLeaves - 1) / 2);
      EXPECT_EQ(std::move(builder).Build().self(1), wedges * wedges);
    } else {
      EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted,
                                   "graph 2 of the matrix: it has one kind of part 4295022903 times; at most "
                                   "4294967295 can be counted"));
    }
  }
}

}  // namespace
}  // namespace kindred
