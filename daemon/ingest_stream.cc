#include "daemon/ingest_stream.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "daemon/convert.h"
#include "daemon/errors.h"
#include "daemon/ingest_frame.h"
#include "daemon/novelty.h"
#include "index/base/status.h"

namespace kindred::daemon {
namespace {

// The bytes it takes.
uint64_t AddRejected(uint64_t client_sequence, size_t item, const Outcome& outcome, v1::IngestAck& ack) {
  v1::IngestAck::Rejected& rejected = *ack.add_rejected();
  rejected.set_client_sequence(client_sequence);
  rejected.set_item(static_cast<uint32_t>(item));
  rejected.set_id(outcome.external_id);
  *rejected.mutable_outcome() = ToProto(outcome);
  return rejected.ByteSizeLong();
}

// Likewise.
uint64_t AddNotNovel(uint64_t client_sequence, size_t item, const Outcome& outcome, v1::IngestAck& ack) {
  v1::IngestAck::NotNovel& not_novel = *ack.add_not_novel();
  not_novel.set_client_sequence(client_sequence);
  not_novel.set_item(static_cast<uint32_t>(item));
  not_novel.set_id(outcome.external_id);
  *not_novel.mutable_closest() = ToProto(*outcome.closest);
  return not_novel.ByteSizeLong();
}

// The bytes of what was not stored.
uint64_t AddOutcomes(uint64_t client_sequence, const WriteResult& result, v1::IngestAck& ack) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < result.outcomes.size(); ++i) {
    switch (result.outcomes[i].kind) {
      case Outcome::Kind::kInserted:
        ack.set_inserted(ack.inserted() + 1);
        break;
      case Outcome::Kind::kReplaced:
        ack.set_replaced(ack.replaced() + 1);
        break;
      case Outcome::Kind::kDeleted:
        ack.set_deleted(ack.deleted() + 1);
        break;
      case Outcome::Kind::kRejected:
        bytes += AddRejected(client_sequence, i, result.outcomes[i], ack);
        break;
      case Outcome::Kind::kNotNovel:
        bytes += AddNotNovel(client_sequence, i, result.outcomes[i], ack);
        break;
    }
  }
  return bytes;
}

// Whether an item takes as much work to look at as a large request does. REQUIRES: the frame's sizes are
// cached.
bool HasLargeItem(const v1::IngestFrame& frame) {
  return std::ranges::any_of(frame.items(), [](const v1::IngestItem& item) {
    return static_cast<size_t>(item.GetCachedSize()) > kSmallRequestBytes;
  });
}

bool IsOverLimit(const Outcome& outcome) { return absl::IsResourceExhausted(outcome.status); }

}  // namespace

IngestStream* IngestStream::Start(Serving& serving, grpc::CallbackServerContext& context) {
  const std::shared_ptr<IngestStream> stream(new IngestStream(serving));
  stream->Begin(context);
  return stream.get();
}

void IngestStream::Accept(v1::IngestRequest request) {
  if (request.has_open() && state_ == State::kNew) {
    state_ = State::kOpening;
    engine().executor().Submit(
        [this, self = shared_from_this(), open = std::move(*request.mutable_open())] { ProcessOpen(open); });
    return;
  }
  if (absl::Status status = AcceptFrame(std::move(request)); !status.ok()) {
    Stop(std::move(status));
  }
}

void IngestStream::ProcessOpen(const v1::IngestOpen& open) {
  absl::StatusOr<v1::IngestOpened> opened = Open(open);
  {
    const std::scoped_lock lock(mutex_);
    state_ = State::kOpen;
    if (opened.ok()) {
      *pending_.mutable_opened() = *std::move(opened);
      pending_response_ = true;
    } else {
      Stop(opened.status());
    }
  }
  Advance();
}

