#include "fmt/format.h"
#include "gtest/gtest.h"
#include "tests/integration/ingest_call.h"
#include "tests/model/session.h"

namespace kindred::test {
namespace {

v1::IngestRequest RequestOf(const v1::IngestFrame& frame) {
  v1::IngestRequest request;
  *request.mutable_frame() = frame;
  return request;
}

constexpr uint64_t kFramesRemembered = 40;

}  // namespace

// What became of the items of new frames.
struct Session::Sent {
  uint64_t inserted = 0;
  uint64_t replaced = 0;
  uint64_t deleted = 0;
  uint64_t rejected = 0;

  void Count(v1::Outcome::Kind kind) {
    inserted += kind == v1::Outcome::INSERTED ? 1 : 0;
    replaced += kind == v1::Outcome::REPLACED ? 1 : 0;
    deleted += kind == v1::Outcome::DELETED ? 1 : 0;
    rejected += kind == v1::Outcome::REJECTED ? 1 : 0;
  }
};

v1::IngestFrame Session::NewFrame(Chooser& choose, uint64_t number, v1::WriteMode mode, Sent& sent) {
  v1::IngestFrame frame;
  frame.set_client_sequence(number);
  for (uint64_t i = 1 + choose.Below(5); i > 0; --i) {
    v1::IngestItem& item = *frame.add_items();
    const std::string id = choose.Id();
    if (choose.Once(4)) {
      item.set_delete_id(id);
      sent.Count(world_.Delete(id));
      continue;
    }
    const KeptRecord record = choose.Record();
    v1::Record message = MessageOf(id, record);
    const bool broken = choose.Once(12);
    if (broken) {
      message.mutable_graph()->add_edges(0);  // Half an edge.
    }
    sent.Count(broken ? v1::Outcome::REJECTED : world_.Put(id, record, mode));
    if (choose.Once(2)) {
      item.set_encoded_put(message.SerializeAsString());
    } else {
      *item.mutable_put() = message;
    }
  }
  return frame;
}

// Some frames again, then new ones; with a name, or without.
std::string Session::Ingest(Chooser& choose) {
  const bool named = !choose.Once(5);
  const size_t number = choose.Below(sources_.size());
  Source unnamed;
  Source& source = named ? sources_[number] : unnamed;
  v1::IngestOpen open;
  open.set_client_id(named ? "client" + std::to_string(number) : "");
  open.set_mode(choose.Mode());
  open.set_acknowledged_client_sequence(choose.Once(2) ? source.position : 0);
  std::vector<v1::IngestRequest> frames;
  uint64_t repeats = 0;
  for (const auto& [sequence, frame] : source.frames) {
    if (choose.Once(4)) {
      frames.push_back(RequestOf(frame));
      ++repeats;
    }
  }
  Sent sent;
  const uint64_t before = source.position;
  const uint64_t news = choose.Below(4);
  for (uint64_t i = 0; i < news; ++i) {
    const uint64_t commit = world_.sequence();
    const v1::IngestFrame frame = NewFrame(choose, ++source.position, open.mode(), sent);
    if (named && world_.sequence() == commit) {
      world_.Pass();  // The client's position is one, too.
    }
    source.frames[source.position] = frame;
    source.frames.erase(source.position - std::min(source.position, kFramesRemembered));
    frames.push_back(RequestOf(frame));
    if (choose.Once(6)) {
      frames.push_back(RequestOf(frame));
      repeats += 1;
    }
  }
  if (!named && repeats > 0) {  // A stream without a name cannot repeat.
    repeats = 0;
    std::erase_if(frames, [last = uint64_t{0}](const v1::IngestRequest& frame) mutable {
      return std::exchange(last, frame.frame().client_sequence()) == frame.frame().client_sequence();
    });
  }
  const EndedIngest ended = RunIngest(*daemon_, open, frames);
  EXPECT_TRUE(ended.status.ok()) << ended.status.error_message();
  EXPECT_EQ(ended.durable_at_open, before);
  EXPECT_EQ(ended.acks.inserted(), sent.inserted);
  EXPECT_EQ(ended.acks.replaced(), sent.replaced);
  EXPECT_EQ(ended.acks.deleted(), sent.deleted);
  EXPECT_EQ(static_cast<uint64_t>(ended.acks.rejected_size()), sent.rejected);
  EXPECT_EQ(ended.acks.repeated_frames(), repeats);
  if (news > 0) {
    EXPECT_EQ(ended.acks.client_sequence(), source.position);
    EXPECT_EQ(ended.acks.sequence(), world_.sequence());
  }
  return fmt::format("ingest '{}' mode {}: {} new frames, {} repeated", open.client_id(), open.mode(), news,
                     repeats);
}

// A gap in the numbers, or an old number with other content: refused, and nothing changes.
std::string Session::RefusedIngest(Chooser& choose) {
  const size_t number = choose.Below(sources_.size());
  const Source& source = sources_[number];
  v1::IngestOpen open;
  open.set_client_id("client" + std::to_string(number));
  v1::IngestFrame frame;
  const bool gap = source.position == 0 || choose.Once(2);
  frame.set_client_sequence(gap ? source.position + 2 + choose.Below(5) : source.position);
  frame.add_items()->set_delete_id("nobody");
  const EndedIngest ended = RunIngest(*daemon_, open, {RequestOf(frame)});
  EXPECT_EQ(ended.status.error_code(),
            gap ? grpc::StatusCode::FAILED_PRECONDITION : grpc::StatusCode::ABORTED)
      << ended.status.error_message();
  return fmt::format("ingest '{}': {}", open.client_id(), gap ? "a gap" : "another frame of a number");
}

}  // namespace kindred::test
