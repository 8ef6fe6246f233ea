// AssignVertices: which of equally good partners it takes, and that it takes them quickly.

#include "index/histogram/assignment.h"

#include <chrono>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/graphs.h"

namespace kindred {
namespace {

using test::Cycle;
using test::EdgeSpec;
using test::Isolated;
using test::MakeGraph;
using test::Path;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Pair = Assignment::Pair;

Assignment Assign(const Graph& a, const Graph& b, Level depth) {
  return AssignVertices(a, b, RefinePair(a, b, depth));
}

uint32_t KeptEdges(const Graph& a, const Graph& b, const Assignment& assignment) {
  std::vector<uint32_t> partner(a.vertex_count(), UINT32_MAX);
  for (const Pair& pair : assignment.pairs) {
    partner[pair.a] = pair.b;
  }
  uint32_t kept = 0;
  for (uint32_t u = 0; u < a.vertex_count(); ++u) {
    for (const Graph::Neighbour& near : a.neighbours(u)) {
      if (u < near.vertex && partner[u] != UINT32_MAX) {
        for (const Graph::Neighbour& there : b.neighbours(partner[u])) {
          kept += there.vertex == partner[near.vertex] ? 1 : 0;
        }
      }
    }
  }
  return kept;
}

TEST(AssignVertices, GoesFromTheDeepestLevelUp) {
  // C-C-O and O-C: the O wear one colour at level 1 (an O with one C), the C at level 0 alone.
  EXPECT_THAT(Assign(Path("CCO"), Path("OC"), 1).pairs, ElementsAre(Pair{1, 1, 1}, Pair{2, 0, 2}));
  EXPECT_THAT(Assign(Path("CCO"), Path("OC"), 1).overlaps, ElementsAre(2, 1));
}

TEST(AssignVertices, PairsWhatIsLeftWithAnything) {
  const Assignment assignment = Assign(Isolated("CNN"), Isolated("COOO"), 2);
  EXPECT_THAT(assignment.pairs, ElementsAre(Pair{0, 0, 3}, Pair{1, 1, 0}, Pair{2, 2, 0}));
  EXPECT_THAT(assignment.overlaps, ElementsAre(1, 1, 1));
}

TEST(AssignVertices, TakesSmallerNumbersWhereAllIsEqual) {
  EXPECT_THAT(Assign(Isolated("CCC"), Isolated("CC"), 0).pairs, ElementsAre(Pair{0, 0, 1}, Pair{1, 1, 1}));
}

TEST(AssignVertices, KeepsNeighboursTogetherOnARing) {
  // Every vertex of a ring equals every other; number by number would tear the second one apart.
  const Graph ring = Cycle("CCCCCC");
  Graph shuffled = test::Renumber(ring, {3, 0, 5, 1, 4, 2});
  EXPECT_EQ(KeptEdges(ring, shuffled, Assign(ring, shuffled, 3)), 6u);
}

TEST(AssignVertices, KeepsNeighboursTogetherBesideWhatDiffers) {
  // Two equal arms on different centres: an arm stays an arm.
  const std::vector<EdgeSpec> arms{{0, 1}, {1, 2}, {2, 3}, {0, 4}, {4, 5}, {5, 6}};
  const Graph a = MakeGraph({"N", "C", "C", "C", "C", "C", "C"}, arms);
  const Graph b =
      MakeGraph({"O", "C", "C", "C", "C", "C", "C"}, {{0, 4}, {4, 2}, {2, 6}, {0, 1}, {1, 5}, {5, 3}});
  EXPECT_EQ(KeptEdges(a, b, Assign(a, b, 2)), 6u);
}

TEST(AssignVertices, OfSeveralNeighboursTakesTheOneThatKeepsMoreEdges) {
  // N and O leave no choice. Of the two C beside N one lies beside O as well: in a the last, in b the first.
  const Graph a = MakeGraph({"N", "O", "C", "C"}, {{0, 2}, {0, 3}, {1, 3}});
  const Graph b = MakeGraph({"N", "O", "C", "C"}, {{0, 2}, {0, 3}, {1, 2}});
  EXPECT_THAT(Assign(a, b, 0).pairs, ElementsAre(Pair{0, 0, 1}, Pair{1, 1, 1}, Pair{2, 3, 1}, Pair{3, 2, 1}));
}

TEST(AssignVertices, IsTheSameEveryTime) {
  test::Rng rng(7);
  const Graph a = test::RandomGraph(rng, {.vertices_min = 30, .vertices_max = 30});
  const Graph b = test::RandomGraph(rng, {.vertices_min = 30, .vertices_max = 30});
  EXPECT_EQ(Assign(a, b, 3).pairs, Assign(a, b, 3).pairs);
}

// A hub whose leaves are all alike: anything quadratic takes minutes here.
TEST(AssignVertices, TakesNoLongerForHubs) {
  constexpr uint32_t kLeaves = 50'000;
  std::vector<std::string> labels(kLeaves + 2, "C");
  std::vector<EdgeSpec> edges;
  for (uint32_t leaf = 2; leaf < kLeaves + 2; ++leaf) {
    edges.push_back({0, leaf});
    edges.push_back({1, leaf});
  }
  const Graph a = MakeGraph(labels, edges);
  labels[0] = "N";
  const Graph b = MakeGraph(labels, edges);
  const auto begin = std::chrono::steady_clock::now();
  const Assignment assignment = Assign(a, b, 3);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_THAT(assignment.overlaps, ElementsAre(kLeaves + 1, 1, 0, 0));
}

}  // namespace
}  // namespace kindred
