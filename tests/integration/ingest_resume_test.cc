// Streams with a client id: where they go on, frames sent again, gaps, other content, lost positions.

#include <csignal>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/ingest_call.h"
#include "tests/integration/messages.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Records named by their number, one an item; as bytes if wanted.
v1::IngestRequest Frame(uint64_t sequence, const std::vector<std::string>& ids, bool encoded = false) {
  v1::IngestRequest request;
  request.mutable_frame()->set_client_sequence(sequence);
  for (const std::string& id : ids) {
    const v1::Record record = RecordMessage(id, PathMessage("CO"));
    v1::IngestItem& item = *request.mutable_frame()->add_items();
    if (encoded) {
      item.set_encoded_put(record.SerializeAsString());
    } else {
      *item.mutable_put() = record;
    }
  }
  return request;
}

class IngestResumeTest : public ::testing::Test {
 protected:
  EndedIngest Run(const std::vector<v1::IngestRequest>& frames, const std::string& client_id = "test",
                  uint64_t acknowledged = 0, v1::WriteMode mode = v1::WRITE_MODE_UPSERT) {
    v1::IngestOpen open;
    open.set_client_id(client_id);
    open.set_acknowledged_client_sequence(acknowledged);
    open.set_mode(mode);
    return RunIngest(*daemon_, open, frames);
  }

  void KillAndRestart() {
    daemon_->Stop(SIGKILL);
    daemon_.emplace(dir_.Sub("d"));
  }

  uint64_t Graphs() {
    v1::StatsResponse stats;
    EXPECT_TRUE(daemon_->NewStub()->Stats(NewContext().get(), {}, &stats).ok());
    return stats.graphs();
  }

  const TempDir dir_;
  std::optional<DaemonProcess> daemon_{std::in_place, dir_.Sub("d")};
};

TEST_F(IngestResumeTest, GoesOnBehindTheLastDurableFrame) {
  EXPECT_EQ(Run({Frame(1, {"a"}), Frame(2, {"b"})}).durable_at_open, 0u);
  EXPECT_EQ(Run({}).durable_at_open, 2u);
  EXPECT_EQ(Run({}, "another").durable_at_open, 0u);
  KillAndRestart();
  const EndedIngest third = Run({Frame(3, {"c"})}, "test", 2);
  EXPECT_TRUE(third.status.ok()) << third.status.error_message();
  EXPECT_EQ(third.durable_at_open, 2u);
  EXPECT_EQ(third.acks.client_sequence(), 3u);
  EXPECT_EQ(Graphs(), 3u);
}

TEST_F(IngestResumeTest, AcknowledgesARepeatedFrameAndDoesNotApplyIt) {
  std::vector<v1::IngestRequest> frames;
  for (uint64_t i = 1; i <= 100; ++i) {
    frames.push_back(Frame(i, {"g" + std::to_string(i)}));
  }
  const EndedIngest first = Run(frames);
  EXPECT_EQ(first.acks.inserted(), 100u);
  KillAndRestart();
  const EndedIngest again = Run({frames[99], frames[0], frames[50]});
  EXPECT_TRUE(again.status.ok()) << again.status.error_message();
  EXPECT_EQ(again.acks.repeated_frames(), 3u);
  EXPECT_EQ(again.acks.client_sequence(), 100u);
  EXPECT_EQ(again.acks.inserted() + again.acks.replaced(), 0u);
  EXPECT_EQ(again.acks.sequence(), first.acks.sequence());
}

TEST_F(IngestResumeTest, ARecordIsTheSameContentHoweverItWasSent) {
  EXPECT_EQ(Run({Frame(1, {"a", "b"})}).acks.inserted(), 2u);
  const EndedIngest again = Run({Frame(1, {"a", "b"}, /*encoded=*/true)});
  EXPECT_TRUE(again.status.ok()) << again.status.error_message();
  EXPECT_EQ(again.acks.repeated_frames(), 1u);
  EXPECT_EQ(Run({Frame(2, {"c", "d"}, /*encoded=*/true)}).acks.inserted(), 2u);
  EXPECT_EQ(Graphs(), 4u);
}

