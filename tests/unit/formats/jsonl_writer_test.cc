#include "client/formats/jsonl_writer.h"

#include <gtest/gtest.h>

#include <random>

#include "client/formats/graph_builder.h"
#include "client/formats/jsonl_reader.h"
#include "fmt/format.h"
#include "tests/unit/formats/test_files.h"

namespace kindred::formats {
namespace {

v1::Record ReadBack(std::string_view line) {
  const std::optional<ReadResult> result = ReadJsonLine(1, line, {});
  EXPECT_TRUE(result.has_value());
  EXPECT_TRUE(result->record.ok()) << result->record.status() << " in " << line;
  return result->record.value_or(v1::Record());
}

v1::Record SmallRecord() { return ReadBack(R"({"id":"x","vertices":["C","N"],"edges":[[0,1,"double"]]})"); }

TEST(ToJsonLine, GivesTheLineThatWasRead) {
  for (
      const std::string line : {
          R"({"id":"caffeine","vertices":["C","N","O"],"edges":[[0,1],[1,2,"double"]],"payload":"any text","tags":{"source":"demo"}})",
          R"({"id":"x","vertices":["C"],"edges":[]})",
          R"({"id":"x","vertices":["C"],"edges":[],"molecule_scheme":"ecfp,bonds"})",
          R"({"id":"x","vertices":[""],"edges":[],"payload_base64":"/wA="})",
          R"({"id":"\"\\\n","vertices":["é"],"edges":[],"tags":{"":"1","a":""}})",
      }) {
    EXPECT_EQ(ToJsonLine(ReadBack(line)).value(), line);
  }
}

TEST(ToJsonLine, WritesAnEmptyEdgeLabelAsNone) {
  v1::Record record = SmallRecord();
  *record.mutable_graph()->mutable_labels(2) = "";
  EXPECT_EQ(ToJsonLine(record).value(), R"({"id":"x","vertices":["C","N"],"edges":[[0,1]]})");
}

TEST(ToJsonLine, WritesLabelsInWhateverOrderTheyAreListed) {
  v1::Record record = SmallRecord();
  record.mutable_graph()->clear_labels();
  for (const char* label : {"unused", "N", "C"}) record.mutable_graph()->add_labels(label);
  record.mutable_graph()->set_vertices(0, 2);
  record.mutable_graph()->set_edge_labels(0, 2);
  EXPECT_EQ(ToJsonLine(record).value(), R"({"id":"x","vertices":["C","N"],"edges":[[0,1,"N"]]})");
}

TEST(ToJsonLine, RefusesARecordThatIsNotWellFormed) {
  const auto problem = [](const auto& spoil) {
    v1::Record record = SmallRecord();
    spoil(record);
    return Message(ToJsonLine(record).status());
  };
  EXPECT_EQ(problem([](v1::Record& r) { r.set_id(""); }), "id: is empty");
  EXPECT_EQ(problem([](v1::Record& r) { r.mutable_graph()->set_vertices(0, 3); }),
            "graph.vertices: one points beyond the labels");
  EXPECT_EQ(problem([](v1::Record& r) { r.mutable_graph()->add_edges(0); }),
            "graph.edges: half an edge at the end");
  EXPECT_EQ(problem([](v1::Record& r) { r.mutable_graph()->add_edge_labels(0); }),
            "graph.edge_labels: not one an edge");
  EXPECT_EQ(problem([](v1::Record& r) { r.mutable_graph()->set_edge_labels(0, 4); }),
            "graph.edge_labels: one points beyond the labels");
  EXPECT_EQ(problem([](v1::Record& r) { *r.mutable_graph()->mutable_labels(0) = "\xFF"; }),
            "graph.labels: one is not UTF-8");
  EXPECT_EQ(problem([](v1::Record& r) { r.add_tags()->set_value("\xFF"); }), "tags: one is not UTF-8");
}

std::string RandomBytes(std::mt19937_64& random, size_t length_max) {
  std::string bytes(random() % (length_max + 1), '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

std::string RandomText(std::mt19937_64& random, size_t length_max) {
  static constexpr std::string_view kPieces[] = {"C", "N", "\"", "\\", "\n", "é", "€", "😀", "/", "0", "\x01"};
  std::string text;
  for (size_t i = random() % (length_max + 1); i > 0; --i) text += kPieces[random() % std::size(kPieces)];
  return text;
}

v1::Record RandomRecord(std::mt19937_64& random) {
  GraphBuilder graph;
  const auto vertices = static_cast<uint32_t>(1 + random() % 20);
  for (uint32_t v = 0; v < vertices; ++v) graph.AddVertex(RandomText(random, 2));
  const bool has_edge_labels = random() % 2 == 0;
  for (uint64_t e = random() % 30; e > 0; --e) {
    graph.AddEdge(static_cast<uint32_t>(random() % vertices), static_cast<uint32_t>(random() % vertices),
                  has_edge_labels ? RandomText(random, 2) : "");
  }
  v1::Record record;
  record.set_id("x" + RandomText(random, 20));
  *record.mutable_graph() = std::move(graph).Take();
  record.set_payload(random() % 2 == 0 ? RandomBytes(random, 10) : RandomText(random, 10));
  for (uint64_t t = random() % 4; t > 0; --t) {
    v1::Tag* tag = record.add_tags();
    tag->set_key(fmt::format("{}{}", RandomText(random, 3), t));
    tag->set_value(RandomText(random, 5));
  }
  return record;
}

TEST(ToJsonLine, LosesNothingOfARandomRecord) {
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 2'000; ++i) {
    const v1::Record record = RandomRecord(random);
    const absl::StatusOr<std::string> line = ToJsonLine(record);
    ASSERT_TRUE(line.ok()) << line.status();
    ASSERT_EQ(line->find('\n'), std::string::npos);
    const v1::Record again = ReadBack(*line);
    ASSERT_EQ(again.ShortDebugString(), record.ShortDebugString());
    ASSERT_EQ(ToJsonLine(again).value(), *line);
  }
}

}  // namespace
}  // namespace kindred::formats
