// The search stream against a daemon that answers late, wrongly, or dies.

#include "client/search_stream.h"

#include <atomic>
#include <future>
#include <thread>

#include "client/client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/client/fake_index.h"

namespace kindred::client {
namespace {

using testing::AnyOf;
using testing::ElementsAre;

v1::SearchRequest Question(const std::string& id) {
  v1::SearchRequest request;
  request.set_id(id);
  return request;
}

// The answer to question `index`: one hit, which is what was asked for.
v1::SearchStreamResponse Echo(uint64_t index, const v1::SearchRequest& request) {
  v1::SearchStreamResponse answer;
  answer.set_index(index);
  answer.mutable_response()->add_hits()->set_id(request.id());
  return answer;
}

class SearchStreamTest : public testing::Test {
 protected:
  std::unique_ptr<SearchStream> Open(size_t in_flight_max = 64,
                                     std::chrono::milliseconds timeout = std::chrono::seconds(60)) {
    ClientOptions options;
    options.stream_timeout = timeout;
    return (*Client::Create(server_.address(), options))->SearchMany({in_flight_max});
  }

  // Notes each answer: the id of its hit, or its message.
  SearchStream::OnAnswer Note() {
    return [this](const absl::StatusOr<v1::SearchResponse>& answer) {
      answers_.push_back(answer.ok() ? answer->hits(0).id() : std::string(answer.status().message()));
      return absl::OkStatus();
    };
  }

