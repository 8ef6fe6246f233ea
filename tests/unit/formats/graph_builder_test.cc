#include "client/formats/graph_builder.h"

#include <gtest/gtest.h>

#include <string>

namespace kindred::formats {
namespace {

TEST(GraphBuilder, ListsEachLabelOnceInTheOrderOfItsFirstUse) {
  GraphBuilder builder;
  for (const char* label : {"C", "N", "C", "", "N"}) builder.AddVertex(label);
  builder.AddEdge(0, 1, "double");
  builder.AddEdge(1, 2, "C");
  EXPECT_EQ(builder.vertex_count(), 5U);
  EXPECT_EQ(std::move(builder).Take().ShortDebugString(),
            R"(labels: "C" labels: "N" labels: "" labels: "double" vertices: 0 vertices: 1 vertices: 0 )"
            R"(vertices: 2 vertices: 1 edges: 0 edges: 1 edges: 1 edges: 2 edge_labels: 4 edge_labels: 1)");
}

TEST(GraphBuilder, HasNoEdgeLabelsWhenNoEdgeHasOne) {
  GraphBuilder builder;
  builder.AddVertex("C");
  builder.AddVertex("C");
  builder.AddEdge(1, 0);
  builder.AddEdge(0, 1, "");
  EXPECT_EQ(std::move(builder).Take().ShortDebugString(),
            R"(labels: "C" vertices: 0 vertices: 0 edges: 1 edges: 0 edges: 0 edges: 1)");
}

TEST(GraphBuilder, MarksEdgesWithoutLabelBeforeAndBehindOneWithLabel) {
  GraphBuilder builder;
  for (int i = 0; i < 5; ++i) builder.AddVertex("C");
  builder.AddEdge(0, 1);
  builder.AddEdge(1, 2);
  builder.AddEdge(2, 3, "x");
  builder.AddEdge(3, 4);
  const v1::Graph graph = std::move(builder).Take();
  EXPECT_EQ(std::vector<uint32_t>(graph.edge_labels().begin(), graph.edge_labels().end()),
            (std::vector<uint32_t>{0, 0, 2, 0}));
}

TEST(GraphBuilder, KeepsManyLabelsApart) {
  GraphBuilder builder;
  for (int i = 0; i < 10'000; ++i) builder.AddVertex(std::to_string(i % 5'000));
  const v1::Graph graph = std::move(builder).Take();
  ASSERT_EQ(graph.labels_size(), 5'000);
  for (int i = 0; i < 10'000; ++i) {
    EXPECT_EQ(graph.labels(static_cast<int>(graph.vertices(i))), std::to_string(i % 5'000));
  }
}

}  // namespace
}  // namespace kindred::formats
