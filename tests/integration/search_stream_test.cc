// The SearchStream call: order, errors of single searches, backpressure, ends.

#include <csignal>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class SearchStreamTest : public ::testing::Test {
 protected:
  using Stream = grpc::ClientReaderWriter<v1::SearchRequest, v1::SearchStreamResponse>;

  void Start(const std::vector<std::string>& flags = {}) {
    daemon_ = std::make_unique<DaemonProcess>(dir_.Sub("d"), flags);
    stub_ = daemon_->NewStub();
  }

  // Stores more random trees, under ids of so many bytes.
  void PutTrees(int count, size_t id_bytes = 8) {
    v1::PutRequest request;
    for (int i = 0; i < count; ++i) {
      std::string id = std::to_string(stored_++);
      id.insert(0, id_bytes - id.size(), 'g');
      *request.add_records() = RecordMessage(id, RandomTreeMessage(rng_));
    }
    v1::PutResponse response;
    const grpc::Status status = stub_->Put(NewContext().get(), request, &response);
    ASSERT_TRUE(status.ok()) << status.error_code() << ": " << status.error_message();
  }

  v1::SearchRequest RandomQuery() {
    v1::SearchRequest request;
    *request.mutable_graph() = RandomTreeMessage(rng_);
    request.set_k(static_cast<uint32_t>(1 + rng_() % 30));
    request.set_measure(static_cast<v1::Measure>(1 + rng_() % 3));
    return request;
  }

  // Without the stats, which tell of time.
  static std::string Text(v1::SearchResponse response) {
    response.clear_stats();
    return response.DebugString();
  }

  std::string Alone(const v1::SearchRequest& request) {
    v1::SearchResponse response;
    EXPECT_TRUE(stub_->Search(NewContext().get(), request, &response).ok());
    return Text(response);
  }

  const TempDir dir_;
  std::mt19937_64 rng_{11};
  uint64_t stored_ = 0;
  std::unique_ptr<DaemonProcess> daemon_;
  std::unique_ptr<v1::Index::Stub> stub_;
};

