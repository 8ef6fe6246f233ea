// /metrics: well-formed, true, and what docs/monitoring.md and the dashboard say.

#include <cctype>
#include <chrono>
#include <fstream>
#include <set>
#include <sstream>

#include "gmock/gmock.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/integration/daemon_process.h"
#include "tests/integration/http_connection.h"
#include "tests/integration/ingest_call.h"
#include "tests/integration/messages.h"
#include "tests/integration/metrics_reading.h"
#include "tests/integration/watch_call.h"
#include "tests/support/paths.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::IsEmpty;

std::string FileText(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(SourceDir() / path).rdbuf();
  return text.str();
}

class MetricsTest : public ::testing::Test {
 protected:
  MetricsReading Metrics() {
    const HttpAnswer answer = HttpGet(daemon_.http_address(), "/metrics");
    EXPECT_EQ(answer.status, 200);
    return ReadMetrics(answer.body);
  }

  void Put(const std::vector<std::pair<std::string, std::string>>& ids_and_paths) {
    v1::PutRequest request;
    for (const auto& [id, path] : ids_and_paths) {
      *request.add_records() = RecordMessage(id, PathMessage(path));
    }
    v1::PutResponse response;
    ASSERT_TRUE(stub_->Put(NewContext().get(), request, &response).ok());
  }

  grpc::Status Search(const std::string& id, v1::SearchResponse& response) {
    v1::SearchRequest request;
    request.set_id(id);
    return stub_->Search(NewContext().get(), request, &response);
  }

  const TempDir dir_;
  DaemonProcess daemon_{dir_.Sub("d"), {"--http-listen", "0"}};
  const std::unique_ptr<v1::Index::Stub> stub_ = daemon_.NewStub();
};

TEST_F(MetricsTest, PageIsWhatPrometheusReads) {
  Put({{"a", "CCO"}, {"b", "CCN"}});
  v1::SearchResponse response;
  EXPECT_TRUE(Search("a", response).ok());
  EXPECT_FALSE(Search("none", response).ok());
  WatchCall watch(*stub_, WatchRequestFor("CCO"));
  const HttpAnswer answer = HttpGet(daemon_.http_address(), "/metrics");
  EXPECT_THAT(answer.headers, ::testing::HasSubstr("Content-Type: text/plain; version=0.0.4"));
  const MetricsReading metrics = ReadMetrics(answer.body);
  EXPECT_THAT(metrics.faults, IsEmpty());
  EXPECT_GT(metrics.families.size(), 40u);
}

TEST_F(MetricsTest, TheCheckOfThePageFindsFaults) {
  const std::string good = "# HELP a_total A.\n# TYPE a_total counter\na_total{x=\"1\"} 2\n";
  EXPECT_THAT(ReadMetrics(good).faults, IsEmpty());
  for (const char* bad : {
           "a_total 1\n",                                                      // No HELP, no TYPE.
           "# HELP a A.\n# TYPE a counter\na 1\n",                             // No _total.
           "# HELP a A.\n# TYPE a gauge\na 1\na 1\n",                          // Twice.
           "# HELP a A.\n# TYPE a gauge\na 1\n# HELP a A.\n# TYPE a gauge\n",  // Family twice.
           "# HELP a A.\n# TYPE a gauge\nb 1\n",                               // Of another family.
           "# HELP a A.\n# TYPE a gauge\na{x=1} 1\n",                          // No quotes.
           "# HELP a A.\n# TYPE a gauge\na one\n",                             // No number.
           "# HELP a A.\n# TYPE a gauge\na 1",                                 // No end.
           "# HELP a A.\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count "
           "1\n",
           "# HELP a A.\n# TYPE a histogram\na_bucket{le=\"+Inf\"} 2\na_sum 1\na_count 1\n",
       }) {
    EXPECT_THAT(ReadMetrics(bad).faults, ::testing::Not(IsEmpty())) << bad;
  }
}

