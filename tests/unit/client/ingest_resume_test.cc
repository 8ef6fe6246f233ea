// The ingest stream across lost connections: what is sent again, what is not, and when it gives up.

#include <atomic>
#include <future>
#include <numeric>
#include <thread>

#include "client/client.h"
#include "client/ingest_stream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/client/fake_ingest.h"

namespace kindred::client {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using Loss = FakeIngest::Loss;

class IngestResumeTest : public testing::Test {
 protected:
  IngestResumeTest() {
    server_.index.ingest = [this](FakeIndex::IngestCall& call) { return ingest_.Serve(call); };
    options_.frame_items_max = 2;
    options_.on_connection = [this](const ConnectionChange& change) {
      const std::scoped_lock lock(mutex_);
      changes_.push_back(change);
    };
  }

  void KeepUntilFinish() {
    options_.frame_items_max = 100;
    options_.flush_after = kPatience;
  }

  void Open() {
    ClientOptions client_options;
    client_options.call_timeout = kPatience;
    client_options.stream_timeout = kPatience;
    client_ = *Client::Create(server_.address(), client_options);
    auto stream = client_->Ingest(options_, [](const Rejection&) {});
    ASSERT_TRUE(stream.ok()) << stream.status();
    stream_ = *std::move(stream);
  }

  // Records "begin" to "end" - 1.
  absl::Status Send(int begin, int end) {
    for (int i = begin; i < end; ++i) {
      v1::Record record;
      record.set_id(std::to_string(i));
      if (absl::Status status = stream_->Send(record, {}); !status.ok()) {
        return status;
      }
    }
    return absl::OkStatus();
  }

  static std::vector<std::string> Ids(int begin, int end) {
    std::vector<std::string> ids;
    for (int i = begin; i < end; ++i) {
      ids.push_back(std::to_string(i));
    }
    return ids;
  }

  std::vector<ConnectionChange> Changes() {
    const std::scoped_lock lock(mutex_);
    return changes_;
  }

  void WaitForChanges(size_t count) {
    while (Changes().size() < count) {
      std::this_thread::sleep_for(milliseconds(1));
    }
  }

  FakeIngest ingest_;
  FakeServer server_;
  IngestOptions options_;
  std::unique_ptr<Client> client_;
  std::mutex mutex_;
  std::vector<ConnectionChange> changes_;
  std::unique_ptr<IngestStream> stream_;
};

TEST_F(IngestResumeTest, SendsAgainWhatWasNotAppliedInItsOrder) {
  ingest_.losses = {{3, Loss::kBefore}, {7, Loss::kBefore}};
  Open();
  ASSERT_TRUE(Send(0, 100).ok());
  const auto summary = stream_->Finish();
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(ingest_.ids(), Ids(0, 100));
  EXPECT_EQ(summary->inserted + summary->unreported, 100u);
  EXPECT_EQ(summary->durable_frame, 50u);
  const auto opens = ingest_.opens();
  ASSERT_EQ(opens.size(), 3u);
  EXPECT_TRUE(opens[0].client_id().starts_with("kindred-"));
  EXPECT_EQ(opens[0].client_id().size(), 8u + 32u);
  EXPECT_EQ(opens[1].client_id(), opens[0].client_id());
  EXPECT_EQ(opens[0].acknowledged_client_sequence(), 0u);
  EXPECT_LE(opens[1].acknowledged_client_sequence(), 2u);
}

TEST_F(IngestResumeTest, CountsWhatIsDurableWithoutAnAcknowledgementAsUnreported) {
  ingest_.losses = {{2, Loss::kAfter}};
  Open();
  ASSERT_TRUE(Send(0, 2).ok());
  while (stream_->summary().durable_frame < 1) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  ASSERT_TRUE(Send(2, 10).ok());
  const auto summary = stream_->Finish();
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(ingest_.ids(), Ids(0, 10)) << "each once";
  EXPECT_EQ(summary->sent, 10u);
  EXPECT_EQ(summary->inserted, 8u);
  EXPECT_EQ(summary->unreported, 2u);
  EXPECT_EQ(ingest_.opens()[1].acknowledged_client_sequence(), 1u);
  const auto changes = Changes();
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].attempt, 1);
  EXPECT_THAT(std::string(changes[0].reason.message()), HasSubstr("is stopping"));
  EXPECT_EQ(changes[1].attempt, 0);
  EXPECT_EQ(changes[1].durable_frame, 2u);
}

// The frames of the lost connection were still on their way through the daemon when it told its position.
TEST_F(IngestResumeTest, FramesAppliedBeforeAreAcknowledgedAgainAndUnreported) {
  ingest_.losses = {{4, Loss::kAfter}};
  ingest_.durable_told = {{2, 3}};
  Open();
  ASSERT_TRUE(Send(0, 20).ok());
  const auto summary = stream_->Finish();
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(ingest_.ids(), Ids(0, 20));
  EXPECT_GE(summary->unreported, 2u);
  EXPECT_EQ(summary->inserted + summary->unreported, 20u);
}