TEST_F(SearchStreamTest, AnswersInOrderWhatSearchWouldAnswer) {
  Start({"--threads", "4"});
  PutTrees(2000);
  constexpr uint64_t kQueries = 300;
  std::vector<v1::SearchRequest> queries;
  const auto context = NewContext();
  const auto stream = stub_->SearchStream(context.get());
  for (uint64_t i = 0; i < kQueries; ++i) {
    queries.push_back(RandomQuery());
    queries.back().set_threads(static_cast<uint32_t>(i % 4));
    ASSERT_TRUE(stream->Write(queries.back()));
  }
  stream->WritesDone();
  v1::SearchStreamResponse answer;
  for (uint64_t i = 0; i < kQueries; ++i) {
    ASSERT_TRUE(stream->Read(&answer));
    EXPECT_EQ(answer.index(), i);
    EXPECT_EQ(Text(answer.response()), Alone(queries[i])) << "query " << i;
  }
  EXPECT_FALSE(stream->Read(&answer));
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(SearchStreamTest, ABadQueryHasAnErrorOfItsOwn) {
  Start();
  PutTrees(3);
  v1::SearchRequest self_loop;
  *self_loop.mutable_graph() = GraphMessage("C", {{0, 0}});
  v1::SearchRequest stranger;
  stranger.set_id("nobody");
  const auto context = NewContext();
  const auto stream = stub_->SearchStream(context.get());
  for (const v1::SearchRequest& request : {RandomQuery(), self_loop, stranger, v1::SearchRequest()}) {
    ASSERT_TRUE(stream->Write(request));
  }
  ASSERT_TRUE(stream->Write(RandomQuery()));
  stream->WritesDone();
  std::vector<v1::SearchStreamResponse> answers;
  for (v1::SearchStreamResponse answer; stream->Read(&answer);) {
    answers.push_back(answer);
  }
  EXPECT_TRUE(stream->Finish().ok());
  ASSERT_EQ(answers.size(), 5);
  EXPECT_TRUE(answers[0].has_response());
  EXPECT_EQ(answers[1].error().code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(answers[1].error().message(), StartsWith("graph.edges[0]: joins vertex 0 to itself"));
  EXPECT_EQ(answers[2].error().code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_THAT(answers[2].error().message(), HasSubstr("'nobody'"));
  EXPECT_EQ(answers[3].error().code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_TRUE(answers[4].has_response());
}

// The answers are larger than what gRPC sends to a client that does not read. So the first is being written,
// and the daemon reads until it holds `search_stream_max` with that one. A graph stored then is seen by the
// searches that were read later, and by none before.
TEST_F(SearchStreamTest, PausesReadingAtItsLimit) {
  constexpr uint64_t kHeld = 3;
  constexpr uint32_t kHits = 24'000;  // Of 500 bytes: 12 MB an answer, as in UnreadExport.
  Start({"--search-stream-max", std::to_string(kHeld), "--k-max", std::to_string(kHits)});
  for (int i = 0; i < 3; ++i) {
    PutTrees(kHits / 3, 500);
  }
  v1::SearchRequest query = RandomQuery();
  query.set_k(kHits);
  const auto context = NewContext();
  const auto stream = stub_->SearchStream(context.get());
  constexpr uint64_t kQueries = 6;
  for (uint64_t i = 0; i < kQueries; ++i) {
    ASSERT_TRUE(stream->Write(query));
  }
  stream->WritesDone();
  stream->WaitForInitialMetadata();  // It goes out with the first answer.
  std::this_thread::sleep_for(std::chrono::seconds(1));
  PutTrees(1);
  uint64_t before = 0;
  uint64_t answers = 0;
  for (v1::SearchStreamResponse answer; stream->Read(&answer); ++answers) {
    EXPECT_EQ(answer.response().hits_size(), static_cast<int>(kHits));
    before += answer.response().sequence() == kHits ? 1 : 0;
  }
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(answers, kQueries);
  EXPECT_EQ(before, kHeld);
}

TEST_F(SearchStreamTest, AnswersOneAtATimeWhenMoreAreNotAllowed) {
  Start({"--search-stream-max", "1", "--search-queue-max", "1"});
  PutTrees(10);
  const auto context = NewContext();
  const auto stream = stub_->SearchStream(context.get());
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(stream->Write(RandomQuery()));
  }
  stream->WritesDone();
  int answers = 0;
  for (v1::SearchStreamResponse answer; stream->Read(&answer); ++answers) {
    EXPECT_TRUE(answer.has_response()) << answer.error().message();
  }
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(answers, 100);
}

// A stream waits for its own searches, not in the queue that others would be refused at.
TEST_F(SearchStreamTest, ManyQuestionsDoNotFillTheQueueOfOthers) {
  Start({"--threads", "1", "--search-queue-max", "2"});
  PutTrees(2000);
  v1::SearchRequest slow = RandomQuery();
  slow.set_mode(v1::SEARCH_MODE_EXHAUSTIVE);
  const auto context = NewContext();
  const auto stream = stub_->SearchStream(context.get());
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(stream->Write(slow));
  }
  stream->WritesDone();
  int refused = 0;
  for (int i = 0; i < 5; ++i) {
    v1::SearchResponse response;
    refused += stub_->Search(NewContext().get(), RandomQuery(), &response).ok() ? 0 : 1;
  }
  EXPECT_EQ(refused, 0);
  int answers = 0;
  for (v1::SearchStreamResponse answer; stream->Read(&answer); ++answers) {
    EXPECT_TRUE(answer.has_response()) << answer.error().message();
  }
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(answers, 60);
}

TEST_F(SearchStreamTest, EndsWhenTheDaemonStops) {
  Start();
  PutTrees(10);
  const auto context = NewContext();
  const auto stream = stub_->SearchStream(context.get());
  ASSERT_TRUE(stream->Write(RandomQuery()));
  v1::SearchStreamResponse answer;
  ASSERT_TRUE(stream->Read(&answer));
  EXPECT_EQ(daemon_->Stop(SIGTERM), 0);
  EXPECT_FALSE(stream->Read(&answer));
  const grpc::Status status = stream->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(status.error_message(), "kindredd is stopping");
}

// All was asked before the stop: it is answered, and the stop is no failure of it.
TEST_F(SearchStreamTest, AStopAnswersWhatWasAsked) {
  Start({"--threads", "1"});
  PutTrees(8000, 500);
  v1::SearchRequest query = RandomQuery();
  query.set_k(8000);
  const auto context = NewContext();
  const auto stream = stub_->SearchStream(context.get());
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(stream->Write(query));
  }
  stream->WritesDone();
  stream->WaitForInitialMetadata();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // For the daemon to read them all.
  ::kill(daemon_->pid(), SIGTERM);
  v1::StatsResponse stats;
  while (stub_->Stats(NewContext().get(), {}, &stats).ok()) {
  }
  int answers = 0;
  for (v1::SearchStreamResponse answer; stream->Read(&answer); ++answers) {
  }
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(answers, 5);
  EXPECT_EQ(daemon_->Wait(), 0);
}

TEST_F(SearchStreamTest, SurvivesClientsThatGoAway) {
  Start();
  PutTrees(500);
  for (int i = 0; i < 40; ++i) {
    const auto context = NewContext();
    const auto stream = stub_->SearchStream(context.get());
    for (int j = 0; j < 50; ++j) {
      v1::SearchRequest query = RandomQuery();
      query.set_mode(j % 2 == 0 ? v1::SEARCH_MODE_EXHAUSTIVE : v1::SEARCH_MODE_PRUNED);
      stream->Write(query);
    }
    v1::SearchStreamResponse answer;
    for (int j = 0; j < i % 3; ++j) {
      EXPECT_TRUE(stream->Read(&answer));
    }
    context->TryCancel();
    EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
  Alone(RandomQuery());
  EXPECT_EQ(daemon_->Stop(SIGTERM), 0) << "no stream is left that the stop would wait for";
}

}  // namespace
}  // namespace kindred::test
