// The commands that read: get, search, stats, export, kernel; and delete.

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/client/cli_harness.h"

namespace kindred::cli {
namespace {

using testing::HasSubstr;

v1::Record Ethanol(const std::string& id) {
  v1::Record record;
  record.set_id(id);
  record.set_payload("CCO");
  v1::Graph& graph = *record.mutable_graph();
  graph.add_labels("C");
  graph.add_labels("O");
  for (const uint32_t label : {0, 0, 1}) {
    graph.add_vertices(label);
  }
  for (const uint32_t vertex : {0, 1, 1, 2}) {
    graph.add_edges(vertex);
  }
  v1::Tag& tag = *record.add_tags();
  tag.set_key("class");
  tag.set_value("1");
  return record;
}

constexpr char kEthanolLine[] =
    R"({"id":"a","vertices":["C","C","O"],"edges":[[0,1],[1,2]],"payload":"CCO","tags":{"class":"1"}})"
    "\n";

// Knows "a" and "b".
grpc::Status GetKnown(const v1::GetRequest& request, v1::GetResponse& response) {
  for (const std::string& id : request.ids()) {
    v1::GetResponse::Entry& entry = *response.add_entries();
    entry.set_id(id);
    if (id == "a" || id == "b") {
      *entry.mutable_record() = Ethanol(id);
    }
  }
  return grpc::Status::OK;
}

TEST_F(CliTest, GetPrintsRecordsAndExits3WhenAnIdIsMissing) {
  server_.index.get = GetKnown;
  const CliResult json = Run({"get", "a", "nope", "--json"});
  EXPECT_EQ(json.code, 3);
  EXPECT_EQ(json.out, kEthanolLine);
  EXPECT_EQ(json.err, "kindred: there is no graph with the id \"nope\"\n");
  const CliResult text = Run({"get", "a"});
  EXPECT_EQ(text.code, 0);
  EXPECT_EQ(text.out,
            "id         a\n"
            "vertices   3 (C 2, O 1)\n"
            "edges      2\n"
            "payload    CCO\n"
            "tag class  1\n" +
                std::string(kEthanolLine));
}

TEST_F(CliTest, GetAsksForLessWhenTheAnswerWouldBeTooLarge) {
  server_.index.get = [](const v1::GetRequest& request, v1::GetResponse& response) {
    return request.ids_size() > 1 ? grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "too large")
                                  : GetKnown(request, response);
  };
  const CliResult result = Run({"get", "a", "b", "a", "--json"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 3);
}

TEST_F(CliTest, DeleteExits3WhenAnIdIsMissing) {
  server_.index.remove = [](const v1::DeleteRequest& request, v1::DeleteResponse& response) {
    for (const std::string& id : request.ids()) {
      v1::Outcome& outcome = *response.add_outcomes();
      outcome.set_kind(id == "a" ? v1::Outcome::DELETED : v1::Outcome::REJECTED);
      outcome.set_code(id == "a" ? 0 : 5);
    }
    response.set_sequence(9);
    return grpc::Status::OK;
  };
  EXPECT_EQ(Run({"delete", "a"}).code, 0);
  const CliResult text = Run({"delete", "a", "x"});
  EXPECT_EQ(text.code, 3);
  EXPECT_EQ(text.out, "deleted 1 of 2\n");
  EXPECT_EQ(text.err, "kindred: there is no graph with the id \"x\"\n");
  EXPECT_EQ(
      Run({"delete", "a", "x", "--json"}).out,
      "{\"id\":\"a\",\"deleted\":true,\"sequence\":9}\n{\"id\":\"x\",\"deleted\":false,\"sequence\":9}\n");
}

class SearchCommandTest : public CliTest {
 protected:
  SearchCommandTest() {
    server_.index.search = [this](const v1::SearchRequest& request, v1::SearchResponse& response) {
      request_ = request;
      if (request.graph().vertices_size() == 1) {
        return grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "graph.vertices: too few for this test");
      }
      response.set_sequence(12);
      v1::Hit& hit = *response.add_hits();
      hit.set_id("a");
      hit.set_kernel(60);
      hit.set_similarity(0.652);
      response.mutable_stats()->set_postings_read(7);
      response.mutable_stats()->set_candidates(2);
      response.mutable_stats()->set_micros(31);
      return grpc::Status::OK;
    };
    server_.index.get = GetKnown;
    server_.index.stats = [](const v1::StatsRequest&, v1::StatsResponse& response) {
      response.set_depth(3);
      return grpc::Status::OK;
    };
  }