TEST_F(IngestResumeTest, AGapEndsTheStreamAndStoresNothing) {
  const EndedIngest ended = Run({Frame(1, {"a"}), Frame(3, {"c"})});
  EXPECT_EQ(ended.status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(ended.status.error_message(), HasSubstr("is 3, but the next frame of client 'test' is 2"));
  EXPECT_EQ(ended.acks.client_sequence(), 1u);
  EXPECT_EQ(Graphs(), 1u);
}

TEST_F(IngestResumeTest, OtherContentUnderTheSameNumberIsAbortedForTheLast64Frames) {
  std::vector<v1::IngestRequest> frames;
  for (uint64_t i = 1; i <= 65; ++i) {
    frames.push_back(Frame(i, {"g" + std::to_string(i)}));
  }
  ASSERT_TRUE(Run(frames).status.ok());
  KillAndRestart();
  const EndedIngest inside = Run({Frame(2, {"other"})});
  EXPECT_EQ(inside.status.error_code(), grpc::StatusCode::ABORTED);
  EXPECT_THAT(inside.status.error_message(), HasSubstr("frame 2 of client 'test' was stored before"));
  const EndedIngest beyond = Run({Frame(1, {"other"})});
  EXPECT_TRUE(beyond.status.ok()) << "too long ago to tell; still it must not be applied";
  EXPECT_EQ(beyond.acks.repeated_frames(), 1u);
  EXPECT_EQ(Graphs(), 65u);
}

TEST_F(IngestResumeTest, AClientThatKnowsOfMoreThanTheDaemonIsTold) {
  ASSERT_TRUE(Run({Frame(1, {"a"})}).status.ok());
  const EndedIngest ended = Run({Frame(3, {"b"})}, "test", 2);
  EXPECT_EQ(ended.status.error_code(), grpc::StatusCode::DATA_LOSS);
  EXPECT_THAT(ended.status.error_message(), HasSubstr("frame 2 of client 'test' was acknowledged, but 1 is"));
}

TEST_F(IngestResumeTest, AFrameWithNothingButRejectedItemsCounts) {
  ASSERT_TRUE(Run({Frame(1, {"a"})}).status.ok());
  const EndedIngest rejected = Run({Frame(2, {"a"})}, "test", 1, v1::WRITE_MODE_INSERT);
  ASSERT_EQ(rejected.acks.rejected_size(), 1);
  EXPECT_EQ(rejected.acks.rejected(0).id(), "a");
  EXPECT_EQ(rejected.acks.rejected(0).client_sequence(), 2u);
  EXPECT_EQ(rejected.acks.client_sequence(), 2u);
  KillAndRestart();
  EXPECT_EQ(Run({}, "test", 2).durable_at_open, 2u);
}

TEST_F(IngestResumeTest, BytesThatAreNoRecordAreRejectedAlone) {
  v1::IngestRequest frame = Frame(1, {"a", "b"}, /*encoded=*/true);
  frame.mutable_frame()->mutable_items(0)->set_encoded_put("\xff\xff\xff");
  const EndedIngest ended = Run({frame});
  EXPECT_TRUE(ended.status.ok());
  ASSERT_EQ(ended.acks.rejected_size(), 1);
  EXPECT_EQ(ended.acks.rejected(0).outcome().message(), "frame.items[0].encoded_put: is no Record");
  EXPECT_EQ(ended.acks.inserted(), 1u);
}

TEST_F(IngestResumeTest, AStreamWithoutANameStartsAtOneEachTime) {
  EXPECT_EQ(Run({Frame(1, {"a"}), Frame(2, {"b"})}, "").acks.inserted(), 2u);
  const EndedIngest again = Run({Frame(1, {"a"})}, "");
  EXPECT_EQ(again.durable_at_open, 0u);
  EXPECT_EQ(again.acks.replaced(), 1u);
  EXPECT_EQ(Run({Frame(2, {"b"})}, "").status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
}

TEST_F(IngestResumeTest, TheFirstFrameIsOne) {
  const EndedIngest ended = Run({Frame(0, {"a"})});
  EXPECT_EQ(ended.status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(ended.acks.rejected(), IsEmpty());
  EXPECT_EQ(Graphs(), 0u);
}

}  // namespace
}  // namespace kindred::test
