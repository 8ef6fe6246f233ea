// The commands that read: get, stats, export, kernel; and delete. (search_command_test.cc: search.)

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/client/cli_harness.h"
#include "tests/unit/client/fake_records.h"

namespace kindred::cli {
namespace {

using testing::HasSubstr;

constexpr char kEthanolLine[] =
    R"({"id":"a","vertices":["C","C","O"],"edges":[[0,1],[1,2]],"payload":"CCO","tags":{"class":"1"}})"
    "\n";

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

TEST_F(CliTest, StatsTellsOfMergesAndTheVectorTarget) {
  server_.index.stats = [](const v1::StatsRequest&, v1::StatsResponse& response) {
    response.set_graphs(4);
    response.set_segments(2);
    response.set_memory_bytes(1000);
    response.set_merges(7);
    response.set_merging(1);
    response.set_vector_target("AVX2");
    return grpc::Status::OK;
  };
  const std::string json = Run({"stats", "--json"}).out;
  EXPECT_THAT(json, HasSubstr(R"("segments":2,"merges":7,"merging":1,)"));
  EXPECT_THAT(json, HasSubstr(R"("bytes_per_graph":250,)"));
  EXPECT_THAT(json, HasSubstr(R"("vector_target":"AVX2"})"));
  const std::string text = Run({"stats"}).out;
  EXPECT_THAT(text, testing::ContainsRegex("merges done +7\n"));
  EXPECT_THAT(text, testing::ContainsRegex("merging now +1\n"));
  EXPECT_THAT(text, testing::ContainsRegex("vector target +AVX2\n"));
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
