#include "index/graph/isomorphism.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/graphs.h"
#include "tests/support/hard_graphs.h"

namespace kindred::test {
namespace {

constexpr uint64_t kPlenty = 100'000'000;

Isomorphism Decide(const Graph& a, const Graph& b) { return DecideIsomorphism(a, b, kPlenty).isomorphism; }

TEST(Isomorphism, AgreesWithItsDefinitionOnRandomSmallGraphs) {
  const uint64_t seed = 20'240'611;
  Rng rng(seed);
  int yes = 0;
  int no = 0;
  for (int round = 0; round < 4'000; ++round) {
    const RandomGraphOptions options{.vertices_min = 1,
                                     .vertices_max = 6,
                                     .edge_probability = 0.5,
                                     .vertex_labels = 1 + static_cast<uint32_t>(Below(rng, 2)),
                                     .edge_labels = 1 + static_cast<uint32_t>(Below(rng, 2)),
                                     .disconnected = Below(rng, 3) == 0};
    const Graph a = RandomGraph(rng, options);
    const Graph b = Below(rng, 3) == 0 ? Shuffled(rng, a) : RandomGraph(rng, options);
    const bool expected = IsomorphicByDefinition(a, b);
    (expected ? yes : no) += 1;
    ASSERT_EQ(Decide(a, b), expected ? Isomorphism::kYes : Isomorphism::kNo)
        << "seed " << seed << " round " << round;
  }
  EXPECT_GT(yes, 500);
  EXPECT_GT(no, 500);
}

// Refinement alone cannot tell two of these of one size apart.
TEST(Isomorphism, AgreesWithItsDefinitionOnRegularGraphs) {
  const uint64_t seed = 77;
  Rng rng(seed);
  std::vector<Graph> graphs;
  for (const std::vector<uint32_t>& cycles : std::vector<std::vector<uint32_t>>{
           {9}, {3, 6}, {4, 5}, {3, 3, 3}, {8}, {4, 4}, {3, 5}, {7}, {3, 4}, {6}, {3, 3}}) {
    std::vector<Graph> parts;
    for (const uint32_t size : cycles) {
      parts.push_back(UniformCycle(size));
    }
    graphs.push_back(DisjointUnion(parts));
  }
  graphs.push_back(Uniform(8, MoebiusLadder(8)));
  graphs.push_back(Hypercube(3));
  for (const Graph& a : graphs) {
    for (const Graph& b : graphs) {
      const Graph other = Shuffled(rng, b);
      EXPECT_EQ(Decide(a, other) == Isomorphism::kYes, IsomorphicByDefinition(a, other)) << "seed " << seed;
    }
  }
}

TEST(Isomorphism, TellsACycleOfSixFromTwoOfThree) {
  EXPECT_EQ(Decide(UniformCycle(6), DisjointUnion({UniformCycle(3), UniformCycle(3)})), Isomorphism::kNo);
}

TEST(Isomorphism, TellsStronglyRegularGraphsApart) {
  Rng rng(4);
  EXPECT_EQ(Decide(Rook(), Shrikhande()), Isomorphism::kNo);
  EXPECT_EQ(Decide(Rook(), Shuffled(rng, Rook())), Isomorphism::kYes);
  EXPECT_EQ(Decide(Shrikhande(), Shuffled(rng, Shrikhande())), Isomorphism::kYes);
}

TEST(Isomorphism, TellsATwistedCfiGraphFromAStraightOne) {
  Rng rng(5);
  const EdgePairs k4 = MoebiusLadder(4);
  const Graph straight = CaiFurerImmerman(4, k4, false);
  const Graph twisted = CaiFurerImmerman(4, k4, true);
  EXPECT_EQ(Decide(straight, twisted), Isomorphism::kNo);
  EXPECT_EQ(Decide(straight, Shuffled(rng, straight)), Isomorphism::kYes);
  EXPECT_EQ(Decide(twisted, Shuffled(rng, twisted)), Isomorphism::kYes);
}

TEST(Isomorphism, LabelsOfVerticesAndEdgesCountAndTheirNumbersDoNot) {
  EXPECT_EQ(Decide(Path("CCO"), Path("OCC")), Isomorphism::kYes);
  EXPECT_EQ(Decide(Path("CCO"), Path("COC")), Isomorphism::kNo);
  EXPECT_EQ(Decide(Path("CC", "="), Path("CC", "-")), Isomorphism::kNo);
  const Graph a = MakeGraph({"C", "C", "C", "C"}, {{0, 1, "-"}, {1, 2, "="}, {2, 3, "-"}, {3, 0, "="}});
  const Graph b = MakeGraph({"C", "C", "C", "C"}, {{0, 1, "="}, {1, 2, "-"}, {2, 3, "="}, {3, 0, "-"}});
  const Graph c = MakeGraph({"C", "C", "C", "C"}, {{0, 1, "-"}, {1, 2, "-"}, {2, 3, "="}, {3, 0, "="}});
  EXPECT_EQ(Decide(a, b), Isomorphism::kYes);
  EXPECT_EQ(Decide(a, c), Isomorphism::kNo);
}

// Refinement leaves a choice at every component; a wrong one must not be paid for again and again.
TEST(Isomorphism, MatchesManyComponentsThatLookAlike) {
  Rng rng(6);
  std::vector<Graph> parts;
  for (int i = 0; i < 40; ++i) {
    parts.push_back(UniformCycle(6));
    parts.push_back(DisjointUnion({UniformCycle(3), UniformCycle(3)}));
    parts.push_back(Rook());
    parts.push_back(Shrikhande());
  }
  const Graph a = DisjointUnion(parts);
  EXPECT_EQ(Decide(a, Shuffled(rng, a)), Isomorphism::kYes);
  parts.back() = Rook();
  const Graph b = DisjointUnion(parts);
  EXPECT_EQ(Decide(a, Shuffled(rng, b)), Isomorphism::kNo);
}

TEST(Isomorphism, LargeSymmetricGraphsThatNeedNoSearchAreDecided) {
  Rng rng(7);
  const std::vector<std::pair<std::string, Graph>> graphs{{"isolated", Uniform(100'000, {})},
                                                          {"complete", Complete(300)},
                                                          {"hypercube", Hypercube(10)},
                                                          {"cycle", UniformCycle(50'000)},
                                                          {"star", [] {
                                                             EdgePairs edges;
                                                             for (uint32_t v = 1; v < 50'000; ++v) {
                                                               edges.emplace_back(0, v);
                                                             }
                                                             return Uniform(50'000, edges);
                                                           }()}};
  for (const auto& [name, graph] : graphs) {
    EXPECT_EQ(DecideIsomorphism(graph, Shuffled(rng, graph), 10'000'000).isomorphism, Isomorphism::kYes)
        << name;
  }
}

TEST(Isomorphism, WhatTakesTooLongIsUndecided) {
  Rng rng(8);
  const EdgePairs ladder = MoebiusLadder(40);
  const Graph straight = CaiFurerImmerman(40, ladder, false);
  const Graph twisted = Shuffled(rng, CaiFurerImmerman(40, ladder, true));
  EXPECT_EQ(DecideIsomorphism(straight, twisted, 1'000'000),
            (IsomorphismAnswer{Isomorphism::kUndecided, 1'000'000}));
}

// A caller that adds up steps relies on it: the answer is there if and only if its steps are.
TEST(Isomorphism, IsDecidedWithAsManyStepsAsItTakesAndNotWithFewer) {
  Rng rng(9);
  const std::vector<std::pair<Graph, Graph>> pairs{
      {Rook(), Shrikhande()},           {Rook(), Shuffled(rng, Rook())},
      {Path("CCO"), Path("OCC")},       {Path("CCO"), Path("COC")},
      {Uniform(3, {}), Uniform(3, {})}, {Complete(5), Shuffled(rng, Complete(5))}};
  for (const auto& [a, b] : pairs) {
    const IsomorphismAnswer answer = DecideIsomorphism(a, b, kPlenty);
    ASSERT_NE(answer.isomorphism, Isomorphism::kUndecided);
    EXPECT_EQ(DecideIsomorphism(a, b, answer.steps), answer);
    for (uint64_t fewer = 0; fewer < answer.steps; fewer += 1 + answer.steps / 50) {
      EXPECT_EQ(DecideIsomorphism(a, b, fewer), (IsomorphismAnswer{Isomorphism::kUndecided, fewer}));
    }
    EXPECT_EQ(DecideIsomorphism(a, b, answer.steps - 1).isomorphism, Isomorphism::kUndecided);
  }
}

TEST(Isomorphism, OtherSizesAreToldForNothing) {
  EXPECT_EQ(DecideIsomorphism(Path("CC"), Path("CCC"), 0), (IsomorphismAnswer{Isomorphism::kNo, 0}));
  EXPECT_EQ(DecideIsomorphism(Path("CCC"), Cycle("CCC"), 0), (IsomorphismAnswer{Isomorphism::kNo, 0}));
}

}  // namespace
}  // namespace kindred::test
