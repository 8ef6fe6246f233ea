#include "client/sent_frames.h"

#include "gtest/gtest.h"

namespace kindred::client {
namespace {

v1::IngestAck Ack(uint64_t sequence) {
  v1::IngestAck ack;
  ack.set_client_sequence(sequence);
  return ack;
}

void AddRejected(v1::IngestAck& ack, uint64_t frame, uint32_t item, const std::string& id) {
  v1::IngestAck::Rejected& rejected = *ack.add_rejected();
  rejected.set_client_sequence(frame);
  rejected.set_item(item);
  rejected.set_id(id);
  rejected.mutable_outcome()->set_kind(v1::Outcome::REJECTED);
  rejected.mutable_outcome()->set_code(3);
}

// Three frames of two items each: record 10, 11 | 20, 21 | 30, 31 of source 7.
SentFrames ThreeFrames() {
  SentFrames frames;
  for (uint64_t frame = 1; frame <= 3; ++frame) {
    EXPECT_EQ(frames.Add({Position{7, 10 * frame}, Position{7, 10 * frame + 1}}, 100 * frame), frame);
  }
  return frames;
}

TEST(SentFramesTest, OneAckSettlesEveryFrameUpToIt) {
  SentFrames frames = ThreeFrames();
  EXPECT_EQ(frames.Settle(Ack(2))->bytes, 300u);
  EXPECT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames.Settle(Ack(3))->bytes, 300u);
  EXPECT_EQ(frames.size(), 0u);
}

TEST(SentFramesTest, FindsPositionsOfItemsRejectedInAnyOrder) {
  SentFrames frames = ThreeFrames();
  v1::IngestAck ack = Ack(3);
  AddRejected(ack, 3, 0, "c");
  AddRejected(ack, 1, 1, "a");
  AddRejected(ack, 2, 0, "b");
  const auto settled = frames.Settle(ack);
  ASSERT_TRUE(settled.ok()) << settled.status();
  ASSERT_EQ(settled->rejections.size(), 3u);
  EXPECT_EQ(settled->rejections[0].position, (Position{7, 30}));
  EXPECT_EQ(settled->rejections[1].position, (Position{7, 11}));
  EXPECT_EQ(settled->rejections[2].position, (Position{7, 20}));
  EXPECT_EQ(settled->rejections[2].id, "b");
  EXPECT_EQ(settled->rejections[2].status.code(), absl::StatusCode::kInvalidArgument);
}

TEST(SentFramesTest, AnAckThatRepeatsAnOlderFrameSettlesNothing) {
  SentFrames frames = ThreeFrames();
  ASSERT_TRUE(frames.Settle(Ack(2)).ok());
  EXPECT_EQ(frames.Settle(Ack(1))->bytes, 0u);
  EXPECT_EQ(frames.size(), 1u);
}

TEST(SentFramesTest, RefusesAnswersAboutFramesThatDoNotWait) {
  SentFrames frames = ThreeFrames();
  EXPECT_EQ(frames.Settle(Ack(4)).status().code(), absl::StatusCode::kInternal);
  for (const auto& [frame, item] : {std::pair(0u, 0u), {3u, 0u}, {2u, 2u}, {99u, 0u}}) {
    v1::IngestAck ack = Ack(2);
    AddRejected(ack, frame, item, "x");
    EXPECT_EQ(frames.Settle(ack).status().code(), absl::StatusCode::kInternal) << frame << " " << item;
  }
  EXPECT_EQ(frames.size(), 3u);
}

TEST(SentFramesTest, NumbersOnFromWhereItStarts) {
  SentFrames frames;
  frames.StartAt(42);
  EXPECT_EQ(frames.Add({Position{0, 1}}, 5), 42u);
  EXPECT_EQ(frames.Settle(Ack(42))->bytes, 5u);
}

}  // namespace
}  // namespace kindred::client
