// Every limit of a graph, at its edge: what reaches the limit is taken, one more is refused by name.

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/graph/graph.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::IsOk;
using test::kResourceExhausted;
using test::StatusIs;

GraphParts PathOf(uint32_t vertices) {
  GraphParts parts{{"C"}, std::vector<uint32_t>(vertices, 0), {}};
  for (uint32_t v = 1; v < vertices; ++v) {
    parts.edges.push_back({v - 1, v, 0});
  }
  return parts;
}

TEST(GraphLimits, VerticesAtTheEdge) {
  Limits limits;
  limits.vertices_max = 5;
  EXPECT_THAT(Graph::Create(PathOf(5), limits), IsOk());
  EXPECT_THAT(Graph::Create(PathOf(6), limits),
              StatusIs(kResourceExhausted, "vertices: 6 is over the limit vertices_max = 5"));
}

TEST(GraphLimits, EdgesAtTheEdge) {
  Limits limits;
  limits.edges_max = 4;
  EXPECT_THAT(Graph::Create(PathOf(5), limits), IsOk());
  EXPECT_THAT(Graph::Create(PathOf(6), limits),
              StatusIs(kResourceExhausted, "edges: 5 is over the limit edges_max = 4"));
}

TEST(GraphLimits, NoEdgesAtAllMayBeTheLimit) {
  Limits limits;
  limits.edges_max = 0;
  EXPECT_THAT(Graph::Create(PathOf(1), limits), IsOk());
  EXPECT_THAT(Graph::Create(PathOf(2), limits), StatusIs(kResourceExhausted, "edges_max = 0"));
}

TEST(GraphLimits, LabelsAtTheEdge) {
  Limits limits;
  limits.labels_max = 3;
  EXPECT_THAT(Graph::Create({{"a", "b", "c"}, {0}, {}}, limits), IsOk());
  EXPECT_THAT(Graph::Create({{"a", "b", "c", "d"}, {0}, {}}, limits),
              StatusIs(kResourceExhausted, "labels: 4 is over the limit labels_max = 3"));
}

TEST(GraphLimits, UnlabelledEdgesCostTheClientNoLabel) {
  Limits limits;
  limits.labels_max = 1;
  EXPECT_THAT(Graph::Create({{"a"}, {0, 0}, {{0, 1, GraphParts::kNoLabel}}}, limits), IsOk());
}

TEST(GraphLimits, LabelBytesAtTheEdgeNameTheLabel) {
  Limits limits;
  limits.label_bytes_max = 7;
  EXPECT_THAT(Graph::Create({{"a", std::string(7, 'x')}, {0}, {}}, limits), IsOk());
  EXPECT_THAT(Graph::Create({{"a", std::string(8, 'x')}, {0}, {}}, limits),
              StatusIs(kResourceExhausted, "labels[1] bytes: 8 is over the limit label_bytes_max = 7"));
}

TEST(GraphLimits, DefaultsAtTheEdge) {
  const Limits limits;
  EXPECT_THAT(Graph::Create(PathOf(100'000), limits), IsOk());
  EXPECT_THAT(Graph::Create(PathOf(100'001), limits), StatusIs(kResourceExhausted, "vertices_max = 100000"));
  EXPECT_THAT(Graph::Create({{std::string(256, 'x')}, {0}, {}}, limits), IsOk());
  EXPECT_THAT(Graph::Create({{std::string(257, 'x')}, {0}, {}}, limits),
              StatusIs(kResourceExhausted, "label_bytes_max = 256"));
  EXPECT_THAT(Graph::Create({std::vector<std::string>(4'096, "x"), {0}, {}}, limits), IsOk());
  EXPECT_THAT(Graph::Create({std::vector<std::string>(4'097, "x"), {0}, {}}, limits),
              StatusIs(kResourceExhausted, "labels_max = 4096"));
}

TEST(GraphLimits, TheDefaultNumberOfEdgesAtTheEdge) {
  GraphParts parts{{"C"}, std::vector<uint32_t>(1'500, 0), {}};
  for (uint32_t v = 1; v < 1'500; ++v) {
    for (uint32_t u = 0; u < v && parts.edges.size() < 1'000'000; ++u) {
      parts.edges.push_back({u, v, 0});
    }
  }
  EXPECT_THAT(Graph::Create(parts, Limits()), IsOk());
  parts.edges.push_back({1'498, 1'499, 0});
  EXPECT_THAT(Graph::Create(parts, Limits()),
              StatusIs(kResourceExhausted, "edges: 1000001 is over the limit edges_max = 1000000"));
}

TEST(GraphLimits, TheHighestSettingsStillWork) {
  const Limits highest = HighestLimits();
  EXPECT_THAT(Graph::Create(PathOf(1 << 20), highest), IsOk());
  EXPECT_THAT(Graph::Create(PathOf((1 << 20) + 1), highest), StatusIs(kResourceExhausted, "vertices_max"));
}

}  // namespace
}  // namespace kindred