TEST_F(IngestResumeTest, OutlivesADaemonThatRestarts) {
  options_.in_flight_bytes_max = 100;
  Open();
  std::future<absl::Status> sending = std::async(std::launch::async, [&] { return Send(0, 3000); });
  while (ingest_.durable() < 100) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  server_.Stop();
  WaitForChanges(1);
  std::this_thread::sleep_for(milliseconds(200));
  server_.Start();
  EXPECT_TRUE(sending.get().ok());
  const auto summary = stream_->Finish();
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(ingest_.ids(), Ids(0, 3000));
  EXPECT_EQ(summary->inserted + summary->unreported, 3000u);
  EXPECT_EQ(Changes().back().attempt, 0);
}

TEST_F(IngestResumeTest, FinishOutlivesARestart) {
  KeepUntilFinish();
  Open();
  ASSERT_TRUE(Send(0, 4).ok());
  server_.Stop();
  std::future<absl::StatusOr<IngestSummary>> finishing =
      std::async(std::launch::async, [&] { return stream_->Finish(); });
  WaitForChanges(2);
  EXPECT_EQ(finishing.wait_for(milliseconds(0)), std::future_status::timeout);
  server_.Start();
  const auto summary = finishing.get();
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(ingest_.ids(), Ids(0, 4));
}

TEST_F(IngestResumeTest, FinishNeedsNoDaemonWhenEverythingIsAcknowledged) {
  options_.flush_after = milliseconds(1);
  Open();
  ASSERT_TRUE(Send(0, 4).ok());
  while (stream_->summary().inserted < 4) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  ingest_.refusals = {grpc::Status(grpc::StatusCode::UNAVAILABLE, "kindredd is stopping")};
  server_.Stop();
  EXPECT_TRUE(stream_->Finish().ok());
}

TEST_F(IngestResumeTest, OnlyALossIsWorthAnotherAttempt) {
  for (const auto code : {grpc::StatusCode::DATA_LOSS, grpc::StatusCode::ABORTED,
                          grpc::StatusCode::FAILED_PRECONDITION, grpc::StatusCode::INVALID_ARGUMENT,
                          grpc::StatusCode::RESOURCE_EXHAUSTED, grpc::StatusCode::INTERNAL}) {
    const size_t before = ingest_.opens().size();
    ingest_.losses = {{ingest_.durable() + 2, Loss::kBefore}};
    ingest_.lost = grpc::Status(code, "final");
    Open();
    if (HasFatalFailure()) {
      return;
    }
    static_cast<void>(Send(0, 10));
    const auto summary = stream_->Finish();
    EXPECT_EQ(static_cast<int>(summary.status().code()), static_cast<int>(code));
    EXPECT_EQ(ingest_.opens().size(), before + 1);
  }
}

TEST_F(IngestResumeTest, ADaemonThatRefusesToResumeIsFinal) {
  ingest_.losses = {{2, Loss::kBefore}};
  ingest_.refusals = {grpc::Status(grpc::StatusCode::UNAVAILABLE, "kindredd is recovering"),
                      grpc::Status(grpc::StatusCode::DATA_LOSS, "frame 1 is gone")};
  Open();
  static_cast<void>(Send(0, 10));
  const auto summary = stream_->Finish();
  EXPECT_EQ(summary.status(), absl::DataLossError("frame 1 is gone"));
  EXPECT_EQ(ingest_.opens().size(), 3u);
}

TEST_F(IngestResumeTest, NoticesItselfThatAcknowledgedFramesAreGone) {
  ingest_.losses = {{3, Loss::kBefore}};
  ingest_.durable_told = {{2, 0}};
  options_.in_flight_bytes_max = 1;  // One record after another.
  options_.frame_items_max = 1;
  Open();
  static_cast<void>(Send(0, 10));
  EXPECT_EQ(stream_->Finish().status().code(), absl::StatusCode::kDataLoss);
}

TEST_F(IngestResumeTest, NoticesAnotherStreamOfItsName) {
  ingest_.losses = {{3, Loss::kBefore}};
  ingest_.durable_told = {{2, 1000}};
  Open();
  static_cast<void>(Send(0, 10));
  EXPECT_EQ(stream_->Finish().status().code(), absl::StatusCode::kAborted);
}