TEST_F(MetricsTest, CountCallsByMethodAndCode) {
  Put({{"a", "CCO"}});
  v1::SearchResponse response;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(Search("a", response).ok());
  }
  EXPECT_EQ(Search("none", response).error_code(), grpc::StatusCode::NOT_FOUND);
  const auto health = grpc::health::v1::Health::NewStub(daemon_.NewChannel());
  grpc::health::v1::HealthCheckResponse state;
  EXPECT_TRUE(health->Check(NewContext().get(), {}, &state).ok());
  EXPECT_TRUE(RunIngest(daemon_, {}, {}).status.ok());

  auto values = Metrics().values;
  const std::string search = "{method=\"kindred.v1.Index/Search\"";
  EXPECT_EQ(values["kindred_rpc_started_total" + search + "}"], 4);
  EXPECT_EQ(values["kindred_rpc_in_flight" + search + "}"], 0);
  EXPECT_EQ(values["kindred_rpc_handled_total" + search + ",code=\"OK\"}"], 3);
  EXPECT_EQ(values["kindred_rpc_handled_total" + search + ",code=\"NOT_FOUND\"}"], 1);
  EXPECT_EQ(values["kindred_rpc_seconds_count" + search + ",code=\"OK\"}"], 3);
  EXPECT_GT(values["kindred_rpc_seconds_sum" + search + ",code=\"OK\"}"], 0);
  EXPECT_EQ(values["kindred_rpc_handled_total{method=\"grpc.health.v1.Health/Check\",code=\"OK\"}"], 1);
  EXPECT_EQ(values["kindred_rpc_handled_total{method=\"kindred.v1.Index/Ingest\",code=\"OK\"}"], 1);
}

TEST_F(MetricsTest, CountAStreamUnderWayAndItsEnd) {
  const auto context = NewContext();
  const auto stream = stub_->SearchStream(context.get());
  v1::SearchRequest request;
  *request.mutable_graph() = PathMessage("CC");
  v1::SearchStreamResponse answer;
  ASSERT_TRUE(stream->Write(request) && stream->Read(&answer));
  const std::string method = "{method=\"kindred.v1.Index/SearchStream\"";
  EXPECT_EQ(Metrics().values["kindred_rpc_in_flight" + method + "}"], 1);
  stream->WritesDone();
  EXPECT_TRUE(stream->Finish().ok());
  auto values = Metrics().values;
  EXPECT_EQ(values["kindred_rpc_in_flight" + method + "}"], 0);
  EXPECT_EQ(values["kindred_rpc_handled_total" + method + ",code=\"OK\"}"], 1);
  EXPECT_EQ(values["kindred_search_seconds_count"], 1) << "searches of streams count as well";
}

TEST_F(MetricsTest, CountCallsThatTheClientGaveUp) {
  const auto context = NewContext();
  const auto stream = stub_->SearchStream(context.get());
  v1::SearchRequest request;
  *request.mutable_graph() = PathMessage("CC");
  v1::SearchStreamResponse answer;
  ASSERT_TRUE(stream->Write(request) && stream->Read(&answer));
  context->TryCancel();
  stream->Finish();
  // The daemon hears of it a little later.
  const std::string ended = "kindred_rpc_handled_total{method=\"kindred.v1.Index/SearchStream\",code=";
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  for (double count = 0; count != 1;) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    auto values = Metrics().values;
    ASSERT_FALSE(values.contains(ended + "\"OK\"}")) << "nothing was delivered";
    count = values[ended + "\"CANCELLED\"}"];
  }
  EXPECT_EQ(Metrics().values["kindred_rpc_in_flight{method=\"kindred.v1.Index/SearchStream\"}"], 0);
}