  FakeServer server_;
  std::vector<std::string> answers_;
};

TEST_F(SearchStreamTest, GivesEachQuestionItsAnswerInOrder) {
  server_.index.search = [](const v1::SearchRequest& request, v1::SearchResponse& response) {
    response.add_hits()->set_id(request.id());
    return grpc::Status::OK;
  };
  const auto stream = Open();
  std::vector<std::string> asked;
  for (int i = 0; i < 500; ++i) {
    asked.push_back(std::to_string(i));
    ASSERT_TRUE(stream->Ask(Question(asked.back()), Note()).ok());
  }
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(answers_, asked);
  EXPECT_EQ(stream->Finish().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(stream->Ask(Question("late"), Note()).code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(SearchStreamTest, ARefusedQuestionHasItsOwnStatusAndTheOthersGoOn) {
  server_.index.search = [](const v1::SearchRequest& request, v1::SearchResponse& response) {
    response.add_hits()->set_id(request.id());
    return request.id() == "bad" ? grpc::Status(grpc::StatusCode::NOT_FOUND, "no such graph")
                                 : grpc::Status::OK;
  };
  const auto stream = Open();
  absl::Status refused;
  ASSERT_TRUE(stream->Ask(Question("a"), Note()).ok());
  ASSERT_TRUE(stream
                  ->Ask(Question("bad"),
                        [&](const absl::StatusOr<v1::SearchResponse>& answer) {
                          refused = answer.status();
                          return absl::OkStatus();
                        })
                  .ok());
  ASSERT_TRUE(stream->Ask(Question("b"), Note()).ok());
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(refused, absl::NotFoundError("no such graph"));
  EXPECT_THAT(answers_, ElementsAre("a", "b"));
}

TEST_F(SearchStreamTest, AStreamWithoutQuestionsIsFine) {
  server_.index.search = [](const v1::SearchRequest&, v1::SearchResponse&) { return grpc::Status::OK; };
  const auto stream = Open();
  EXPECT_TRUE(stream->Settle().ok());
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(SearchStreamTest, KeepsNoMoreThanItMayInFlight) {
  constexpr uint64_t kInFlight = 3;
  constexpr uint64_t kQuestions = 10;
  std::atomic<uint64_t> asked{0};
  std::atomic<uint64_t> answered{0};
  uint64_t most = 0;
  server_.index.search_stream = [&](FakeIndex::SearchCall& call) {
    v1::SearchRequest request;
    std::vector<v1::SearchRequest> unanswered;
    while (call.Read(&request)) {
      unanswered.push_back(request);
      if (unanswered.size() < kInFlight) {
        continue;
      }
      // One more would come now, if ever.
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      most = std::max<uint64_t>(most, asked - answered);
      for (const v1::SearchRequest& question : unanswered) {
        call.Write(Echo(answered++, question));
      }
      unanswered.clear();
    }
    for (const v1::SearchRequest& question : unanswered) {
      call.Write(Echo(answered++, question));
    }
    return grpc::Status::OK;
  };
  const auto stream = Open(kInFlight);
  for (; asked < kQuestions; ++asked) {
    ASSERT_TRUE(stream->Ask(Question("q"), Note()).ok());
  }
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(most, kInFlight);
  EXPECT_EQ(answers_.size(), kQuestions);
}

TEST_F(SearchStreamTest, SettlesWhenEverythingAskedIsAnswered) {
  server_.index.search = [](const v1::SearchRequest& request, v1::SearchResponse& response) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    response.add_hits()->set_id(request.id());
    return grpc::Status::OK;
  };
  const auto stream = Open();
  for (size_t i = 1; i <= 5; ++i) {
    ASSERT_TRUE(stream->Ask(Question("a"), Note()).ok());
    ASSERT_TRUE(stream->Ask(Question("b"), Note()).ok());
    ASSERT_TRUE(stream->Settle().ok());
    EXPECT_EQ(answers_.size(), 2 * i);
  }
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(SearchStreamTest, ACallbackThatWantsNoMoreEndsTheStream) {
  server_.index.search = [](const v1::SearchRequest&, v1::SearchResponse&) { return grpc::Status::OK; };
  const auto stream = Open(2);
  int answers = 0;
  absl::Status status;
  while (status.ok()) {
    status = stream->Ask(Question("q"), [&](const absl::StatusOr<v1::SearchResponse>&) {
      return ++answers == 7 ? absl::OutOfRangeError("enough") : absl::OkStatus();
    });
  }
  EXPECT_EQ(status, absl::OutOfRangeError("enough"));
  EXPECT_EQ(stream->Settle(), absl::OutOfRangeError("enough"));
  EXPECT_EQ(stream->Finish(), absl::OutOfRangeError("enough"));
  EXPECT_EQ(answers, 7);
}

TEST_F(SearchStreamTest, TellsWhenTheDaemonGoesInTheMiddle) {
  server_.index.search_stream = [](FakeIndex::SearchCall& call) {
    v1::SearchRequest request;
    for (uint64_t index = 0; index < 2 && call.Read(&request); ++index) {
      call.Write(Echo(index, request));
    }
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "kindredd is stopping");
  };
  const auto stream = Open(4);
  absl::Status status;
  while (status.ok()) {
    status = stream->Ask(Question("q"), Note());
  }
  EXPECT_EQ(status, absl::UnavailableError("kindredd is stopping"));
  EXPECT_EQ(stream->Finish(), absl::UnavailableError("kindredd is stopping"));
  EXPECT_THAT(answers_, ElementsAre("q", "q"));
}

TEST_F(SearchStreamTest, TellsWhenTheConnectionBreaksOrNeverWas) {
  server_.index.search_stream = [](FakeIndex::SearchCall& call) {
    for (v1::SearchRequest request; call.Read(&request);) {
    }
    return grpc::Status::OK;
  };
  const auto stream = Open();
  ASSERT_TRUE(stream->Ask(Question("q"), Note()).ok());
  server_.Stop();
  // gRPC cancels the call, then closes the connection; which of them the client sees first is open.
  const absl::StatusCode code = stream->Settle().code();
  EXPECT_THAT(code, AnyOf(absl::StatusCode::kUnavailable, absl::StatusCode::kCancelled));
  EXPECT_EQ(stream->Finish().code(), code);
  EXPECT_EQ(Open()->Ask(Question("q"), Note()).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(Open()->Finish().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(answers_, ElementsAre());
}

TEST_F(SearchStreamTest, RefusesAnswersThatFitNoQuestion) {
  v1::SearchStreamResponse answer = Echo(1, Question("the first is 0"));
  server_.index.search_stream = [&](FakeIndex::SearchCall& call) {
    v1::SearchRequest request;
    call.Read(&request);
    call.Write(answer);
    while (call.Read(&request)) {
    }
    return grpc::Status::OK;
  };
  for (const bool empty : {false, true}) {
    const auto stream = Open();
    ASSERT_TRUE(stream->Ask(Question("q"), Note()).ok());
    EXPECT_EQ(stream->Finish().code(), absl::StatusCode::kInternal) << empty;
    answer.Clear();  // Index 0, but neither an answer nor an error.
  }
  EXPECT_THAT(answers_, ElementsAre());
}

TEST_F(SearchStreamTest, AnEndWithQuestionsLeftIsNoSuccess) {
  server_.index.search_stream = [](FakeIndex::SearchCall& call) {
    v1::SearchRequest request;
    call.Read(&request);
    return grpc::Status::OK;
  };
  const auto stream = Open();
  ASSERT_TRUE(stream->Ask(Question("q"), Note()).ok());
  EXPECT_EQ(stream->Finish(), absl::AbortedError("the daemon ended the stream with 1 searches not answered"));
}

TEST_F(SearchStreamTest, HasADeadlineAndCanBeCancelledOrGivenUp) {
  std::atomic<int> asked{0};
  std::atomic<int> ended{0};
  server_.index.search_stream = [&](FakeIndex::SearchCall& call) {
    for (v1::SearchRequest request; call.Read(&request);) {
      ++asked;
    }
    ++ended;
    return grpc::Status::OK;
  };
  const auto wait_for = [](const std::atomic<int>& count, int value) {
    for (int i = 0; i < 6000 && count < value; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return count.load();
  };
  const auto late = Open(1, std::chrono::milliseconds(500));
  ASSERT_TRUE(late->Ask(Question("q"), Note()).ok());
  EXPECT_EQ(late->Ask(Question("q"), Note()).code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(wait_for(ended, 1), 1);

  const auto cancelled = Open(1);
  ASSERT_TRUE(cancelled->Ask(Question("q"), Note()).ok());
  auto blocked = std::async(std::launch::async, [&] { return cancelled->Ask(Question("q"), Note()).code(); });
  EXPECT_EQ(wait_for(asked, 2), 2);  // A call cancelled before the daemon has it would never be its own.
  cancelled->Cancel();
  EXPECT_EQ(blocked.get(), absl::StatusCode::kCancelled);
  EXPECT_EQ(wait_for(ended, 2), 2);

  auto given_up = Open();
  ASSERT_TRUE(given_up->Ask(Question("q"), Note()).ok());
  EXPECT_EQ(wait_for(asked, 3), 3);
  given_up = nullptr;
  EXPECT_EQ(wait_for(ended, 3), 3);
}

}  // namespace
}  // namespace kindred::client
