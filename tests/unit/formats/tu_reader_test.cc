#include "client/formats/tu_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "fmt/format.h"
#include "tests/unit/formats/test_files.h"

namespace kindred::formats {
namespace {

using Strings = std::vector<std::string>;

// A triangle and a path of two vertices.
TuFiles TwoGraphs() {
  return {.name = "DS",
          .edges = "1, 2\n2, 1\n2, 3\n3, 2\n1, 3\n3, 1\n4, 5\n5, 4\n",
          .indicator = "1\n1\n1\n2\n2\n",
          .graph_labels = "1\n-1\n",
          .node_labels = "0\n6\n0\n3\n3\n",
          .edge_labels = "9\n9\n8\n8\n9\n9\n0\n0\n"};
}

Strings ReadTu(const TuFiles& files, const ReadOptions& options = {}) {
  const auto reader = NewTuReader(files, options);
  EXPECT_TRUE(reader.ok()) << reader.status();
  return reader.ok() ? Summary(ReadAll(**reader)) : Strings();
}

std::string TuProblem(const TuFiles& files) {
  const auto reader = NewTuReader(files, {});
  EXPECT_FALSE(reader.ok());
  return Message(reader.status());
}

Strings Records(const TuFiles& files, const ReadOptions& options = {}) {
  const auto reader = NewTuReader(files, options);
  EXPECT_TRUE(reader.ok()) << reader.status();
  Strings records;
  for (const ReadResult& result : ReadAll(**reader)) {
    EXPECT_TRUE(result.record.ok()) << result.record.status();
    records.push_back(result.record.value_or(v1::Record()).ShortDebugString());
  }
  return records;
}

constexpr char kTriangle[] =
    R"(id: "DS-1" graph { labels: "0" labels: "6" labels: "9" labels: "8" vertices: 0 vertices: 1 vertices: 0 )"
    R"(edges: 0 edges: 1 edges: 0 edges: 2 edges: 1 edges: 2 edge_labels: 3 edge_labels: 3 edge_labels: 4 } )"
    R"(tags { key: "class" value: "1" })";
constexpr char kPath[] =
    R"(id: "DS-2" graph { labels: "3" labels: "0" vertices: 0 vertices: 0 edges: 0 edges: 1 edge_labels: 2 } )"
    R"(tags { key: "class" value: "-1" })";

TEST(TuReader, MergesTheTwoDirectionsOfAnEdge) {
  EXPECT_EQ(Records(TwoGraphs()), (Strings{kTriangle, kPath}));
}

TEST(TuReader, TakesEdgesInOneDirectionAndInAnyOrder) {
  TuFiles files = TwoGraphs();
  files.edges = "5,4\n3, 2\n2 ,1\n1,3\n";
  files.edge_labels = "0\n8\n9\n9\n";
  EXPECT_EQ(Records(files), (Strings{kTriangle, kPath}));
}

TEST(TuReader, ToleratesOtherLineEndsAndBlankLinesAtTheEnd) {
  TuFiles files = TwoGraphs();
  files.indicator = "1\r\n1\r\n1\r\n2\r\n2";
  files.node_labels = " 0\n6 \n0\n3\n3\n\n \n";
  EXPECT_EQ(Records(files), (Strings{kTriangle, kPath}));
}

TEST(TuReader, LeavesEdgeLabelsOutWhenTheyAreNotWanted) {
  TuFiles files = TwoGraphs();
  files.edge_labels = "9\n7\n8\n8\n9\n9\n0\n0\n";
  EXPECT_EQ(Records(files, {.edge_labels = false})[1],
            R"(id: "DS-2" graph { labels: "3" vertices: 0 vertices: 0 edges: 0 edges: 1 } )"
            R"(tags { key: "class" value: "-1" })");
}

TEST(TuReader, LabelsEveryVertexAlikeWithoutLabels) {
  TuFiles files = TwoGraphs();
  files.graph_labels.reset();
  files.node_labels.reset();
  files.edge_labels.reset();
  EXPECT_EQ(Records(files)[1],
            R"(id: "DS-2" graph { labels: "" vertices: 0 vertices: 0 edges: 0 edges: 1 })");
}

TEST(TuReader, NumbersGraphsSoThatIdsSortInTheirOrder) {
  TuFiles files{
      .name = "DS", .edges = "", .indicator = "", .graph_labels = {}, .node_labels = {}, .edge_labels = {}};
  for (int i = 1; i <= 100; ++i) files.indicator += fmt::format("{}\n", i);
  const Strings read = ReadTu(files);
  ASSERT_EQ(read.size(), 100U);
  EXPECT_EQ(read[0], "1: DS-001");
  EXPECT_EQ(read[98], "99: DS-099");
  EXPECT_EQ(read[99], "100: DS-100");
}

TEST(TuReader, ReadsNoGraphsFromEmptyFiles) {
  EXPECT_EQ(ReadTu({.name = "DS",
                    .edges = "",
                    .indicator = "\n",
                    .graph_labels = {},
                    .node_labels = {},
                    .edge_labels = {}}),
            Strings{});
}

TEST(TuReader, SpoilsOnlyTheGraphWithASelfLoop) {
  TuFiles files = TwoGraphs();
  files.edges = "1, 2\n2, 1\n2, 3\n3, 2\n3, 3\n3, 1\n4, 5\n5, 4\n";
  EXPECT_EQ(ReadTu(files), (Strings{"1: DS_A.txt, line 5: joins vertex 3 to itself", "2: DS-2"}));
}

TEST(TuReader, SpoilsBothGraphsThatAnEdgeJoins) {
  TuFiles files = TwoGraphs();
  files.edges = "1, 2\n2, 1\n2, 3\n3, 2\n1, 3\n3, 1\n4, 5\n5, 1\n";
  const std::string reason = "DS_A.txt, line 8: joins vertex 5 of graph 2 to vertex 1 of graph 1";
  EXPECT_EQ(ReadTu(files), (Strings{"1: " + reason, "2: " + reason}));
}

TEST(TuReader, SpoilsTheGraphWhoseEdgeHasTwoLabels) {
  TuFiles files = TwoGraphs();
  files.edge_labels = "9\n9\n8\n7\n9\n9\n0\n0\n";
  EXPECT_EQ(ReadTu(files),
            (Strings{"1: DS_edge_labels.txt, lines 3 and 4: '8' and '7' for one edge", "2: DS-2"}));
}

TEST(TuReader, SpoilsGraphsWhoseVerticesDoNotStandTogether) {
  TuFiles files = TwoGraphs();
  files.edges = "1, 2\n";
  files.edge_labels = "0\n";
  files.indicator = "1\n1\n2\n1\n2\n";
  EXPECT_EQ(ReadTu(files), (Strings{"1: vertex 4 stands apart from the others of its graph",
                                    "2: vertex 5 stands apart from the others of its graph"}));
  files.indicator = "2\n2\n1\n1\n1\n";
  EXPECT_EQ(ReadTu(files), (Strings{"1: vertex 3 stands behind one of graph 2", "2: DS-2"}));
}

TEST(TuReader, SpoilsAGraphWithoutVertices) {
  TuFiles files = TwoGraphs();
  files.graph_labels = "1\n-1\n1\n";
  EXPECT_EQ(ReadTu(files), (Strings{"1: DS-1", "2: DS-2", "3: has no vertices"}));
}

TEST(TuReader, RefusesFilesOfLengthsThatDoNotFit) {
  TuFiles files = TwoGraphs();
  files.node_labels = "0\n6\n0\n3\n";
  EXPECT_EQ(TuProblem(files), "DS_node_labels.txt has 4 lines; by the other files it must have 5");
  files = TwoGraphs();
  files.edge_labels = "0\n";
  EXPECT_EQ(TuProblem(files), "DS_edge_labels.txt has 1 lines; by the other files it must have 8");
  files = TwoGraphs();
  files.graph_labels = "1\n";
  EXPECT_EQ(TuProblem(files), "DS_graph_indicator.txt, line 4: graph 2 has no line in DS_graph_labels.txt");
}

TEST(TuReader, RefusesLinesThatAreNoNumbers) {
  TuFiles files = TwoGraphs();
  for (const char* line :
       {"1 2", "1;2", "a, 2", "1, 2, 3", "0, 1", "-1, 2", "1.5, 2", "99999999999, 1", ","}) {
    files.edges = fmt::format("1, 2\n{}\n", line);
    EXPECT_EQ(TuProblem(files), "DS_A.txt, line 2: is not 'vertex, vertex'") << line;
  }
  files.edges = "1, 2\n\n1, 2";
  EXPECT_EQ(TuProblem(files), "DS_A.txt, line 2: is not 'vertex, vertex'");
  files = TwoGraphs();
  files.indicator = "1\n1\n0\n2\n2\n";
  EXPECT_EQ(TuProblem(files), "DS_graph_indicator.txt, line 3: is not the number of a graph");
  files = TwoGraphs();
  files.node_labels = "0\n\n0\n3\n3\n";
  EXPECT_EQ(TuProblem(files), "DS_node_labels.txt, line 2: is empty");
  files.node_labels = "0\n\xFF\n0\n3\n3\n";
  EXPECT_EQ(TuProblem(files), "DS_node_labels.txt, line 2: is not UTF-8");
}

TEST(TuReader, RefusesAVertexThatDoesNotExist) {
  TuFiles files = TwoGraphs();
  files.edges = "1, 2\n6, 1\n";
  EXPECT_EQ(TuProblem(files), "DS_A.txt, line 2: 6 is not a vertex (the set has 5)");
  files.edges = "4294967295, 1\n";
  EXPECT_EQ(TuProblem(files), "DS_A.txt, line 1: 4294967295 is not a vertex (the set has 5)");
}

TEST(TuReader, AllocatesNothingForAGraphNumberThatLies) {
  TuFiles files = TwoGraphs();
  files.graph_labels.reset();
  files.indicator = "1\n1\n1\n2\n4294967295\n";
  EXPECT_EQ(TuProblem(files), "DS_graph_indicator.txt names graph 4294967295, but has only 5 vertices");
}

TEST(TuReader, RefusesRecordsOfASetWithABadName) {
  TuFiles files = TwoGraphs();
  files.name = "\xFF";
  EXPECT_EQ(ReadTu(files), (Strings{"1: id: is not UTF-8", "2: id: is not UTF-8"}));
}

}  // namespace
}  // namespace kindred::formats
