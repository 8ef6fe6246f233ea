// The Ingest stream: order, acknowledgements, rejections, protocol errors, ends.

#include <chrono>
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

class IngestTest : public ::testing::Test {
 protected:
  using Stream = grpc::ClientReaderWriter<v1::IngestRequest, v1::IngestResponse>;

  // Opens a stream and reads the answer to that.
  std::unique_ptr<Stream> Open(grpc::ClientContext* context) {
    auto stream = stub_->Ingest(context);
    v1::IngestRequest open;
    open.mutable_open()->set_client_id("test");
    EXPECT_TRUE(stream->Write(open));
    v1::IngestResponse opened;
    EXPECT_TRUE(stream->Read(&opened));
    EXPECT_FALSE(opened.opened().incarnation().empty());
    EXPECT_EQ(opened.opened().window_bytes(), 8 << 20);
    return stream;
  }

  static v1::IngestRequest Frame(uint64_t sequence, const std::vector<v1::Record>& records) {
    v1::IngestRequest request;
    request.mutable_frame()->set_client_sequence(sequence);
    for (const v1::Record& record : records) {
      *request.mutable_frame()->add_items()->mutable_put() = record;
    }
    return request;
  }

  v1::StatsResponse Stats() {
    v1::StatsResponse stats;
    EXPECT_TRUE(stub_->Stats(NewContext().get(), {}, &stats).ok());
    return stats;
  }

  const TempDir dir_;
  DaemonProcess daemon_{dir_.Sub("d")};
  const std::unique_ptr<v1::Index::Stub> stub_ = daemon_.NewStub();
};

TEST_F(IngestTest, AcknowledgesWhatIsStored) {
  const auto context = NewContext();
  const auto stream = Open(context.get());
  constexpr uint64_t kFrames = 50;
  for (uint64_t frame = 1; frame <= kFrames; ++frame) {
    std::vector<v1::Record> records;
    for (int i = 0; i < 20; ++i) {
      records.push_back(RecordMessage(std::to_string(frame * 100 + i), PathMessage("CCO")));
    }
    ASSERT_TRUE(stream->Write(Frame(frame, records)));
  }
  stream->WritesDone();
  uint64_t acknowledged = 0;
  uint64_t inserted = 0;
  uint64_t sequence = 0;
  for (v1::IngestResponse response; stream->Read(&response);) {
    EXPECT_GT(response.ack().client_sequence(), acknowledged);
    EXPECT_GT(response.ack().sequence(), sequence);
    acknowledged = response.ack().client_sequence();
    sequence = response.ack().sequence();
    inserted += response.ack().inserted();
    EXPECT_EQ(inserted, acknowledged * 20);
  }
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(acknowledged, kFrames);
  EXPECT_EQ(sequence, kFrames * 20);
  EXPECT_EQ(Stats().graphs(), kFrames * 20);
}

TEST_F(IngestTest, GoesOnAfterABadItem) {
  const auto context = NewContext();
  const auto stream = Open(context.get());
  v1::IngestRequest frame =
      Frame(1, {RecordMessage("good", PathMessage("CC")), RecordMessage("bad", GraphMessage("C", {{0, 0}}))});
  frame.mutable_frame()->add_items()->set_delete_id("good");
  frame.mutable_frame()->add_items()->set_delete_id("nobody");
  frame.mutable_frame()->add_items();
  ASSERT_TRUE(stream->Write(frame));
  ASSERT_TRUE(stream->Write(Frame(2, {RecordMessage("later", PathMessage("CC"))})));
  stream->WritesDone();
  v1::IngestAck sum;
  for (v1::IngestResponse response; stream->Read(&response);) {
    sum.MergeFrom(response.ack());
  }
  EXPECT_TRUE(stream->Finish().ok());
  ASSERT_EQ(sum.rejected_size(), 3);
  EXPECT_EQ(sum.rejected(0).client_sequence(), 1);
  EXPECT_EQ(sum.rejected(0).item(), 1);
  EXPECT_EQ(sum.rejected(0).id(), "bad");
  EXPECT_THAT(sum.rejected(0).outcome().message(),
              HasSubstr("frame.items[1].put.graph.edges[0]: joins vertex 0 to itself"));
  EXPECT_EQ(sum.rejected(1).outcome().code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_THAT(sum.rejected(2).outcome().message(), HasSubstr("neither a put nor a delete"));
  EXPECT_EQ(Stats().graphs(), 1);
  EXPECT_EQ(Stats().sequence(), 3);
}

TEST_F(IngestTest, RefusesAFrameOutOfTurn) {
  const auto context = NewContext();
  const auto stream = Open(context.get());
  ASSERT_TRUE(stream->Write(Frame(1, {RecordMessage("a", PathMessage("C"))})));
  ASSERT_TRUE(stream->Write(Frame(3, {RecordMessage("b", PathMessage("C"))})));
  uint64_t acknowledged = 0;
  for (v1::IngestResponse response; stream->Read(&response);) {
    acknowledged = response.ack().client_sequence();
  }
  const grpc::Status status = stream->Finish();
  EXPECT_EQ(acknowledged, 1) << "what came before the gap is stored and acknowledged";
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), HasSubstr("is 3, but the next frame of client 'test' is 2"));
}

