#include "client/frame_queue.h"

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

using Kind = FrameQueue::Kind;

// Three frames of two items each, given out: record 10, 11 | 20, 21 | 30, 31 of source 7.
FrameQueue ThreeFrames() {
  FrameQueue frames(2, 1000);
  for (uint64_t frame = 1; frame <= 3; ++frame) {
    EXPECT_TRUE(frames.Add(Kind::kPut, std::string(frame, 'x'), Position{7, 10 * frame}));
    EXPECT_FALSE(frames.Add(Kind::kPut, "y", Position{7, 10 * frame + 1}));
    EXPECT_TRUE(frames.NextIsClosed());
    EXPECT_EQ(frames.TakeNext()->frame().client_sequence(), frame);
  }
  return frames;
}

TEST(FrameQueueTest, OneAckSettlesEveryFrameUpToIt) {
  FrameQueue frames = ThreeFrames();
  EXPECT_EQ(frames.bytes(), 9u);
  EXPECT_EQ(frames.Settle(Ack(2))->items, 4u);
  EXPECT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames.bytes(), 4u);
  EXPECT_EQ(frames.Settle(Ack(3))->items, 2u);
  EXPECT_EQ(frames.size(), 0u);
  EXPECT_EQ(frames.bytes(), 0u);
  EXPECT_EQ(frames.durable(), 3u);
}

TEST(FrameQueueTest, FindsPositionsOfItemsThatAreNotNovel) {
  FrameQueue frames = ThreeFrames();
  v1::IngestAck ack = Ack(2);
  v1::IngestAck::NotNovel& not_novel = *ack.add_not_novel();
  not_novel.set_client_sequence(2);
  not_novel.set_item(1);
  not_novel.set_id("b");
  not_novel.mutable_closest()->set_id("a");
  const auto settled = frames.Settle(ack);
  ASSERT_TRUE(settled.ok()) << settled.status();
  ASSERT_EQ(settled->not_novel.size(), 1u);
  EXPECT_EQ(settled->not_novel[0].position, (Position{7, 21}));
  EXPECT_EQ(settled->not_novel[0].id, "b");
  EXPECT_EQ(settled->not_novel[0].closest.id(), "a");
  ack.set_client_sequence(3);
  EXPECT_EQ(frames.Settle(ack).status().code(), absl::StatusCode::kInternal) << "frame 2 is settled";
}

TEST(FrameQueueTest, FindsPositionsOfItemsRejectedInAnyOrder) {
  FrameQueue frames = ThreeFrames();
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

TEST(FrameQueueTest, AnAckThatRepeatsAnOlderFrameSettlesNothing) {
  FrameQueue frames = ThreeFrames();
  ASSERT_TRUE(frames.Settle(Ack(2)).ok());
  EXPECT_EQ(frames.Settle(Ack(1))->frames, 0u);
  EXPECT_EQ(frames.size(), 1u);
}

TEST(FrameQueueTest, RefusesAnswersAboutFramesThatDoNotWait) {
  FrameQueue frames = ThreeFrames();
  frames.Add(Kind::kPut, "not sent", {});
  EXPECT_EQ(frames.Settle(Ack(4)).status().code(), absl::StatusCode::kInternal);
  for (const auto& [frame, item] : {std::pair(0u, 0u), {3u, 0u}, {2u, 2u}, {99u, 0u}}) {
    v1::IngestAck ack = Ack(2);
    AddRejected(ack, frame, item, "x");
    EXPECT_EQ(frames.Settle(ack).status().code(), absl::StatusCode::kInternal) << frame << " " << item;
  }
  EXPECT_EQ(frames.size(), 4u);
}

TEST(FrameQueueTest, NumbersOnFromWhereItStarts) {
  FrameQueue frames(1, 1000);
  frames.StartAfter(41);
  EXPECT_EQ(frames.durable(), 41u);
  frames.Add(Kind::kDelete, "id", {});
  EXPECT_EQ(frames.TakeNext()->frame().client_sequence(), 42u);
  EXPECT_EQ(frames.Settle(Ack(42))->items, 1u);
  EXPECT_EQ(frames.Close(), 42u);
}

TEST(FrameQueueTest, ClosesAFrameByItemsByBytesAndWhenTold) {
  FrameQueue frames(3, 10);
  EXPECT_TRUE(frames.Add(Kind::kPut, "12345", {}));
  EXPECT_FALSE(frames.NextIsClosed());
  EXPECT_TRUE(frames.Add(Kind::kPut, "123456", {})) << "it would be 11 bytes";
  EXPECT_EQ(frames.Close(), 2u);
  EXPECT_TRUE(frames.Add(Kind::kPut, "a record larger than a frame", {}));
  EXPECT_TRUE(frames.Add(Kind::kPut, "", {}));
  frames.Add(Kind::kPut, "", {});
  frames.Add(Kind::kPut, "", {});
  EXPECT_TRUE(frames.Add(Kind::kPut, "", {})) << "it would be the fourth";
  EXPECT_EQ(frames.size(), 5u);
}

TEST(FrameQueueTest, GivesOutAgainWhatIsNotDurable) {
  FrameQueue frames = ThreeFrames();
  frames.Add(Kind::kPut, "filling", {});
  const auto settled = frames.Resume(1);
  ASSERT_TRUE(settled.ok()) << settled.status();
  EXPECT_EQ(settled->frames, 1u);
  EXPECT_EQ(settled->items, 2u);
  for (const uint64_t frame : {2, 3}) {
    EXPECT_TRUE(frames.NextIsClosed());
    const auto again = frames.TakeNext();
    EXPECT_EQ(again->frame().client_sequence(), frame);
    EXPECT_EQ(again->frame().items_size(), 2);
  }
  EXPECT_FALSE(frames.NextIsClosed());
  EXPECT_FALSE(frames.Add(Kind::kPut, "into the same", {}));
}

TEST(FrameQueueTest, AFrameSentOnceNeverChanges) {
  FrameQueue frames(10, 1000);
  frames.Add(Kind::kPut, "a", {});
  frames.TakeNext();
  ASSERT_TRUE(frames.Resume(0).ok());
  EXPECT_TRUE(frames.Add(Kind::kPut, "b", {})) << "not into the frame that may be stored as it was";
  EXPECT_EQ(frames.TakeNext()->frame().items_size(), 1);
}

TEST(FrameQueueTest, RefusesToResumeWhereItCannotBe) {
  FrameQueue frames = ThreeFrames();
  frames.Add(Kind::kPut, "not sent", {});
  ASSERT_TRUE(frames.Settle(Ack(2)).ok());
  EXPECT_EQ(frames.Resume(1).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(frames.Resume(4).status().code(), absl::StatusCode::kAborted);
  EXPECT_TRUE(frames.Resume(3).ok());
  EXPECT_TRUE(frames.Resume(3).ok());
}

}  // namespace
}  // namespace kindred::client
