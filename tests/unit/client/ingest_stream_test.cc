// The ingest stream against a daemon that acknowledges late, never, wrongly, or dies.

#include "client/ingest_stream.h"

#include <atomic>
#include <future>
#include <map>
#include <thread>

#include "client/client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/client/fake_ingest.h"

namespace kindred::client {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;

v1::Record MakeRecord(const std::string& id, size_t payload_bytes = 0) {
  v1::Record record;
  record.set_id(id);
  record.set_payload(std::string(payload_bytes, 'p'));
  return record;
}

// Reads the open message and answers it; gives what was asked.
v1::IngestOpen OpenCall(FakeIndex::IngestCall& call, uint64_t durable = 0) {
  v1::IngestRequest request;
  EXPECT_TRUE(call.Read(&request));
  v1::IngestResponse response;
  response.mutable_opened()->set_durable_client_sequence(durable);
  call.Write(response);
  return request.open();
}

// An answer that stores everything of the frames given, but for what is rejected.
v1::IngestResponse Acknowledge(const v1::IngestFrame& frame, uint64_t inserted) {
  v1::IngestResponse response;
  response.mutable_ack()->set_client_sequence(frame.client_sequence());
  response.mutable_ack()->set_sequence(100 + frame.client_sequence());
  response.mutable_ack()->set_inserted(inserted);
  return response;
}

class IngestStreamTest : public testing::Test {
 protected:
  // Without a second connection; ingest_resume_test.cc is about those.
  absl::StatusOr<std::unique_ptr<IngestStream>> Open(IngestOptions options = {}) {
    options.reconnect_for = milliseconds(0);
    ClientOptions client_options;
    client_options.call_timeout = kPatience;
    client_options.stream_timeout = kPatience;
    client_ = *Client::Create(server_.address(), client_options);
    return client_->Ingest(options, [this](const Rejection& rejection) { rejections_.push_back(rejection); });
  }