TEST_F(IngestTest, RefusesAStreamThatIsNotOpened) {
  const auto context = NewContext();
  const auto stream = stub_->Ingest(context.get());
  ASSERT_TRUE(stream->Write(Frame(1, {RecordMessage("a", PathMessage("C"))})));
  v1::IngestResponse response;
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(Stats().graphs(), 0);
}

TEST_F(IngestTest, SurvivesAClientThatGoesAway) {
  for (int i = 0; i < 20; ++i) {
    const auto context = NewContext();
    const auto stream = Open(context.get());
    for (uint64_t frame = 1; frame <= 5; ++frame) {
      stream->Write(Frame(frame, {RecordMessage(std::to_string(i), PathMessage("CCO"))}));
    }
    context->TryCancel();
    EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
  EXPECT_LE(Stats().graphs(), 20);
  EXPECT_EQ(daemon_.Stop(SIGTERM), 0);
}

TEST_F(IngestTest, TakesMoreThanAWindowFromAClientThatDoesNotRead) {
  const auto context = NewContext();
  const auto stream = Open(context.get());
  // 20 MiB: more than the window of 8.
  v1::Record record = RecordMessage("x", PathMessage("CCO"));
  record.set_payload(std::string(50'000, 'p'));
  constexpr uint64_t kFrames = 400;
  for (uint64_t frame = 1; frame <= kFrames; ++frame) {
    record.set_id(std::to_string(frame));
    ASSERT_TRUE(stream->Write(Frame(frame, {record})));
  }
  stream->WritesDone();
  uint64_t acknowledged = 0;
  for (v1::IngestResponse response; stream->Read(&response);) {
    acknowledged = response.ack().client_sequence();
  }
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(acknowledged, kFrames);
}

TEST_F(IngestTest, EndsAnOpenStreamWhenTheDaemonStops) {
  const auto context = NewContext();
  const auto stream = Open(context.get());
  ASSERT_TRUE(stream->Write(Frame(1, {RecordMessage("a", PathMessage("C"))})));
  v1::IngestResponse response;
  ASSERT_TRUE(stream->Read(&response));
  EXPECT_EQ(response.ack().client_sequence(), 1);
  EXPECT_EQ(daemon_.Stop(SIGTERM), 0);
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  DaemonProcess again(dir_.Sub("d"));
  EXPECT_THAT(again.ready_line(), HasSubstr("graphs=1 sequence=1"));
  again.Stop(SIGKILL);
}

// The acknowledgement is larger than what gRPC sends to a client that does not read, so the call cannot
// finish before the stop. That the last frame is stored tells that the end behind it was read as well:
// reading goes on while the writer commits.
TEST_F(IngestTest, AStopAfterTheLastFrameIsNoFailure) {
  const auto context = NewContext();
  const auto stream = Open(context.get());
  constexpr int kStrangers = 9'999;
  v1::IngestRequest frame = Frame(1, {RecordMessage("a", PathMessage("C"))});
  for (int i = 0; i < kStrangers; ++i) {
    frame.mutable_frame()->add_items()->set_delete_id(std::to_string(i) + std::string(500, 'x'));
  }
  ASSERT_TRUE(stream->Write(frame));
  stream->WritesDone();
  while (Stats().graphs() == 0) {
  }
  // Nothing tells when the daemon has read the end of the stream, too, which is on its way.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const auto stop = std::chrono::steady_clock::now();
  ::kill(daemon_.pid(), SIGTERM);
  v1::StatsResponse stats;
  while (stub_->Stats(NewContext().get(), {}, &stats).ok()) {
  }
  v1::IngestResponse response;
  ASSERT_TRUE(stream->Read(&response));
  EXPECT_EQ(response.ack().client_sequence(), 1);
  EXPECT_EQ(response.ack().rejected_size(), kStrangers);
  EXPECT_FALSE(stream->Read(&response));
  const grpc::Status status = stream->Finish();
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(daemon_.Wait(), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - stop, std::chrono::seconds(8)) << "no wait for gRPC's own end";
}

}  // namespace
}  // namespace kindred::test
