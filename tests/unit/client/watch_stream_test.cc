// A watch of the client library against a daemon that breaks off where a test wants it to.

#include "client/watch_stream.h"

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "client/client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/client/fake_index.h"
#include "tests/unit/client/fake_watch.h"

namespace kindred::client {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Writer = grpc::ServerWriter<v1::WatchResponse>;

constexpr milliseconds kLong{60'000};

// Each call to the daemon runs the next of its scripts; what was asked is kept.
class WatchStreamTest : public testing::Test {
 protected:
  using Script = std::function<grpc::Status(Writer&)>;

  void Answer(std::vector<Script> scripts) {
    scripts_ = std::move(scripts);
    server_.index.watch = [this](const v1::WatchRequest& request, Writer& writer) {
      Script script;
      {
        const std::scoped_lock lock(mutex_);
        asked_.push_back(request);
        if (asked_.size() > scripts_.size()) {
          return grpc::Status(grpc::StatusCode::INTERNAL, "no script is left");
        }
        script = scripts_[asked_.size() - 1];
      }
      return script(writer);
    };
  }

  static Script Say(std::vector<v1::WatchResponse> messages, grpc::StatusCode end) {
    return [=](Writer& writer) {
      for (const v1::WatchResponse& message : messages) {
        writer.Write(message);
      }
      return grpc::Status(end, end == grpc::StatusCode::OK ? "" : "as the test wants it");
    };
  }

  absl::StatusOr<std::unique_ptr<WatchStream>> Open(const v1::WatchRequest& request,
                                                    const WatchOptions& options = {}) {
    client_ = *Client::Create(server_.address());
    return client_->Watch(request, options);
  }

  // Everything it tells until it ends, as "sequence:id:query", and positions as "=sequence".
  std::vector<std::string> TakeAll(WatchStream& watch, absl::Status* end) {
    std::vector<std::string> told;
    while (true) {
      const auto message = watch.Next(kLong);
      if (!message.ok()) {
        *end = message.status();
        return told;
      }
      EXPECT_TRUE(message->has_value());
      for (const auto& match : (*message)->matches()) {
        told.push_back(std::to_string(match.sequence()) + ":" + match.id() + ":" + match.query());
      }
      told.push_back("=" + std::to_string((*message)->sequence()));
      EXPECT_EQ(watch.position(), (*message)->sequence());
    }
  }

  std::vector<v1::WatchRequest> asked() {
    const std::scoped_lock lock(mutex_);
    return asked_;
  }

  FakeServer server_;
  std::unique_ptr<Client> client_;
  std::mutex mutex_;
  std::vector<Script> scripts_;
  std::vector<v1::WatchRequest> asked_;
};

TEST_F(WatchStreamTest, GoesOnBehindTheLastMessageAfterALoss) {
  Answer({Say({WatchMessage(10), WatchMessage(12, {{11, "a", "p"}, {12, "b", "q"}})},
              grpc::StatusCode::UNAVAILABLE),
          Say({}, grpc::StatusCode::UNAVAILABLE),
          Say({WatchMessage(12), WatchMessage(14, {{14, "c", "p"}})}, grpc::StatusCode::DATA_LOSS)});
  std::vector<int> attempts;
  WatchOptions options;
  options.on_connection = [&](const WatchConnectionChange& change) {
    EXPECT_EQ(change.position, 12u);
    attempts.push_back(change.attempt);
  };
  const auto watch = Open(WatchFor({"p", "q"}), options);
  ASSERT_TRUE(watch.ok()) << watch.status();
  absl::Status end;
  EXPECT_THAT(TakeAll(**watch, &end), ElementsAre("=10", "11:a:p", "12:b:q", "=12", "=12", "14:c:p", "=14"));
  EXPECT_EQ(end.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ((*watch)->Next(kLong).status(), end) << "an end is final";
  ASSERT_EQ(asked().size(), 3u);
  EXPECT_FALSE(asked()[0].has_after_sequence());
  EXPECT_EQ(asked()[1].after_sequence(), 12u);
  EXPECT_EQ(asked()[2].after_sequence(), 12u);
  EXPECT_THAT(attempts, ElementsAre(1, 2, 0));
}

TEST_F(WatchStreamTest, MatchesOfOneCommitInTwoMessagesComeOnceEach) {
  // Commit 11 is cut after its first two matches, and told again from its beginning.
  Answer({Say({WatchMessage(10), WatchMessage(10, {{11, "a", "p"}, {11, "a", "q"}}, 1)},
              grpc::StatusCode::UNAVAILABLE),
          Say({WatchMessage(10), WatchMessage(10, {{11, "a", "p"}}, 1),
               WatchMessage(12, {{11, "a", "q"}, {11, "a", "r"}, {12, "b", "p"}})},
              grpc::StatusCode::INTERNAL)});
  const auto watch = Open(WatchFor({"p", "q", "r"}));
  ASSERT_TRUE(watch.ok()) << watch.status();
  absl::Status end;
  EXPECT_THAT(TakeAll(**watch, &end),
              ElementsAre("=10", "11:a:p", "11:a:q", "=10", "=10", "=10", "11:a:r", "12:b:p", "=12"));
}

TEST_F(WatchStreamTest, AFailureBeforeTheFirstMessageIsFinal) {
  Answer({Say({}, grpc::StatusCode::UNAVAILABLE)});
  EXPECT_EQ(Open(WatchFor({"p"})).status().code(), absl::StatusCode::kUnavailable);
  Answer({Say({}, grpc::StatusCode::OUT_OF_RANGE)});
  asked_.clear();
  EXPECT_EQ(Open(WatchFor({"p"})).status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ((*Client::Create(DeadAddress()))->Watch(WatchFor({"p"})).status().code(),
            absl::StatusCode::kUnavailable);
}

TEST_F(WatchStreamTest, GivesUpWhenTheDaemonStaysAway) {
  Answer({Say({WatchMessage(3)}, grpc::StatusCode::UNAVAILABLE)});
  WatchOptions options;
  options.reconnect_for = milliseconds(0);
  absl::Status end;
  const auto once = Open(WatchFor({"p"}), options);
  ASSERT_TRUE(once.ok()) << once.status();
  EXPECT_THAT(TakeAll(**once, &end), ElementsAre("=3"));
  EXPECT_EQ(end.code(), absl::StatusCode::kUnavailable);

  asked_.clear();
  options.reconnect_for = milliseconds(300);
  const auto watch = Open(WatchFor({"p"}), options);
  ASSERT_TRUE(watch.ok()) << watch.status();
  server_.Stop();
  EXPECT_THAT(TakeAll(**watch, &end), ElementsAre("=3"));
  EXPECT_EQ(end.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(end.message()), HasSubstr("not to be had again within 300 ms"));
}

TEST_F(WatchStreamTest, NothingWithinPatienceIsNoError) {
  std::atomic<bool> go_on{false};
  Answer({[&](Writer& writer) {
    writer.Write(WatchMessage(1));
    while (!go_on) {
      std::this_thread::sleep_for(milliseconds(5));
    }
    writer.Write(WatchMessage(2, {{2, "a", "p"}}));
    return grpc::Status(grpc::StatusCode::INTERNAL, "enough");
  }});
  const auto watch = Open(WatchFor({"p"}));
  ASSERT_TRUE(watch.ok()) << watch.status();
  EXPECT_TRUE((*watch)->Next(kLong)->has_value());
  for (int i = 0; i < 3; ++i) {
    const auto nothing = (*watch)->Next(milliseconds(20));
    ASSERT_TRUE(nothing.ok()) << nothing.status();
    EXPECT_FALSE(nothing->has_value());
  }
  go_on = true;
  const auto message = (*watch)->Next(kLong);
  ASSERT_TRUE(message.ok() && message->has_value());
  EXPECT_EQ((*message)->matches_size(), 1);
}

TEST_F(WatchStreamTest, CancelEndsItAlsoWhileItWaits) {
  for (const bool lost : {false, true}) {
    std::atomic<bool> done{false};
    asked_.clear();
    Answer({[&](Writer& writer) {
      writer.Write(WatchMessage(1));
      while (!lost && !done) {
        std::this_thread::sleep_for(milliseconds(5));
      }
      return grpc::Status(grpc::StatusCode::UNAVAILABLE, "gone");
    }});
    const auto watch = Open(WatchFor({"p"}));
    ASSERT_TRUE(watch.ok()) << watch.status();
    std::thread canceller([&] {
      std::this_thread::sleep_for(milliseconds(100));
      (*watch)->Cancel();
    });
    absl::Status end;
    TakeAll(**watch, &end);
    EXPECT_TRUE(end.code() == absl::StatusCode::kCancelled ||
                (lost && end.code() == absl::StatusCode::kInternal))
        << end;
    done = true;
    canceller.join();
  }
}

TEST_F(WatchStreamTest, AsksForTheGraphsOfIdsSoThatTheyStayTheSame) {
  Answer({Say({WatchMessage(1)}, grpc::StatusCode::INTERNAL)});
  server_.index.get = [](const v1::GetRequest& request, v1::GetResponse& response) {
    for (const std::string& id : request.ids()) {
      v1::GetResponse::Entry& entry = *response.add_entries();
      entry.set_id(id);
      if (id != "missing") {
        entry.mutable_record()->mutable_graph()->add_labels("label of " + id);
      }
    }
    return grpc::Status::OK;
  };
  v1::WatchRequest request = WatchFor({"graph"});
  for (int i = 0; i < 20; ++i) {
    v1::WatchRequest::Query& query = *request.add_queries();
    query.set_name("q" + std::to_string(i));
    query.mutable_graph()->set_id("id" + std::to_string(i));
  }
  ASSERT_TRUE(Open(request).ok());
  ASSERT_EQ(asked().size(), 1u);
  EXPECT_EQ(asked()[0].queries(0).graph().graph().labels(0), "C");
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(asked()[0].queries(i + 1).graph().graph().labels(0), "label of id" + std::to_string(i));
  }
  request.mutable_queries(15)->mutable_graph()->set_id("missing");
  const absl::Status missing = Open(request).status();
  EXPECT_EQ(missing, absl::NotFoundError("queries[15].graph.id: no graph has the id 'missing'"));
}

}  // namespace
}  // namespace kindred::client
