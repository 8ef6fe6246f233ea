#include "client/frame_queue.h"

#include <algorithm>
#include <utility>

#include "client/grpc_status.h"
#include "index/base/status.h"

namespace kindred::client {

bool FrameQueue::LastTakes(size_t bytes) const {
  return !frames_.empty() && !frames_.back().closed && frames_.back().bytes + bytes <= bytes_max_;
}

bool FrameQueue::Add(Kind kind, std::string bytes, Position position) {
  const size_t size = bytes.size();
  const bool is_new = !LastTakes(size);
  if (is_new) {
    Close();
    Frame& frame = frames_.emplace_back();
    frame.begun = std::chrono::steady_clock::now();
    frame.request = std::make_shared<v1::IngestRequest>();
    frame.request->mutable_frame()->set_client_sequence(durable() + frames_.size());
    frame.positions.reserve(items_max_);
  }
  Frame& frame = frames_.back();
  v1::IngestItem& item = *frame.request->mutable_frame()->add_items();
  if (kind == Kind::kPut) {
    item.set_encoded_put(std::move(bytes));
  } else {
    item.set_delete_id(std::move(bytes));
  }
  frame.positions.push_back(position);
  frame.bytes += size;
  frame.closed = frame.positions.size() >= items_max_ || frame.bytes >= bytes_max_;
  bytes_ += size;
  return is_new;
}

uint64_t FrameQueue::Close() {
  if (!frames_.empty()) {
    frames_.back().closed = true;
  }
  return durable() + frames_.size();
}

bool FrameQueue::NextIsClosed() const { return frames_[given_].closed; }

FrameQueue::TimePoint FrameQueue::NextBegun() const { return frames_[given_].begun; }

std::shared_ptr<const v1::IngestRequest> FrameQueue::TakeNext() {
  Frame& frame = frames_[given_++];
  frame.closed = true;
  sent_ = std::max(sent_, frame.request->frame().client_sequence());
  return frame.request;
}

absl::StatusOr<FrameQueue::Settled> FrameQueue::Settle(const v1::IngestAck& ack) {
  const uint64_t last = ack.client_sequence();
  if (last > durable() + given_) {
    return MakeStatus(absl::StatusCode::kInternal, "the daemon acknowledged frame {}, which was not sent",
                      last);
  }
  Settled settled;
  const auto not_covered = [](const auto& item) {
    return MakeStatus(absl::StatusCode::kInternal,
                      "the daemon did not store item {} of frame {}, which this answer does not cover",
                      item.item(), item.client_sequence());
  };
  for (const v1::IngestAck::Rejected& rejected : ack.rejected()) {
    const Position* const position = PositionOf(rejected.client_sequence(), rejected.item(), last);
    if (position == nullptr) {
      return not_covered(rejected);
    }
    settled.rejections.push_back(Rejection{rejected.id(), FromOutcome(rejected.outcome()), *position});
  }
  for (const v1::IngestAck::NotNovel& not_novel : ack.not_novel()) {
    const Position* const position = PositionOf(not_novel.client_sequence(), not_novel.item(), last);
    if (position == nullptr) {
      return not_covered(not_novel);
    }
    settled.not_novel.push_back(NotNovel{not_novel.id(), not_novel.closest(), *position});
  }
  LetGo(last, settled);
  return settled;
}

const Position* FrameQueue::PositionOf(uint64_t frame, uint32_t item, uint64_t last) const {
  if (frame < first_ || frame > last || item >= frames_[frame - first_].positions.size()) {
    return nullptr;
  }
  return &frames_[frame - first_].positions[item];
}

absl::StatusOr<FrameQueue::Settled> FrameQueue::Resume(uint64_t durable_now) {
  if (durable_now < durable()) {
    return DataLoss("frame {} was acknowledged, but the daemon has frames up to {} only", durable(),
                    durable_now);
  }
  if (durable_now > std::max(sent_, durable())) {
    return MakeStatus(absl::StatusCode::kAborted,
                      "the daemon has frames up to {}, but only {} were sent: does another stream use this "
                      "client id?",
                      durable_now, std::max(sent_, durable()));
  }
  Settled settled;
  LetGo(durable_now, settled);
  given_ = 0;
  return settled;
}

// An answer that repeats an older number lets go of nothing.
void FrameQueue::LetGo(uint64_t last, Settled& settled) {
  for (; first_ <= last; ++first_) {
    ++settled.frames;
    settled.items += frames_.front().positions.size();
    bytes_ -= frames_.front().bytes;
    frames_.pop_front();
  }
  given_ -= std::min(given_, settled.frames);
}

}  // namespace kindred::client
