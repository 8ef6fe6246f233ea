// Every bad graph is refused with the vertex or edge that is wrong.

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/graph/graph.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::IsOk;
using test::kInvalid;
using test::StatusIs;

constexpr uint32_t kNoLabel = GraphParts::kNoLabel;

absl::Status Create(GraphParts parts) { return Graph::Create(std::move(parts), Limits()).status(); }

TEST(GraphRefusals, EmptyGraph) {
  EXPECT_THAT(Create({}), StatusIs(kInvalid, "vertices: the graph is empty"));
  EXPECT_THAT(Create({{"C"}, {}, {}}), StatusIs(kInvalid, "vertices: the graph is empty"));
}

TEST(GraphRefusals, VertexLabelOutOfRangeNamesTheVertex) {
  EXPECT_THAT(Create({{"C", "N"}, {0, 1, 2}, {}}),
              StatusIs(kInvalid, "vertices[2]: label 2 is out of range"));
  EXPECT_THAT(Create({{}, {0}, {}}), StatusIs(kInvalid, "vertices[0]: label 0 is out of range"));
  EXPECT_THAT(Create({{"C"}, {0, kNoLabel}, {}}), StatusIs(kInvalid, "vertices[1]: label 4294967295"));
}

TEST(GraphRefusals, EdgeEndOutOfRangeNamesEdgeAndVertex) {
  EXPECT_THAT(Create({{"C"}, {0, 0, 0}, {{0, 1, 0}, {3, 1, 0}}}),
              StatusIs(kInvalid, "edges[1]: vertex 3 is out of range (there are 3 vertices)"));
  EXPECT_THAT(Create({{"C"}, {0, 0, 0}, {{0, 1, 0}, {1, 4, 0}}}),
              StatusIs(kInvalid, "edges[1]: vertex 4 is out of range"));
  EXPECT_THAT(Create({{"C"}, {0, 0}, {{0, UINT32_MAX, 0}}}),
              StatusIs(kInvalid, "edges[0]: vertex 4294967295 is out of range"));
}

TEST(GraphRefusals, EdgeLabelOutOfRangeNamesTheEdge) {
  EXPECT_THAT(Create({{"C"}, {0, 0}, {{0, 1, 0}}}), IsOk());
  EXPECT_THAT(Create({{"C"}, {0, 0}, {{0, 1, 1}}}), StatusIs(kInvalid, "edges[0]: label 1 is out of range"));
  EXPECT_THAT(Create({{"C"}, {0, 0}, {{0, 1, kNoLabel - 1}}}),
              StatusIs(kInvalid, "edges[0]: label 4294967294 is out of range"));
}

TEST(GraphRefusals, SelfLoopNamesEdgeAndVertex) {
  EXPECT_THAT(Create({{"C"}, {0, 0}, {{0, 1, 0}, {1, 1, 0}}}),
              StatusIs(kInvalid, "edges[1]: joins vertex 1 to itself"));
}

TEST(GraphRefusals, DoubleEdgeNamesBothPlaces) {
  EXPECT_THAT(Create({{"C"}, {0, 0, 0}, {{0, 1, 0}, {1, 2, 0}, {0, 1, 0}}}),
              StatusIs(kInvalid, "edges[2]: joins vertices 0 and 1, as edges[0] does already"));
}

TEST(GraphRefusals, DoubleEdgeInTheOtherDirectionNamesBothPlaces) {
  EXPECT_THAT(Create({{"C"}, {0, 0, 0}, {{2, 1, 0}, {0, 1, 0}, {1, 2, 0}}}),
              StatusIs(kInvalid, "edges[2]: joins vertices 1 and 2, as edges[0] does already"));
}

TEST(GraphRefusals, DoubleEdgeWithAnotherLabelIsADoubleEdge) {
  EXPECT_THAT(Create({{"C", "-", "="}, {0, 0}, {{0, 1, 1}, {1, 0, 2}}}),
              StatusIs(kInvalid, "edges[1]: joins vertices 1 and 0, as edges[0] does already"));
  EXPECT_THAT(Create({{"C", "-"}, {0, 0}, {{0, 1, 1}, {0, 1, kNoLabel}}}), StatusIs(kInvalid, "edges[1]"));
}

TEST(GraphRefusals, TripleEdgeNamesTheFirstTwoPlaces) {
  EXPECT_THAT(Create({{"C"}, {0, 0}, {{0, 1, 0}, {1, 0, 0}, {0, 1, 0}}}),
              StatusIs(kInvalid, "edges[1]: joins vertices 1 and 0, as edges[0] does already"));
}

TEST(GraphRefusals, ADoubleEdgeIsFoundAmongMany) {
  GraphParts parts{{"C"}, std::vector<uint32_t>(1'000, 0), {}};
  for (uint32_t v = 1; v < 1'000; ++v) {
    parts.edges.push_back({0, v, 0});
  }
  EXPECT_THAT(Create(parts), IsOk());
  parts.edges.push_back({777, 0, 0});
  EXPECT_THAT(Create(parts),
              StatusIs(kInvalid, "edges[999]: joins vertices 777 and 0, as edges[776] does already"));
}

}  // namespace
}  // namespace kindred
