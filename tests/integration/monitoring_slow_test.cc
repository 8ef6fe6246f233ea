// The log of slow queries, of questions that are no searches: each has its line, with what it cost and
// nothing of what was asked for.

#include <csignal>
#include <fstream>
#include <map>
#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kGraphs = 3'000;

class SlowQuestionTest : public ::testing::Test {
 protected:
  SlowQuestionTest() {
    v1::PutRequest put;
    for (int i = 0; i < kGraphs; ++i) {
      *put.add_records() = RecordMessage("id-of-" + std::to_string(i), RandomTreeMessage(rng_, 40));
    }
    v1::PutResponse stored;
    EXPECT_TRUE(stub_->Put(NewContext().get(), put, &stored).ok());
  }

  template <typename Reader, typename Message>
  static void ReadAll(Reader& reader, Message message) {
    while (reader.Read(&message)) {
    }
    EXPECT_TRUE(reader.Finish().ok());
  }

  // Stops the daemon; the lines of slow queries by method.
  std::multimap<std::string, json> Lines() {
    EXPECT_EQ(daemon_.Stop(SIGTERM), 0);
    std::multimap<std::string, json> lines;
    std::ifstream file(dir_.Sub("log"));
    for (std::string line; std::getline(file, line);) {
      EXPECT_THAT(line, Not(HasSubstr("id-of-")));
      if (json object = json::parse(line); object["message"] == "slow query") {
        const std::string method = object["method"];
        lines.emplace(method.substr(method.rfind('/') + 1), std::move(object));
      }
    }
    return lines;
  }

  std::mt19937_64 rng_{11};
  const TempDir dir_;
  DaemonProcess daemon_{dir_.Sub("d"),
                        {"--log-format", "json", "--slow-query-ms", "1"},
                        Surroundings{.log_path = dir_.Sub("log")}};
  const std::unique_ptr<v1::Index::Stub> stub_ = daemon_.NewStub();
};

TEST_F(SlowQuestionTest, HasALineOfItsOwn) {
  v1::RecommendRequest recommend;
  *recommend.add_liked()->mutable_graph()->mutable_graph() = RandomTreeMessage(rng_, 40);
  recommend.add_disliked()->mutable_graph()->set_id("id-of-3");
  recommend.set_mode(v1::SEARCH_MODE_EXHAUSTIVE);
  v1::RecommendResponse recommended;
  ASSERT_TRUE(stub_->Recommend(NewContext().get(), recommend, &recommended).ok());

  v1::ExplainRequest explain;
  *explain.mutable_a()->mutable_graph() = PathMessage(std::string(20'000, 'C'));
  *explain.mutable_b()->mutable_graph() = PathMessage(std::string(20'000, 'C'));
  v1::ExplainResponse explained;
  ASSERT_TRUE(stub_->Explain(NewContext().get(), explain, &explained).ok());

  v1::PairsRequest pairs;
  pairs.set_min_similarity(0.3);
  const auto pairs_context = NewContext();
  ReadAll(*stub_->Pairs(pairs_context.get(), pairs), v1::PairsResponse());
  v1::ClustersRequest clusters;
  *clusters.mutable_pairs() = pairs;
  const auto clusters_context = NewContext();
  ReadAll(*stub_->Clusters(clusters_context.get(), clusters), v1::ClustersResponse());
  v1::KernelRequest kernel;
  for (int i = 0; i < 300; ++i) {
    kernel.add_ids("id-of-" + std::to_string(i));
  }
  const auto kernel_context = NewContext();
  ReadAll(*stub_->Kernel(kernel_context.get(), kernel), v1::KernelRow());
  const auto export_context = NewContext();
  ReadAll(*stub_->Export(export_context.get(), {}), v1::ExportResponse());

  const auto between_context = NewContext();
  const auto between = stub_->PairsBetween(between_context.get());
  v1::PairsBetweenRequest open;
  *open.mutable_open() = pairs;
  v1::PairsBetweenRequest records;
  for (int i = 0; i < 100; ++i) {
    *records.add_records() = RecordMessage("new", RandomTreeMessage(rng_, 40));
  }
  ASSERT_TRUE(between->Write(open) && between->Write(records) && between->WritesDone());
  ReadAll(*between, v1::PairsResponse());

  v1::PutIfNovelRequest novel;
  novel.mutable_rule()->set_min_similarity(0.5);
  for (int i = 0; i < 200; ++i) {
    *novel.add_records() = RecordMessage("novel" + std::to_string(i), RandomTreeMessage(rng_, 40));
  }
  v1::PutIfNovelResponse put;
  ASSERT_TRUE(stub_->PutIfNovel(NewContext().get(), novel, &put).ok());

  const auto lines = Lines();
  const auto line_of = [&](const std::string& method) {
    EXPECT_EQ(lines.count(method), 1u) << method;
    const auto at = lines.find(method);
    const json line = at == lines.end() ? json::object() : at->second;
    EXPECT_EQ(line.value("code", ""), "OK") << method;
    EXPECT_GE(line.value("micros", 0), 1'000) << method;
    return line;
  };
  EXPECT_EQ(line_of("Recommend")["postings"], recommended.stats().postings_read());
  EXPECT_EQ(line_of("Recommend")["liked"], 1);
  EXPECT_EQ(line_of("Explain")["vertices_a"], 20'000);
  EXPECT_EQ(line_of("Pairs")["graphs_done"], kGraphs);
  EXPECT_GT(line_of("Clusters")["candidates"], 0);
  EXPECT_EQ(line_of("Kernel")["rows"], 300);
  EXPECT_EQ(line_of("Export")["records"], kGraphs);
  EXPECT_EQ(line_of("PairsBetween")["records"], 100);
  EXPECT_EQ(line_of("PutIfNovel")["records"], 200);
}

}  // namespace
}  // namespace kindred::test