  FakeServer server_;
  std::unique_ptr<Client> client_;
  std::vector<Rejection> rejections_;
};

TEST_F(IngestStreamTest, GathersRecordsIntoNumberedFrames) {
  std::vector<int> sizes;
  std::vector<uint64_t> numbers;
  v1::IngestOpen open;
  server_.index.ingest = [&](FakeIndex::IngestCall& call) {
    open = OpenCall(call);
    v1::IngestRequest request;
    while (call.Read(&request)) {
      sizes.push_back(request.frame().items_size());
      numbers.push_back(request.frame().client_sequence());
      call.Write(Acknowledge(request.frame(), static_cast<uint64_t>(request.frame().items_size())));
    }
    return grpc::Status::OK;
  };
  IngestOptions options;
  options.client_id = "me";
  options.mode = v1::WRITE_MODE_INSERT;
  options.flush_after = kPatience;
  auto stream = Open(options);
  ASSERT_TRUE(stream.ok()) << stream.status();
  for (uint64_t i = 0; i < 600; ++i) {
    ASSERT_TRUE((*stream)->Send(MakeRecord(std::to_string(i)), Position{0, i}).ok());
  }
  const auto summary = (*stream)->Finish();
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(open.client_id(), "me");
  EXPECT_EQ(open.mode(), v1::WRITE_MODE_INSERT);
  EXPECT_THAT(sizes, ElementsAre(256, 256, 88));
  EXPECT_THAT(numbers, ElementsAre(1, 2, 3));
  EXPECT_EQ(summary->sent, 600u);
  EXPECT_EQ(summary->inserted, 600u);
  EXPECT_EQ(summary->sequence, 103u);
  EXPECT_EQ(summary->durable_frame, 3u);
  EXPECT_EQ((*stream)->Finish().status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(IngestStreamTest, NamesThePositionOfItemsRejectedInALateAck) {
  server_.index.ingest = [&](FakeIndex::IngestCall& call) {
    OpenCall(call);
    // One answer for all frames at the end: what was rejected in the last frame stands first.
    v1::IngestRequest request;
    v1::IngestResponse response;
    std::map<uint64_t, v1::IngestFrame, std::greater<>> frames;
    while (call.Read(&request)) {
      frames[request.frame().client_sequence()] = request.frame();
    }
    response = Acknowledge(frames.begin()->second, 0);
    for (const auto& [number, frame] : frames) {
      for (int i = 0; i < frame.items_size(); ++i) {
        if (const std::string id = PutOf(frame.items(i)).id(); id.ends_with("7")) {
          v1::IngestAck::Rejected& rejected = *response.mutable_ack()->add_rejected();
          rejected.set_client_sequence(number);
          rejected.set_item(static_cast<uint32_t>(i));
          rejected.set_id(id);
          rejected.mutable_outcome()->set_kind(v1::Outcome::REJECTED);
          rejected.mutable_outcome()->set_code(6);
        }
      }
    }
    call.Write(response);
    return grpc::Status::OK;
  };
  IngestOptions options;
  options.frame_items_max = 3;
  auto stream = Open(options);
  ASSERT_TRUE(stream.ok()) << stream.status();
  for (uint64_t i = 0; i < 100; ++i) {
    ASSERT_TRUE((*stream)->Send(MakeRecord(std::to_string(i)), Position{5, 1000 + i}).ok());
  }
  const auto summary = (*stream)->Finish();
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(summary->rejected, 10u);
  ASSERT_EQ(rejections_.size(), 10u);
  EXPECT_EQ(rejections_[0].id, "97");
  for (const Rejection& rejection : rejections_) {
    EXPECT_EQ(rejection.position, (Position{5, 1000 + std::stoul(rejection.id)}));
    EXPECT_EQ(rejection.status.code(), absl::StatusCode::kAlreadyExists);
  }
}

TEST_F(IngestStreamTest, SendsAPartialFrameWhenRecordsComeSlowly) {
  std::promise<int> arrived;
  server_.index.ingest = [&](FakeIndex::IngestCall& call) {
    OpenCall(call);
    v1::IngestRequest request;
    call.Read(&request);
    arrived.set_value(request.frame().items_size());
    call.Write(Acknowledge(request.frame(), 1));
    call.Read(&request);
    return grpc::Status::OK;
  };
  auto stream = Open();
  ASSERT_TRUE(stream.ok()) << stream.status();
  ASSERT_TRUE((*stream)->Send(MakeRecord("a"), {}).ok());
  EXPECT_EQ(arrived.get_future().get(), 1);  // Without Finish.
  EXPECT_TRUE((*stream)->Finish().ok());
}

TEST_F(IngestStreamTest, BlocksTheCallerWhenNothingIsAcknowledgedAndEndsOnCancel) {
  server_.index.ingest = [&](FakeIndex::IngestCall& call) {
    OpenCall(call);
    v1::IngestRequest request;
    while (call.Read(&request)) {
    }
    return grpc::Status::OK;
  };
  IngestOptions options;
  options.in_flight_bytes_max = 100'000;
  auto stream = Open(options);
  ASSERT_TRUE(stream.ok()) << stream.status();
  std::atomic<size_t> bytes_taken{0};
  std::future<absl::Status> sending = std::async(std::launch::async, [&] {
    while (true) {
      v1::Record record = MakeRecord("r", 1000);
      const size_t bytes = record.ByteSizeLong();
      if (absl::Status status = (*stream)->Send(std::move(record), {}); !status.ok()) {
        return status;
      }
      bytes_taken += bytes;
    }
  });
  EXPECT_EQ(sending.wait_for(milliseconds(500)), std::future_status::timeout);
  EXPECT_GT(bytes_taken, 90'000u);
  EXPECT_LE(bytes_taken, 100'000u);
  (*stream)->Cancel();
  EXPECT_EQ(sending.get().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ((*stream)->Finish().status().code(), absl::StatusCode::kCancelled);
}

TEST_F(IngestStreamTest, DestructorDoesNotWaitForADaemonThatNeverAcknowledges) {
  server_.index.ingest = [&](FakeIndex::IngestCall& call) {
    OpenCall(call);
    v1::IngestRequest request;
    while (call.Read(&request)) {
    }
    return grpc::Status::OK;
  };
  auto stream = Open();
  ASSERT_TRUE(stream.ok()) << stream.status();
  ASSERT_TRUE((*stream)->Send(MakeRecord("a"), {}).ok());
  const auto start = std::chrono::steady_clock::now();
  stream->reset();
  EXPECT_LT(std::chrono::steady_clock::now() - start, kPatience / 2);
}

TEST_F(IngestStreamTest, TellsWhyTheDaemonEndedAStreamItDidNotEvenRead) {
  server_.index.ingest = [&](FakeIndex::IngestCall& call) {
    OpenCall(call);
    // Meanwhile the client fills the window of the connection and its Write waits.
    std::this_thread::sleep_for(milliseconds(300));
    return grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "disk full");
  };
  IngestOptions options;
  options.in_flight_bytes_max = size_t{1} << 30;
  auto stream = Open(options);
  ASSERT_TRUE(stream.ok()) << stream.status();
  absl::Status status;
  for (int i = 0; i < 10'000 && status.ok(); ++i) {
    status = (*stream)->Send(MakeRecord("r", 10'000), {});
  }
  const auto summary = (*stream)->Finish();
  EXPECT_EQ(summary.status(), absl::ResourceExhaustedError("disk full"));
}

TEST_F(IngestStreamTest, ReportsADaemonThatDiesAndKeepsWhatWasAcknowledged) {
  std::promise<void> acknowledged;
  server_.index.ingest = [&](FakeIndex::IngestCall& call) {
    OpenCall(call);
    v1::IngestRequest request;
    call.Read(&request);
    call.Write(Acknowledge(request.frame(), 2));
    acknowledged.set_value();
    while (call.Read(&request)) {
    }
    return grpc::Status::OK;
  };
  IngestOptions options;
  options.frame_items_max = 2;
  options.in_flight_bytes_max = 10'000;
  auto stream = Open(options);
  ASSERT_TRUE(stream.ok()) << stream.status();
  std::thread killer([&] {
    acknowledged.get_future().wait();
    std::this_thread::sleep_for(milliseconds(100));
    server_.Stop();
  });
  absl::Status status;
  while (status.ok()) {
    status = (*stream)->Send(MakeRecord("r", 1000), {});
  }
  killer.join();
  EXPECT_FALSE((*stream)->Finish().ok());
  EXPECT_EQ((*stream)->summary().inserted, 2u);
  EXPECT_EQ((*stream)->summary().sequence, 101u);
}

TEST_F(IngestStreamTest, AnEndWithoutAllAcknowledgementsIsAFailure) {
  server_.index.ingest = [&](FakeIndex::IngestCall& call) {
    OpenCall(call);
    v1::IngestRequest request;
    while (call.Read(&request)) {
    }
    return grpc::Status::OK;
  };
  auto stream = Open();
  ASSERT_TRUE(stream.ok()) << stream.status();
  ASSERT_TRUE((*stream)->Send(MakeRecord("a"), {}).ok());
  EXPECT_EQ((*stream)->Finish().status().code(), absl::StatusCode::kAborted);
}

TEST_F(IngestStreamTest, AnAckOfAFrameNeverSentEndsTheStream) {
  server_.index.ingest = [&](FakeIndex::IngestCall& call) {
    OpenCall(call);
    v1::IngestRequest request;
    call.Read(&request);
    request.mutable_frame()->set_client_sequence(9);
    call.Write(Acknowledge(request.frame(), 1));
    while (call.Read(&request)) {
    }
    return grpc::Status::OK;
  };
  auto stream = Open();
  ASSERT_TRUE(stream.ok()) << stream.status();
  ASSERT_TRUE((*stream)->Send(MakeRecord("a"), {}).ok());
  EXPECT_EQ((*stream)->Finish().status().code(), absl::StatusCode::kInternal);
}

TEST_F(IngestStreamTest, RejectsARecordTooLargeToTravelAndGoesOn) {
  server_.index.ingest = [&](FakeIndex::IngestCall& call) {
    OpenCall(call, 41);
    v1::IngestRequest request;
    while (call.Read(&request)) {
      EXPECT_EQ(request.frame().client_sequence(), 42u);  // A named stream goes on where it was.
      EXPECT_EQ(request.frame().items(0).delete_id(), "b");
      v1::IngestResponse response = Acknowledge(request.frame(), 0);
      response.mutable_ack()->set_deleted(1);
      call.Write(response);
    }
    return grpc::Status::OK;
  };
  IngestOptions options;
  options.record_bytes_max = 1000;
  auto stream = Open(options);
  ASSERT_TRUE(stream.ok()) << stream.status();
  ASSERT_TRUE((*stream)->Send(MakeRecord("a", 2000), Position{1, 2}).ok());
  ASSERT_TRUE((*stream)->Delete("b", {}).ok());
  const auto summary = (*stream)->Finish();
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(summary->sent, 2u);
  EXPECT_EQ(summary->rejected, 1u);
  EXPECT_EQ(summary->deleted, 1u);
  ASSERT_EQ(rejections_.size(), 1u);
  EXPECT_EQ(rejections_[0].id, "a");
  EXPECT_EQ(rejections_[0].position, (Position{1, 2}));
  EXPECT_EQ(rejections_[0].status.code(), absl::StatusCode::kResourceExhausted);
}

TEST_F(IngestStreamTest, OpeningIsGivenUpInTime) {
  server_.index.ingest = [&](FakeIndex::IngestCall& call) {
    v1::IngestRequest request;
    while (call.Read(&request)) {
    }
    return grpc::Status::OK;
  };
  ClientOptions options;
  options.call_timeout = milliseconds(200);
  client_ = *Client::Create(server_.address(), options);
  EXPECT_EQ(client_->Ingest({}, nullptr).status().code(), absl::StatusCode::kDeadlineExceeded);
}

TEST_F(IngestStreamTest, OpeningWithoutADaemonIsUnavailable) {
  client_ = *Client::Create(DeadAddress());
  EXPECT_EQ(client_->Ingest({}, nullptr).status().code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace kindred::client
