// Limits of a whole daemon: the time and memory of searches, the number of graphs, and graphs that are
// nothing but a burden. Those of graphs and records are in tests/integration/hostile_test.cc.

#include <chrono>
#include <string>

#include "daemon/request_budget.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::HasSubstr;

constexpr auto kOver = grpc::StatusCode::RESOURCE_EXHAUSTED;

TEST(RequestBudget, AtItsEdge) {
  daemon::RequestBudget budget;
  Limits limits;
  limits.search_queue_bytes_max = 1'024;
  {
    const auto first = budget.Take(1'000, limits);
    EXPECT_THAT(first, IsOk());
    EXPECT_THAT(budget.Take(24, limits), IsOk());
    EXPECT_THAT(budget.Take(25, limits),
                StatusIs(kResourceExhausted, "1025 is over the limit search_queue_bytes_max = 1024"));
    EXPECT_EQ(budget.used(), 1'000u) << "what was refused, or is done, takes nothing";
  }
  EXPECT_EQ(budget.used(), 0u);
  EXPECT_THAT(budget.Take(5'000, limits), IsOk()) << "alone it is taken, however large";
}

class LimitsTest : public ::testing::Test {
 protected:
  void Start(const std::vector<std::string>& flags) {
    daemon_ = std::make_unique<DaemonProcess>(dir_.Sub("d"), flags);
    stub_ = daemon_->NewStub();
  }

  v1::Outcome Put(const std::string& id, const v1::Graph& graph) {
    v1::PutRequest request;
    *request.add_records() = RecordMessage(id, graph);
    v1::PutResponse response;
    const grpc::Status status = stub_->Put(NewContext().get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.outcomes_size() == 1 ? response.outcomes(0) : v1::Outcome();
  }

  grpc::Status Search(const v1::SearchRequest& request) {
    v1::SearchResponse response;
    return stub_->Search(NewContext().get(), request, &response);
  }

  const TempDir dir_;
  std::unique_ptr<DaemonProcess> daemon_;
  std::unique_ptr<v1::Index::Stub> stub_;
};

TEST_F(LimitsTest, ASearchThatTakesTooLongIsToldTheLimit) {
  Start({"--search-millis-max", "1"});
  std::mt19937_64 rng(5);
  for (int batch = 0; batch < 4; ++batch) {
    v1::PutRequest request;
    for (int i = 0; i < 5'000; ++i) {
      *request.add_records() = RecordMessage(std::to_string(batch * 5'000 + i), RandomTreeMessage(rng, 12));
    }
    v1::PutResponse response;
    ASSERT_TRUE(stub_->Put(NewContext().get(), request, &response).ok());
  }
  v1::SearchRequest request;
  *request.mutable_graph() = PathMessage("CCNOCC");
  request.set_mode(
      v1::SEARCH_MODE_EXHAUSTIVE);  // Reads 20,000 histograms: no machine does that in a millisecond.
  const grpc::Status status = Search(request);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED) << status.error_message();
  EXPECT_THAT(status.error_message(), HasSubstr("search_millis_max = 1"));
  const auto context = NewContext();
  const auto stream = stub_->SearchStream(context.get());
  stream->Write(request);
  stream->WritesDone();
  v1::SearchStreamResponse answer;
  ASSERT_TRUE(stream->Read(&answer));
  EXPECT_THAT(answer.error().message(), HasSubstr("search_millis_max = 1"));
  EXPECT_FALSE(stream->Read(&answer));
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(LimitsTest, GraphsAtTheirEdge) {
  Start({"--graphs-max", "2"});
  EXPECT_EQ(Put("a", PathMessage("C")).kind(), v1::Outcome::INSERTED);
  EXPECT_EQ(Put("b", PathMessage("C")).kind(), v1::Outcome::INSERTED);
  const v1::Outcome outcome = Put("c", PathMessage("C"));
  EXPECT_EQ(outcome.code(), kOver);
  EXPECT_THAT(outcome.message(), HasSubstr("graphs_max = 2"));
  EXPECT_EQ(Put("a", PathMessage("CC")).kind(), v1::Outcome::REPLACED);
}

// What no index needs: every vertex with a label of its own.
v1::Graph ColourBomb(int labels) {
  v1::Graph graph;
  for (int i = 0; i < labels; ++i) {
    graph.add_labels("label " + std::to_string(i));
    graph.add_vertices(static_cast<uint32_t>(i));
  }
  return graph;
}

TEST_F(LimitsTest, AColourBombIsRefusedAndLeavesNothingBehind) {
  Start({});
  const v1::Outcome outcome = Put("bomb", ColourBomb(100'000));
  EXPECT_EQ(outcome.code(), kOver);
  EXPECT_THAT(outcome.message(), HasSubstr("labels: 100000 is over the limit labels_max = 4096"));
  v1::SearchRequest request;
  *request.mutable_graph() = ColourBomb(100'000);
  EXPECT_THAT(Search(request).error_message(), HasSubstr("labels_max = 4096"));
  v1::StatsResponse stats;
  ASSERT_TRUE(stub_->Stats(NewContext().get(), {}, &stats).ok());
  EXPECT_EQ(stats.labels(), 0u);
  EXPECT_EQ(stats.sequence(), 0u);
}

TEST_F(LimitsTest, LargeGraphsAreRefusedOneAndAll) {
  Start({});
  v1::Graph graph;
  graph.add_labels("C");
  for (int v = 0; v < 100'001; ++v) {
    graph.add_vertices(0);
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_THAT(Put(std::to_string(i), graph).message(),
                HasSubstr("vertices: 100001 is over the limit vertices_max = 100000"));
  }
  graph.mutable_vertices()->RemoveLast();
  for (uint32_t e = 0; e < 1'000'001; ++e) {
    graph.add_edges(e % 100'000);
    graph.add_edges((e / 100'000 + e + 1) % 100'000);
  }
  EXPECT_THAT(Put("edges", graph).message(),
              HasSubstr("edges: 1000001 is over the limit edges_max = 1000000"));
}

// Two searches at once, whose graphs together are too much: one of them is refused, or they did not meet.
TEST_F(LimitsTest, QueriesThatTakeTooMuchMemoryTogetherAreRefused) {
  Start({"--search-queue-bytes-max", "4096"});
  v1::SearchRequest request;
  *request.mutable_graph() = PathMessage(std::string(2'000, 'C'));
  EXPECT_TRUE(Search(request).ok()) << "alone it is taken";
  const auto context = NewContext();
  const auto stream = stub_->SearchStream(context.get());
  int answered = 0;
  const auto count = [&](const v1::SearchStreamResponse& answer) {
    answered += answer.has_response() ? 1 : 0;
    if (answer.has_error()) {
      EXPECT_EQ(answer.error().code(), kOver);
      EXPECT_THAT(answer.error().message(), HasSubstr("search_queue_bytes_max = 4096"));
    }
  };
  // What the call before took may be counted a moment longer than its client waits.
  v1::SearchStreamResponse answer;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (answered == 0 && std::chrono::steady_clock::now() < deadline) {
    ASSERT_TRUE(stream->Write(request) && stream->Read(&answer));
    count(answer);
  }
  for (int i = 0; i < 50; ++i) {
    stream->Write(request);
  }
  stream->WritesDone();
  while (stream->Read(&answer)) {
    count(answer);
  }
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_GT(answered, 0);
}

// A stream of answers whose client does not read keeps its request, and the request its share of the memory.
TEST_F(LimitsTest, TheRequestOfAStreamTakesItsShareUntilTheStreamEnds) {
  Start({"--search-queue-bytes-max", "4096"});
  v1::PutRequest put;
  v1::KernelRequest request;
  for (int i = 0; i < 1'000; ++i) {
    const std::string id = "the graph number " + std::to_string(i);
    *put.add_records() = RecordMessage(id, PathMessage("CN"));
    request.add_ids(id);
  }
  v1::PutResponse stored;
  ASSERT_TRUE(stub_->Put(NewContext().get(), put, &stored).ok());
  // Until a stream is let in; what the call before took may be counted a moment longer than its client waits.
  std::unique_ptr<grpc::ClientContext> context;
  std::unique_ptr<grpc::ClientReader<v1::KernelRow>> unread;
  v1::KernelRow row;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  do {
    context = NewContext();
    unread = stub_->Kernel(context.get(), request);
  } while (!unread->Read(&row) && !unread->Finish().ok() && std::chrono::steady_clock::now() < deadline);
  ASSERT_EQ(row.values_size(), 1'000);

  const auto context_refused = NewContext();
  const auto refused = stub_->Kernel(context_refused.get(), request);
  EXPECT_FALSE(refused->Read(&row));
  const grpc::Status status = refused->Finish();
  EXPECT_EQ(status.error_code(), kOver);
  EXPECT_THAT(status.error_message(), HasSubstr("search_queue_bytes_max = 4096"));

  int rows = 1;
  while (unread->Read(&row)) {
    ++rows;
  }
  EXPECT_TRUE(unread->Finish().ok());
  EXPECT_EQ(rows, 1'000);
}

}  // namespace
}  // namespace kindred::test