TEST_F(IngestResumeTest, GivesUpAfterAWhile) {
  options_.reconnect_for = milliseconds(500);
  KeepUntilFinish();
  Open();
  ASSERT_TRUE(Send(0, 1).ok());
  server_.Stop();
  const auto start = std::chrono::steady_clock::now();
  const auto summary = stream_->Finish();
  EXPECT_LT(std::chrono::steady_clock::now() - start, kPatience / 2);
  EXPECT_EQ(summary.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(summary.status().message()),
              testing::StartsWith("the connection was lost, and not to be had again within 500 ms"));
  const auto changes = Changes();
  ASSERT_GT(changes.size(), 1u);
  for (size_t i = 0; i < changes.size(); ++i) {
    EXPECT_EQ(changes[i].attempt, static_cast<int>(i + 1));
  }
  EXPECT_FALSE(Send(1, 2).ok());
}

// A frame that kills the daemon each time it comes.
TEST_F(IngestResumeTest, GivesUpWhenItConnectsButNothingGetsThrough) {
  options_.reconnect_for = milliseconds(500);
  server_.index.ingest = [this](FakeIndex::IngestCall& call) {
    ingest_.losses = {{2, Loss::kBefore}};
    return ingest_.Serve(call);
  };
  Open();
  ASSERT_TRUE(Send(0, 4).ok());
  EXPECT_EQ(stream_->Finish().status().code(), absl::StatusCode::kUnavailable);
  EXPECT_GT(ingest_.opens().size(), 2u);
}

TEST_F(IngestResumeTest, AStreamWithoutANameFailsWithItsConnection) {
  options_.reconnect_for = milliseconds(0);
  ingest_.losses = {{2, Loss::kBefore}};
  Open();
  static_cast<void>(Send(0, 10));
  EXPECT_EQ(stream_->Finish().status(), absl::UnavailableError("kindredd is stopping"));
  ASSERT_EQ(ingest_.opens().size(), 1u);
  EXPECT_EQ(ingest_.opens()[0].client_id(), "");
}

TEST_F(IngestResumeTest, CancelEndsAnOutageAtOnce) {
  KeepUntilFinish();
  Open();
  ASSERT_TRUE(Send(0, 1).ok());
  server_.Stop();
  std::future<absl::StatusOr<IngestSummary>> finishing =
      std::async(std::launch::async, [&] { return stream_->Finish(); });
  WaitForChanges(5);  // By now it waits for half a second and more.
  const auto start = std::chrono::steady_clock::now();
  stream_->Cancel();
  EXPECT_EQ(finishing.get().status().code(), absl::StatusCode::kCancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(400));
}

TEST_F(IngestResumeTest, DoesNotWaitForeverForADaemonThatDoesNotAnswer) {
  options_.reconnect_for = milliseconds(500);
  std::atomic<int> calls{0};
  server_.index.ingest = [&](FakeIndex::IngestCall& call) {
    if (++calls == 1) {
      ingest_.losses = {{1, Loss::kBefore}};
      return ingest_.Serve(call);
    }
    v1::IngestRequest request;
    while (call.Read(&request)) {
    }
    return grpc::Status::OK;
  };
  Open();
  ASSERT_TRUE(Send(0, 2).ok());
  const auto summary = stream_->Finish();
  EXPECT_EQ(summary.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(summary.status().message()), HasSubstr("did not open the stream"));
}

TEST_F(IngestResumeTest, TrySendGivesTheRecordBackWhenThereIsNoRoom) {
  options_.in_flight_bytes_max = 10;
  Open();
  server_.Stop();
  std::string record = "0123456789";
  ASSERT_TRUE(*stream_->TrySend(record, {}, milliseconds(0)));
  record = "next";
  EXPECT_FALSE(*stream_->TrySend(record, {}, milliseconds(10)));
  EXPECT_EQ(record, "next");
  stream_->Cancel();
  EXPECT_EQ(stream_->TrySend(record, {}, kPatience).status().code(), absl::StatusCode::kCancelled);
}

TEST_F(IngestResumeTest, AProcessThatComesBackGoesOnBehindItsLastDurableFrame) {
  options_.client_id = "mine";
  Open();
  ASSERT_TRUE(Send(0, 3).ok());
  EXPECT_EQ(stream_->Flush(), 2u);
  ASSERT_TRUE(Send(3, 4).ok());
  EXPECT_EQ(stream_->Flush(), 3u);
  ASSERT_TRUE(stream_->Finish().ok());
  options_.acknowledged_frame = 3;
  Open();
  EXPECT_EQ(stream_->summary().durable_frame, 3u);
  EXPECT_EQ(ingest_.opens()[1].client_id(), "mine");
  EXPECT_EQ(ingest_.opens()[1].acknowledged_client_sequence(), 3u);
  ASSERT_TRUE(Send(4, 5).ok());
  EXPECT_EQ(stream_->Flush(), 4u);
  ASSERT_TRUE(stream_->Finish().ok());
  EXPECT_EQ(ingest_.ids(), Ids(0, 5));
}

}  // namespace
}  // namespace kindred::client
