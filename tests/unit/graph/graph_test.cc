// Graph: what it is made of comes back, neighbours sorted, unlabelled edges labelled "".

#include "index/graph/graph.h"

#include <string>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::Must;

std::vector<std::tuple<uint32_t, std::string>> NeighboursOf(const Graph& graph, uint32_t vertex) {
  std::vector<std::tuple<uint32_t, std::string>> neighbours;
  for (const Graph::Neighbour& neighbour : graph.neighbours(vertex)) {
    neighbours.emplace_back(neighbour.vertex, graph.labels()[neighbour.edge_label]);
  }
  return neighbours;
}

using Neighbours = std::vector<std::tuple<uint32_t, std::string>>;

TEST(Graph, SortsTheNeighboursOfEveryVertex) {
  const Graph graph = Must(Graph::Create(
      {{"C", "N", "-", "="}, {0, 1, 0, 0}, {{3, 0, 2}, {0, 1, 3}, {2, 0, 2}, {2, 1, 2}}}, Limits()));
  EXPECT_EQ(graph.vertex_count(), 4u);
  EXPECT_EQ(graph.edge_count(), 4u);
  EXPECT_EQ(graph.vertex_label(1), 1u);
  EXPECT_EQ(NeighboursOf(graph, 0), (Neighbours{{1, "="}, {2, "-"}, {3, "-"}}));
  EXPECT_EQ(NeighboursOf(graph, 1), (Neighbours{{0, "="}, {2, "-"}}));
  EXPECT_EQ(NeighboursOf(graph, 2), (Neighbours{{0, "-"}, {1, "-"}}));
  EXPECT_EQ(NeighboursOf(graph, 3), (Neighbours{{0, "-"}}));
}

TEST(Graph, TakesSingleVerticesAndDisconnectedGraphs) {
  EXPECT_EQ(test::Isolated("C").vertex_count(), 1u);
  EXPECT_EQ(test::Isolated("C").edge_count(), 0u);
  const Graph graph = test::MakeGraph({"C", "C", "O", "O"}, {{0, 1}, {2, 3}});
  EXPECT_EQ(NeighboursOf(graph, 0), (Neighbours{{1, ""}}));
  EXPECT_EQ(NeighboursOf(graph, 3), (Neighbours{{2, ""}}));
}

TEST(Graph, AnUnlabelledEdgeHasTheEmptyLabel) {
  const Graph unlabelled = Must(Graph::Create({{"C"}, {0, 0}, {{0, 1, GraphParts::kNoLabel}}}, Limits()));
  EXPECT_EQ(NeighboursOf(unlabelled, 0), (Neighbours{{1, ""}}));
  EXPECT_EQ(unlabelled.labels(), (std::vector<std::string>{"C", ""}));
}

TEST(Graph, AnUnlabelledEdgeSharesAnEmptyLabelThatIsListed) {
  const Graph graph =
      Must(Graph::Create({{"", "C"}, {1, 0, 1}, {{0, 1, GraphParts::kNoLabel}, {1, 2, 0}}}, Limits()));
  EXPECT_EQ(NeighboursOf(graph, 1), (Neighbours{{0, ""}, {2, ""}}));
  EXPECT_EQ(graph.neighbours(1)[0].edge_label, graph.neighbours(1)[1].edge_label);
  EXPECT_EQ(graph.labels().size(), 2u);
}

TEST(Graph, AddsNoEmptyLabelWhereEveryEdgeHasOne) {
  const Graph graph = Must(Graph::Create({{"C", "-"}, {0, 0}, {{0, 1, 1}}}, Limits()));
  EXPECT_EQ(graph.labels(), (std::vector<std::string>{"C", "-"}));
}

TEST(Graph, LabelsMayBeEmptyRepeatedUnusedOrAnyBytes) {
  const std::string bytes("\0\xff\n", 3);
  const Graph graph = Must(Graph::Create({{bytes, "", bytes, "unused"}, {0, 1, 2}, {}}, Limits()));
  EXPECT_EQ(graph.labels()[graph.vertex_label(0)], bytes);
  EXPECT_EQ(graph.labels()[graph.vertex_label(1)], "");
  EXPECT_EQ(graph.labels()[graph.vertex_label(2)], bytes);
}

TEST(Graph, KeepsAVertexOfVeryHighDegree) {
  const uint32_t leaves = 50'000;
  GraphParts parts{{"C"}, std::vector<uint32_t>(leaves + 1, 0), {}};
  for (uint32_t leaf = leaves; leaf >= 1; --leaf) {
    parts.edges.push_back({leaf, 0, GraphParts::kNoLabel});
  }
  const Graph graph = Must(Graph::Create(std::move(parts), Limits()));
  ASSERT_EQ(graph.neighbours(0).size(), leaves);
  for (uint32_t i = 0; i < leaves; ++i) {
    ASSERT_EQ(graph.neighbours(0)[i].vertex, i + 1);
  }
}

TEST(Graph, EveryEdgeIsSeenFromBothEndsWithOneLabel) {
  constexpr uint64_t kSeed = 71;
  test::Rng rng(kSeed);
  for (int round = 0; round < 50; ++round) {
    const Graph graph = test::RandomGraph(rng, {.vertices_max = 20, .edge_labels = 3});
    uint32_t ends = 0;
    for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
      for (const auto& [neighbour, label] : NeighboursOf(graph, v)) {
        const Neighbours back = NeighboursOf(graph, neighbour);
        EXPECT_EQ(std::ranges::count(back, std::tuple(v, label)), 1)
            << "seed " << kSeed << " round " << round;
        ++ends;
      }
    }
    EXPECT_EQ(ends, 2 * graph.edge_count());
  }
}

}  // namespace
}  // namespace kindred