absl::StatusOr<v1::IngestOpened> IngestStream::Open(const v1::IngestOpen& open) {
  if (open.client_id().size() > kExternalIdBytesMax) {
    return InvalidArgument("open.client_id: has {} bytes; at most {} are allowed", open.client_id().size(),
                           kExternalIdBytesMax);
  }
  const auto mode = ToWriteMode(open.mode());
  if (!mode.ok()) {
    return Annotate(mode.status(), "open.");
  }
  client_id_ = open.client_id();
  mode_ = *mode;
  if (open.has_novelty()) {
    KINDRED_ASSIGN_OR_RETURN(NoveltyRule rule, ToNoveltyRule(open.novelty(), "open.novelty", engine()));
    novelty_ = std::make_shared<const NoveltyRule>(std::move(rule));
  }
  ClientPosition position;
  if (!client_id_.empty()) {
    KINDRED_ASSIGN_OR_RETURN(const std::shared_ptr<const Snapshot> newest, engine().snapshot());
    KINDRED_ASSIGN_OR_RETURN(position, newest->store->ReadPosition(client_id_));
    if (open.acknowledged_client_sequence() > position.client_sequence) {
      return DataLoss(
          "open.acknowledged_client_sequence: frame {} of client '{}' was acknowledged, but {} is the last "
          "stored: the index was reset, or restored to an earlier state",
          open.acknowledged_client_sequence(), client_id_, position.client_sequence);
    }
  }
  v1::IngestOpened opened;
  opened.set_incarnation(serving().incarnation());
  opened.set_durable_client_sequence(position.client_sequence);
  opened.set_window_bytes(engine().limits().ingest_window_bytes);
  return opened;
}

absl::Status IngestStream::AcceptFrame(v1::IngestRequest request) {
  if (request.has_open()) {
    return InvalidArgument("open: the stream is open already");
  }
  if (state_ != State::kOpen) {
    return InvalidArgument("the first message of an ingest stream must be `open`");
  }
  const uint64_t client_sequence = request.frame().client_sequence();
  if (client_id_.empty() && client_sequence != ++frames_read_) {
    return MakeStatus(absl::StatusCode::kFailedPrecondition,
                      "frame.client_sequence: is {}, but the next frame of this stream is {}",
                      client_sequence, frames_read_);
  }
  const Limits& limits = engine().limits();
  KINDRED_RETURN_IF_ERROR(CheckBatch("frame.items", request.frame().items_size(), limits));
  WriteRequest write;
  write.bytes = request.frame().ByteSizeLong();
  const bool large = write.bytes > kSmallRequestBytes && HasLargeItem(request.frame());
  write.novelty = novelty_;
  ++frames_waiting_;
  bytes_waiting_ += write.bytes;
  write.read = [client_id = client_id_, mode = mode_, &limits,
                request = std::make_shared<v1::IngestRequest>(std::move(request))](WriteRequest& filled) {
    ReadFrame(request->frame(), client_id, mode, limits, filled);
  };
  write.done = [this, self = shared_from_this(), client_sequence, bytes = write.bytes,
                large](const WriteResult& result) {
    OnCommitted(client_sequence, bytes, large && std::ranges::any_of(result.outcomes, IsOverLimit), result);
  };
  engine().writer().Submit(std::move(write));
  return absl::OkStatus();
}

void IngestStream::OnCommitted(uint64_t client_sequence, uint64_t bytes, bool pause,
                               const WriteResult& result) {
  {
    const std::scoped_lock lock(mutex_);
    one_at_a_time_ = pause;
    if (pause) {
      Pause();
    }
    --frames_waiting_;
    bytes_waiting_ -= bytes;
    if (!result.status.ok()) {
      frame_failed_ = true;
      Stop(result.status);
    } else if (!frame_failed_) {
      v1::IngestAck& ack = *pending_.mutable_ack();
      ack.set_client_sequence(client_id_.empty() ? client_sequence : result.client_sequence);
      ack.set_sequence(Raw(result.sequence));
      ack.set_repeated_frames(ack.repeated_frames() + (result.repeated ? 1 : 0));
      pending_unstored_bytes_ += AddOutcomes(client_sequence, result, ack);
      pending_response_ = true;
    }
  }
  Advance();
}

// An even share of the window: however many streams there are, memory stays bounded. One frame is always
// read.
bool IngestStream::WantsRequest() const {
  const uint64_t share = engine().limits().ingest_window_bytes / std::max<uint64_t>(streams_.load(), 1);
  if (one_at_a_time_ && frames_waiting_ > 0) {
    return false;
  }
  return state_ != State::kOpening && bytes_waiting_ <= share && pending_unstored_bytes_ <= share;
}

bool IngestStream::TakeResponse(v1::IngestResponse& response) {
  if (!pending_response_) {
    return false;
  }
  response.Swap(&pending_);
  pending_.Clear();
  pending_response_ = false;
  pending_unstored_bytes_ = 0;
  return true;
}

bool IngestStream::Busy() const { return state_ == State::kOpening || frames_waiting_ > 0; }

}  // namespace kindred::daemon
