// The log of kindredd: text and JSON, request ids, slow queries.

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/paths.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

class LogTest : public ::testing::Test {
 protected:
  void Start(std::vector<std::string> flags) {
    daemon_ = std::make_unique<DaemonProcess>(dir_.Sub("d"), std::move(flags),
                                              Surroundings{.log_path = dir_.Sub("log")});
    stub_ = daemon_->NewStub();
  }

  // Stops the daemon; its lines.
  std::vector<std::string> Lines() {
    EXPECT_EQ(daemon_->Stop(SIGTERM), 0);
    std::ifstream file(dir_.Sub("log"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) {
      lines.push_back(line);
    }
    return lines;
  }

  // The objects whose message this is.
  std::vector<json> Objects(const std::string& message) {
    std::vector<json> objects;
    for (const std::string& line : Lines()) {
      const json object = json::parse(line);
      if (object["message"] == message) {
        objects.push_back(object);
      }
    }
    return objects;
  }

  // Searches for the id, under this request id; gives the one that came back.
  std::string Search(const std::string& id, const std::string& request_id) {
    const auto context = NewContext();
    if (!request_id.empty()) {
      context->AddMetadata("x-request-id", request_id);
    }
    v1::SearchRequest request;
    request.set_id(id);
    v1::SearchResponse response;
    EXPECT_EQ(stub_->Search(context.get(), request, &response).error_code(), grpc::StatusCode::NOT_FOUND);
    const auto& trailing = context->GetServerTrailingMetadata();
    const auto at = trailing.find("x-request-id");
    return at == trailing.end() ? "" : std::string(at->second.data(), at->second.size());
  }

  const TempDir dir_;
  std::unique_ptr<DaemonProcess> daemon_;
  std::unique_ptr<v1::Index::Stub> stub_;
};

TEST_F(LogTest, JsonIsOneObjectALine) {
  Start({"--log-format", "json", "--log-level", "debug"});
  const std::vector<std::string> lines = Lines();
  EXPECT_FALSE(lines.empty());
  for (const std::string& line : lines) {
    const json object = json::parse(line);
    EXPECT_THAT(object["time"].get<std::string>(), MatchesRegex("....-..-..T..:..:..\\....[+-]..:.."));
    EXPECT_TRUE(object["level"].is_string() && object["message"].is_string()) << line;
  }
  EXPECT_EQ(json::parse(lines.back())["message"], "stopped");
}

TEST_F(LogTest, EachCallHasALineWithItsRequestId) {
  Start({"--log-format", "json", "--log-level", "debug"});
  EXPECT_EQ(Search("none", "ticket-7.a:b_C"), "ticket-7.a:b_C");
  const std::string made = Search("none", "");
  EXPECT_THAT(made, MatchesRegex("[0-9a-f]+-[0-9a-f]+"));
  EXPECT_NE(Search("none", ""), made) << "each call has its own";
  const std::vector<json> calls = Objects("call");
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[0]["request"], "ticket-7.a:b_C");
  EXPECT_EQ(calls[1]["request"], made);
  EXPECT_EQ(calls[0]["method"], "kindred.v1.Index/Search");
  EXPECT_EQ(calls[0]["code"], "NOT_FOUND");
  EXPECT_TRUE(calls[0]["micros"].is_number_integer());
  EXPECT_THAT(calls[0]["peer"].get<std::string>(), HasSubstr("127.0.0.1"));
}

TEST_F(LogTest, TakesNoRequestIdThatIsNotFitToBeOne) {
  Start({"--log-level", "debug"});
  for (const std::string& unfit : {std::string(65, 'a'), std::string("two words"), std::string("a\"b"),
                                   std::string("id=1"), std::string("{}")}) {
    EXPECT_THAT(Search("none", unfit), MatchesRegex("[0-9a-f]+-[0-9a-f]+")) << unfit;
  }
  EXPECT_EQ(Search("none", std::string(64, 'a')), std::string(64, 'a'));
}

TEST_F(LogTest, NothingAClientSendsBreaksALine) {
  Start({"--log-level", "debug"});
  const std::string hostile = "x\n2026-01-01T00:00:00.000+00:00 error forged \x1b[31m\"";
  Search(hostile, "");
  for (const std::string& line : Lines()) {
    EXPECT_THAT(line, MatchesRegex("....-..-..T..:..:..\\....[+-]..:.. (debug|info|warning|error) .*"))
        << line;
    EXPECT_THAT(line, Not(HasSubstr("\x1b")));
    EXPECT_THAT(line, Not(::testing::StartsWith("2026-01-01T00:00:00.000+00:00 error")));
  }
}

TEST_F(LogTest, AnswersThatAreFineCarryNoRequestId) {
  Start({});
  const auto context = NewContext();
  v1::StatsResponse stats;
  ASSERT_TRUE(stub_->Stats(context.get(), {}, &stats).ok());
  EXPECT_EQ(context->GetServerTrailingMetadata().count("x-request-id"), 0u);
}

