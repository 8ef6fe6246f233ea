#include "client/formats/jsonl_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "fmt/format.h"
#include "tests/unit/formats/test_files.h"

namespace kindred::formats {
namespace {

v1::Record ReadLine(std::string_view line, const ReadOptions& options = {}) {
  const std::optional<ReadResult> result = ReadJsonLine(1, line, options);
  EXPECT_TRUE(result.has_value() && result->record.ok()) << line;
  if (!result.has_value() || !result->record.ok()) return {};
  EXPECT_EQ(result->id, result->record->id());
  return *result->record;
}

std::string LineProblem(std::string_view line) {
  const std::optional<ReadResult> result = ReadJsonLine(1, line, {});
  EXPECT_TRUE(result.has_value());
  EXPECT_FALSE(result->record.ok()) << "was read: " << line;
  EXPECT_EQ(result->record.status().code(), absl::StatusCode::kInvalidArgument);
  return Message(result->record.status());
}

// Puts a field into a record that is otherwise fine.
std::string With(std::string_view field) {
  return fmt::format(R"({{"id":"x","vertices":["C","N","O","C","C"],{}}})", field);
}

TEST(JsonLines, ReadsARecord) {
  EXPECT_EQ(ReadLine(R"({"id":"caffeine","vertices":["C","N","O"],"edges":[[0,1],[1,2,"double"]],)"
                     R"("payload":"any text","tags":{"source":"demo","a":""}})")
                .ShortDebugString(),
            R"(id: "caffeine" graph { labels: "C" labels: "N" labels: "O" labels: "double" )"
            R"(vertices: 0 vertices: 1 vertices: 2 edges: 0 edges: 1 edges: 1 edges: 2 )"
            R"(edge_labels: 0 edge_labels: 4 } payload: "any text" )"
            R"(tags { key: "source" value: "demo" } tags { key: "a" })");
}

TEST(JsonLines, ReadsFieldsInAnyOrderAndWithSpaces) {
  EXPECT_EQ(ReadLine(R"( { "edges" : [ [ 1 , 0 ] ] , "vertices" : [ "C" , "C" ] , "id" : "x" } )")
                .ShortDebugString(),
            R"(id: "x" graph { labels: "C" vertices: 0 vertices: 0 edges: 1 edges: 0 })");
}

TEST(JsonLines, TakesARecordWithoutEdges) {
  EXPECT_EQ(ReadLine(R"({"id":"x","vertices":["C"]})").ShortDebugString(),
            R"(id: "x" graph { labels: "C" vertices: 0 })");
}

TEST(JsonLines, LeavesAGraphWithoutVerticesToTheDaemon) {
  EXPECT_EQ(ReadLine(R"({"id":"x","vertices":[],"edges":[]})").ShortDebugString(), R"(id: "x" graph { })");
}

TEST(JsonLines, LeavesEdgeLabelsOutWhenTheyAreNotWanted) {
  EXPECT_EQ(ReadLine(R"({"id":"x","vertices":["C","C"],"edges":[[0,1,"double"]]})", {.edge_labels = false})
                .ShortDebugString(),
            R"(id: "x" graph { labels: "C" vertices: 0 vertices: 0 edges: 0 edges: 1 })");
}

TEST(JsonLines, StatesAnotherSchemeWhenEdgeLabelsAreLeftOut) {
  const std::string line = With(R"("molecule_scheme":"ecfp,bonds")");
  EXPECT_EQ(ReadLine(line).molecule_scheme(), "ecfp,bonds");
  EXPECT_EQ(ReadLine(line, {.edge_labels = false}).molecule_scheme(), "ecfp");
  const auto unknown = ReadJsonLine(1, With(R"("molecule_scheme":"mine")"), {.edge_labels = false});
  EXPECT_EQ(unknown->record.status().code(), absl::StatusCode::kFailedPrecondition)
      << "nobody can tell which";
}

TEST(JsonLines, ReadsAPayloadOfAnyBytes) {
  EXPECT_EQ(ReadLine(With(R"("payload_base64":"/wD+")")).payload(), std::string("\xFF\x00\xFE", 3));
  EXPECT_EQ(ReadLine(With(R"("payload":"\u0000\n\"é")")).payload(), std::string("\0\n\"\xC3\xA9", 5));
}

TEST(JsonLines, SkipsBlankLines) {
  EXPECT_FALSE(ReadJsonLine(1, "", {}).has_value());
  EXPECT_FALSE(ReadJsonLine(1, " \t ", {}).has_value());
}

TEST(JsonLines, RefusesAnEdgeToAMissingVertex) {
  EXPECT_EQ(LineProblem(With(R"("edges":[[0,1],[1,2],[2,3],[3,7]])")),
            "edges[3][1]: 7 is not a vertex (the graph has 5)");
  EXPECT_EQ(LineProblem(With(R"("edges":[[18446744073709551615,1]])")),
            "edges[0][0]: 18446744073709551615 is not a vertex (the graph has 5)");
  EXPECT_EQ(LineProblem(R"({"id":"x","edges":[[0,1]],"vertices":["C"]})"),
            "edges[0][1]: 1 is not a vertex (the graph has 1)");
}

TEST(JsonLines, RefusesAnEndOfAnEdgeThatIsNoUnsignedInteger) {
  EXPECT_EQ(LineProblem(With(R"("edges":[[0,-1]])")), "edges[0][1]: -1 is not an unsigned integer");
  EXPECT_EQ(LineProblem(With(R"("edges":[[0,1],[1.5,2]])")), "edges[1][0]: 1.5 is not an unsigned integer");
  EXPECT_EQ(LineProblem(With(R"("edges":[[18446744073709551616,1]])")),
            "edges[0][0]: 18446744073709551616 is not an unsigned integer");
  EXPECT_EQ(LineProblem(With(R"("edges":[["0",1]])")), "edges[0][0]: must be an unsigned integer");
  EXPECT_EQ(LineProblem(With(R"("edges":[[null,1]])")), "edges[0][0]: must be an unsigned integer");
  EXPECT_EQ(LineProblem(With(R"("edges":[[true,1]])")), "edges[0][0]: must be an unsigned integer");
  EXPECT_EQ(LineProblem(With(R"("edges":[[[0],1]])")), "edges[0][0]: must be an unsigned integer");
  EXPECT_EQ(LineProblem(With(R"("edges":[[{},1]])")), "edges[0][0]: must be an unsigned integer");
}

TEST(JsonLines, RefusesAnEdgeOfTheWrongShape) {
  EXPECT_EQ(LineProblem(With(R"("edges":[[0,1],[]])")), "edges[1]: must be [a, b] or [a, b, label]");
  EXPECT_EQ(LineProblem(With(R"("edges":[[0]])")), "edges[0]: must be [a, b] or [a, b, label]");
  EXPECT_EQ(LineProblem(With(R"("edges":[0,1])")), "edges[0]: must be [a, b] or [a, b, label]");
  EXPECT_EQ(LineProblem(With(R"("edges":[{}])")), "edges[0]: must be [a, b] or [a, b, label]");
  EXPECT_EQ(LineProblem(With(R"("edges":["a"])")), "edges[0]: must be [a, b] or [a, b, label]");
  EXPECT_EQ(LineProblem(With(R"("edges":[[0,1,2]])")), "edges[0][2]: must be a string");
  EXPECT_EQ(LineProblem(With(R"("edges":[[0,1,-2]])")), "edges[0][2]: must be a string");
  EXPECT_EQ(LineProblem(With(R"("edges":[[0,1,2.5]])")), "edges[0][2]: must be a string");
  EXPECT_EQ(LineProblem(With(R"("edges":[[0,1,"a","b"]])")),
            "edges[0][3]: is one too many: an edge is [a, b] or [a, b, label]");
}

TEST(JsonLines, RefusesAFieldOfTheWrongKind) {
  EXPECT_EQ(LineProblem(R"({"id":"x","vertices":["C","N",3]})"), "vertices[2]: must be a string");
  EXPECT_EQ(LineProblem(R"({"id":"x","vertices":["C",["N"]]})"), "vertices[1]: must be a string");
  EXPECT_EQ(LineProblem(R"({"id":"x","vertices":"CNO"})"), "vertices: must be an array of strings");
  EXPECT_EQ(LineProblem(R"({"id":"x","vertices":{}})"), "vertices: must be an array of strings");
  EXPECT_EQ(LineProblem(R"({"id":7,"vertices":["C"]})"), "id: must be a string");
  EXPECT_EQ(LineProblem(R"({"id":["a"],"vertices":["C"]})"), "id: must be a string");
  EXPECT_EQ(LineProblem(With(R"("edges":{})")), "edges: must be an array of [a, b] or [a, b, label]");
  EXPECT_EQ(LineProblem(With(R"("payload":null)")), "payload: must be a string");
  EXPECT_EQ(LineProblem(With(R"("tags":["a"])")), "tags: must be an object of strings");
  EXPECT_EQ(LineProblem(With(R"("tags":"a")")), "tags: must be an object of strings");
  EXPECT_EQ(LineProblem(With(R"("tags":{"a":"b","c":1})")), "tags.c: must be a string");
  EXPECT_EQ(LineProblem(With(R"("tags":{"a":{}})")), "tags.a: must be a string");
  EXPECT_EQ(LineProblem(With(R"("payload_base64":"?")")), "payload_base64: is not base64");
}

TEST(JsonLines, RefusesARecordThatIsNoObject) {
  EXPECT_EQ(LineProblem("[]"), "record: must be an object");
  EXPECT_EQ(LineProblem("7"), "record: must be an object");
  EXPECT_EQ(LineProblem("-7"), "record: must be an object");
  EXPECT_EQ(LineProblem("\"a\""), "record: must be an object");
  EXPECT_EQ(LineProblem("null"), "record: must be an object");
}

TEST(JsonLines, RefusesARecordWithoutIdOrVertices) {
  EXPECT_EQ(LineProblem(R"({"vertices":["C"]})"), "id: is missing");
  EXPECT_EQ(LineProblem(R"({})"), "id: is missing");
  EXPECT_EQ(LineProblem(R"({"id":"x"})"), "vertices: is missing");
}

TEST(JsonLines, RefusesABadId) {
  EXPECT_EQ(LineProblem(R"({"id":"","vertices":["C"]})"), "id: is empty");
  EXPECT_EQ(LineProblem(fmt::format(R"({{"id":"{}","vertices":["C"]}})", std::string(513, 'x'))),
            "id: has 513 bytes; at most 512");
}

TEST(JsonLines, RefusesAKeyItDoesNotKnow) {
  EXPECT_EQ(LineProblem(With(R"("colour":"red")")), "colour: is not a field of a record");
  EXPECT_EQ(LineProblem(With(R"("Edges":[])")), "Edges: is not a field of a record");
  EXPECT_EQ(LineProblem(With(R"("":[])")), ": is not a field of a record");
}

TEST(JsonLines, ShowsNoMoreOfALongKeyThanHelps) {
  std::string key;
  for (int i = 0; i < 500; ++i) key += "é";
  EXPECT_EQ(LineProblem(With(fmt::format(R"("a{}":1)", key))),
            "a" + key.substr(0, 118) + ": is not a field of a record");
}

TEST(JsonLines, RefusesAKeyTwice) {
  EXPECT_EQ(LineProblem(With(R"("id":"y")")), "id: stands twice");
  EXPECT_EQ(LineProblem(With(R"("tags":{"a":"b","a":"c"})")), "tags.a: stands twice");
  EXPECT_EQ(LineProblem(With(R"("payload":"a","payload_base64":"YQ==")")),
            "payload_base64: stands beside another payload");
}

TEST(JsonLines, RefusesWhatIsNotJson) {
  EXPECT_EQ(
      LineProblem(R"({"id":"x",)"),
      "not JSON at byte 11: syntax error while parsing object key - unexpected end of input; expected string "
      "literal");
  EXPECT_EQ(LineProblem(R"(C1CC1)"),
            "not JSON at byte 1: syntax error while parsing value - invalid literal");
  EXPECT_EQ(LineProblem(R"({"id":"x","vertices":["C"]} x)"),
            "not JSON at byte 29: syntax error while parsing value - invalid literal");
  EXPECT_EQ(LineProblem(With(R"("edges":[[1e999,1]])")),
            "not JSON at byte 58: number overflow parsing '1e999'");
}

TEST(JsonLines, RefusesTextThatIsNotUtf8WithoutRepeatingIt) {
  EXPECT_EQ(LineProblem("{\"id\":\"x\",\"vertices\":[\"\xFF\"]}"),
            "not JSON at byte 24: syntax error while parsing value - invalid string: ill-formed UTF-8 byte");
  EXPECT_EQ(LineProblem(R"({"id":"\ud800","vertices":["C"]})").substr(0, 19), "not JSON at byte 14");
}

TEST(JsonLines, RefusesNestingWithoutEnd) {
  for (const std::string_view opening : {"[", "{\"tags\":", "{\"edges\":[["}) {
    std::string line;
    for (int i = 0; i < 1'000'000; ++i) line += opening;
    EXPECT_FALSE(LineProblem(line).empty());
    EXPECT_FALSE(LineProblem(With("\"edges\":" + line)).empty());
    EXPECT_FALSE(LineProblem(With("\"colour\":" + line)).empty());
  }
}

TEST(JsonLines, TellsTheIdOfABadRecordWhenItWasRead) {
  EXPECT_EQ(ReadJsonLine(1, R"({"id":"x","vertices":[1]})", {})->id, "x");
  EXPECT_EQ(ReadJsonLine(1, R"({"vertices":[1],"id":"x"})", {})->id, "");
}

TEST(JsonLines, GoesOnBehindABadLine) {
  const TestFiles files;
  const std::string path = files.WriteCompressed("graphs.jsonl.gz", Compression::kGzip,
                                                 "{\"id\":\"a\",\"vertices\":[\"C\"]}\r\n"
                                                 "\n"
                                                 "nonsense\n"
                                                 "{\"id\":\"b\",\"vertices\":[\"C\"]}");
  EXPECT_EQ(
      Summary(ReadAll(path)),
      (std::vector<std::string>{
          "1: a", "3: not JSON at byte 2: syntax error while parsing value - invalid literal", "4: b"}));
}

}  // namespace
}  // namespace kindred::formats