  v1::SearchRequest request_;
};

TEST_F(SearchCommandTest, PrintsTheDocumentedJsonLine) {
  const CliResult result = Run({"search", "--smiles", "CCO", "--json"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, R"({"query":"CCO","sequence":12,"hits":[{"id":"a","kernel":60,"similarity":0.652}],)"
                        R"("stats":{"postings_read":7,"candidates":2,"micros":31}})"
                        "\n");
}

TEST_F(SearchCommandTest, PrintsATableWithPayloadsForPeople) {
  const CliResult result = Run({"search", "--id", "a"});
  EXPECT_EQ(result.out,
            "query a  measure tanimoto  depth 3  sequence 12  31 us\n"
            "rank  id  similarity  kernel  payload\n"
            "   1  a       0.6520      60  CCO\n");
  server_.index.get = nullptr;  // Payloads are a courtesy.
  EXPECT_THAT(Run({"search", "--id", "a"}).out, HasSubstr("rank  id  similarity  kernel\n"));
}

TEST_F(SearchCommandTest, SendsWhatIsAskedFor) {
  ASSERT_EQ(Run({"search", "--id", "a", "-k", "5", "--measure", "cosine", "--min-similarity", "0.5",
                 "--depth", "2", "--weights", "1,0.5,0", "--mode", "exhaustive", "--min-sequence", "4"})
                .code,
            0);
  EXPECT_EQ(request_.id(), "a");
  EXPECT_EQ(request_.k(), 5u);
  EXPECT_EQ(request_.measure(), v1::MEASURE_COSINE);
  EXPECT_EQ(request_.min_similarity(), 0.5);
  EXPECT_EQ(request_.depth(), 2u);
  EXPECT_THAT(request_.weights(), testing::ElementsAre(1, 0.5, 0));
  EXPECT_EQ(request_.mode(), v1::SEARCH_MODE_EXHAUSTIVE);
  EXPECT_EQ(request_.min_sequence(), 4u);
}

TEST_F(SearchCommandTest, ReadsBondTypesUnlessToldNotTo) {
  ASSERT_EQ(Run({"search", "--smiles", "CCO"}).code, 0);
  EXPECT_EQ(request_.graph().edge_labels_size(), 2);
  ASSERT_EQ(Run({"search", "--smiles", "CCO", "--edge-labels", "no"}).code, 0);
  EXPECT_EQ(request_.graph().edge_labels_size(), 0);
  EXPECT_EQ(Run({"search", "--smiles", "C(("}).code, 1);
}

TEST_F(SearchCommandTest, SearchesForEachGraphOfAFileAndReportsTheBadOnes) {
  const std::string file = WriteFile("q.smi", "CCO\tone\nC((\ttwo\nC\tthree\nCCC\tfour\n");
  const CliResult result = Run({"search", "--file", file, "--json"});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 2);
  EXPECT_THAT(result.out, HasSubstr("{\"query\":\"one\""));
  EXPECT_THAT(result.out, HasSubstr("{\"query\":\"four\""));
  EXPECT_THAT(result.err, HasSubstr(file + ":2: two: "));
  EXPECT_THAT(result.err, HasSubstr(file + ":3: three: graph.vertices: too few for this test\n"));
  EXPECT_EQ(Run({"search", "--file", Path("missing.smi")}).code, 1);
}

TEST_F(CliTest, ExportWritesJsonLinesAndAFileOnlyWhenComplete) {
  bool fails = false;
  server_.index.export_all = [&](const v1::ExportRequest&, grpc::ServerWriter<v1::ExportResponse>& writer) {
    v1::ExportResponse response;
    *response.add_records() = Ethanol("a");
    writer.Write(response);
    return fails ? grpc::Status(grpc::StatusCode::DATA_LOSS, "damaged") : grpc::Status::OK;
  };
  EXPECT_EQ(Run({"export"}).out, kEthanolLine);
  const std::string file = Path("all.jsonl");
  EXPECT_EQ(Run({"export", "-o", file}).code, 0);
  EXPECT_EQ(ReadFile(file), kEthanolLine);
  fails = true;
  EXPECT_EQ(Run({"export", "-o", Path("half.jsonl")}).code, 1);
  EXPECT_FALSE(std::filesystem::exists(Path("half.jsonl")));
  EXPECT_FALSE(std::filesystem::exists(Path("half.jsonl.part")));
  EXPECT_EQ(Run({"export", "-o", Path("no/such/place")}).code, 1);
}

TEST_F(CliTest, KernelAsksForTheIdsOfAFileAndWritesRows) {
  v1::KernelRequest asked;
  server_.index.kernel = [&](const v1::KernelRequest& request, grpc::ServerWriter<v1::KernelRow>& writer) {
    asked = request;
    for (uint64_t i = 0; i < 2; ++i) {
      v1::KernelRow row;
      row.set_index(i);
      row.set_id(i == 0 ? "a" : "b c");
      row.set_tag(i == 0 ? "1" : "");
      row.add_values(12);
      row.add_values(7);
      writer.Write(row);
    }
    return grpc::Status::OK;
  };
  const std::string ids = WriteFile("ids", "a\r\n\nb c\n");
  const std::vector<std::string> words = {"kernel", "--kernel", "voa", "--normalize", "--ids-file", ids};
  EXPECT_EQ(Run(words).out, "1 0:1 1:12 2:7\n0 0:2 1:12 2:7\n");
  EXPECT_EQ(asked.kernel(), v1::KERNEL_KIND_VOA);
  EXPECT_TRUE(asked.normalize());
  EXPECT_EQ(asked.row_tag(), "class");
  EXPECT_THAT(asked.ids(), testing::ElementsAre("a", "b c"));
  EXPECT_EQ(Run({"kernel", "--ids-file", ids, "--format", "csv"}).out, "id,a,b c\na,12,7\nb c,12,7\n");
  EXPECT_EQ(Run({"kernel", "--ids-file", WriteFile("none", "\n")}).code, 1);
}

}  // namespace
}  // namespace kindred::cli