class SlowQueryTest : public LogTest {
 protected:
  // Enough for an exhaustive search to take longer than a millisecond.
  void Fill() {
    std::mt19937_64 rng(1);
    v1::PutRequest put;
    for (int i = 0; i < 10'000; ++i) {
      v1::Record& record = *put.add_records();
      record = RecordMessage("id-of-" + std::to_string(i), RandomTreeMessage(rng, 40));
      record.set_payload("a secret payload");
    }
    v1::PutResponse stored;
    ASSERT_TRUE(stub_->Put(NewContext().get(), put, &stored).ok());
  }

  v1::SearchResponse SlowSearch() {
    const auto context = NewContext();
    context->AddMetadata("x-request-id", "slow-one");
    v1::SearchRequest request;
    *request.mutable_graph() = PathMessage("CCO");
    request.set_k(3);
    request.set_depth(2);
    request.set_measure(v1::MEASURE_COSINE);
    request.set_mode(v1::SEARCH_MODE_EXHAUSTIVE);
    request.set_filter("not exists hush");
    request.add_exclude_ids("id-of-7");
    request.set_with_payload(true);
    v1::SearchResponse response;
    EXPECT_TRUE(stub_->Search(context.get(), request, &response).ok());
    return response;
  }
};

TEST_F(SlowQueryTest, HasALineWithWhatItWasAndWhatItCost) {
  Start({"--log-format", "json", "--slow-query-ms", "1"});
  Fill();
  const v1::SearchResponse response = SlowSearch();
  const std::vector<json> slow = Objects("slow query");
  ASSERT_EQ(slow.size(), 1u);
  const json& line = slow.front();
  EXPECT_EQ(line["level"], "warning");
  EXPECT_EQ(line["request"], "slow-one");
  EXPECT_EQ(line["code"], "OK");
  EXPECT_EQ(line["k"], 3);
  EXPECT_EQ(line["measure"], "cosine");
  EXPECT_EQ(line["mode"], "exhaustive");
  EXPECT_EQ(line["depth"], 2);
  EXPECT_EQ(line["vertices"], 3);
  EXPECT_EQ(line["filter_bytes"], 15);
  EXPECT_EQ(line["excluded"], 1);
  EXPECT_EQ(line["hits"], 3);
  EXPECT_EQ(line["postings"], response.stats().postings_read());
  EXPECT_EQ(line["candidates"], response.stats().candidates());
  EXPECT_GE(line["micros"], response.stats().micros());
}

TEST_F(SlowQueryTest, TellsNothingOfWhatWasAskedFor) {
  Start({"--slow-query-ms", "1"});
  Fill();
  SlowSearch();
  int slow = 0;
  for (const std::string& line : Lines()) {
    slow += line.find("slow query") != std::string::npos ? 1 : 0;
    for (const char* secret : {"secret", "hush", "id-of-"}) {
      EXPECT_THAT(line, Not(HasSubstr(secret)));
    }
  }
  EXPECT_EQ(slow, 1);
}

TEST_F(SlowQueryTest, IsNotLoggedByDefaultNorWhenItIsQuickEnough) {
  Start({"--log-format", "json", "--slow-query-ms", "3600000"});
  Fill();
  SlowSearch();
  EXPECT_TRUE(Objects("slow query").empty());
  Start({"--log-format", "json"});
  SlowSearch();
  EXPECT_TRUE(Objects("slow query").empty());
}

TEST_F(SlowQueryTest, ThatFailedIsLoggedWithItsCodeAndWithoutCosts) {
  Start({});
  Fill();
  Lines();
  std::filesystem::remove(dir_.Sub("log"));
  Start({"--log-format", "json", "--slow-query-ms", "1", "--message-bytes-max", "1024"});
  v1::SearchRequest request;
  *request.mutable_graph() = PathMessage("CCO");
  request.set_k(1000);
  request.set_mode(v1::SEARCH_MODE_EXHAUSTIVE);
  request.set_with_payload(true);
  v1::SearchResponse response;
  EXPECT_EQ(stub_->Search(NewContext().get(), request, &response).error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
  const std::vector<json> slow = Objects("slow query");
  ASSERT_EQ(slow.size(), 1u);
  EXPECT_EQ(slow.front()["code"], "RESOURCE_EXHAUSTED");
  EXPECT_FALSE(slow.front().contains("postings"));
}

TEST(LogFlags, RefuseWhatIsNotPossible) {
  const TempDir dir;
  for (const auto& [flag, value] :
       {std::pair("--log-format", "xml"), std::pair("--slow-query-ms", "-1"),
        std::pair("--slow-query-ms", "3600001"), std::pair("--http-connections-max", "0"),
        std::pair("--http-connections-max", "257")}) {
    EXPECT_EQ(
        RunProgram(KindreddPath(), {"--data-dir", dir.Sub("d"), flag, value, "--check-config"}).exit_code, 64)
        << flag << " " << value;
  }
}

}  // namespace
}  // namespace kindred::test