TEST_F(MetricsTest, TellWhatSearchesCostAndWritesDid) {
  Put({{"a", "CCO"}, {"b", "CCN"}, {"c", "CNO"}});
  Put({{"a", "CCC"}});
  v1::PutRequest bad;
  *bad.add_records() = RecordMessage("", PathMessage("C"));
  v1::PutResponse rejected;
  EXPECT_TRUE(stub_->Put(NewContext().get(), bad, &rejected).ok());
  v1::SearchResponse first;
  v1::SearchResponse second;
  ASSERT_TRUE(Search("a", first).ok() && Search("b", second).ok());

  auto values = Metrics().values;
  EXPECT_EQ(values["kindred_writes_total{outcome=\"inserted\"}"], 3);
  EXPECT_EQ(values["kindred_writes_total{outcome=\"replaced\"}"], 1);
  EXPECT_EQ(values["kindred_writes_total{outcome=\"rejected\"}"], 1);
  EXPECT_EQ(values["kindred_commit_seconds_count"], 3);
  EXPECT_EQ(values["kindred_commit_writes_sum"], 5);
  EXPECT_GE(values["kindred_commit_seconds_sum"], values["kindred_commit_storing_seconds_sum"]);
  EXPECT_GT(values["kindred_committed_bytes_total"], 0);
  EXPECT_GT(values["kindred_wal_bytes"], 0);
  EXPECT_EQ(values["kindred_search_seconds_count"], 2);
  EXPECT_EQ(values["kindred_search_postings_read_sum"],
            first.stats().postings_read() + second.stats().postings_read());
  EXPECT_EQ(values["kindred_search_candidates_sum"],
            first.stats().candidates() + second.stats().candidates());
  EXPECT_EQ(values["kindred_graphs"], 3);
  EXPECT_EQ(values["kindred_ready"], 1);
  v1::StatsResponse stats;
  ASSERT_TRUE(stub_->Stats(NewContext().get(), {}, &stats).ok());
  EXPECT_EQ(stats.writes(), 4);
  EXPECT_EQ(stats.searches(), 2);
  EXPECT_EQ(stats.postings_read(), first.stats().postings_read() + second.stats().postings_read());
  for (const auto& level : stats.levels()) {
    EXPECT_EQ(values["kindred_colours{level=\"" + std::to_string(level.level()) + "\"}"], level.colours());
  }
}

TEST_F(MetricsTest, AreThoseThatTheDocumentationLists) {
  Put({{"a", "CCO"}});
  std::map<std::string, std::string> documented;  // Name and kind, of the rows | `name` | kind | ...
  std::istringstream lines(FileText("docs/monitoring.md"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| `kindred_") || line.starts_with("| `process_")) {
      const size_t end = line.find('`', 3);
      const size_t kind = line.find("| ", end) + 2;
      documented.emplace(line.substr(3, end - 3), line.substr(kind, line.find(' ', kind) - kind));
    }
  }
  std::erase_if(documented,
                [](const auto& row) { return row.first.find(' ') != std::string::npos; });  // Alerts.
  std::map<std::string, std::string> printed;
  for (const auto& [name, family] : Metrics().families) {
    printed.emplace(name, family.type);
  }
  EXPECT_EQ(printed, documented);
}

TEST_F(MetricsTest, AreThereForEveryPanelOfTheDashboard) {
  const auto dashboard = nlohmann::json::parse(FileText("packaging/grafana/kindred.json"));
  const auto families = Metrics().families;
  int named = 0;
  for (const auto& panel : dashboard["panels"]) {
    for (const auto& target : panel["targets"]) {
      const std::string expression = target["expr"];
      for (size_t at = 0; at < expression.size(); ++at) {
        const size_t begin = at;
        while (at < expression.size() &&
               (std::isalnum(static_cast<unsigned char>(expression[at])) != 0 || expression[at] == '_')) {
          ++at;
        }
        std::string name = expression.substr(begin, at - begin);
        if (!name.starts_with("kindred_") && !name.starts_with("process_")) {
          continue;
        }
        ++named;
        for (const char* suffix : {"_bucket", "_sum", "_count"}) {
          if (!families.contains(name) && name.ends_with(suffix)) {
            name.resize(name.size() - std::string(suffix).size());
          }
        }
        EXPECT_TRUE(families.contains(name)) << panel["title"] << " shows " << name;
      }
    }
  }
  EXPECT_GT(named, 30);
}

}  // namespace
}  // namespace kindred::test
