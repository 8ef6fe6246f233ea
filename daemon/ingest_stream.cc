#include "daemon/ingest_stream.h"

#include <utility>
#include <vector>

#include "daemon/convert.h"
#include "daemon/errors.h"
#include "index/base/status.h"

namespace kindred::daemon {
namespace {

const std::string& ItemId(const v1::IngestItem& item) {
  return item.has_put() ? item.put().id() : item.delete_id();
}

Mutation ToMutation(const v1::IngestItem& item, WriteMode mode, const std::string& path,
                    const Limits& limits) {
  switch (item.kind_case()) {
    case v1::IngestItem::kPut:
      return ToPut(item.put(), mode, path + ".put", limits);
    case v1::IngestItem::kDeleteId:
      return ToDelete(item.delete_id(), path + ".delete");
    case v1::IngestItem::KIND_NOT_SET:
      break;
  }
  return {"", InvalidArgument("{}: is neither a put nor a delete", path), mode};
}

void AddOutcomes(const v1::IngestFrame& frame, const WriteResult& result, v1::IngestAck& ack) {
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
      case Outcome::Kind::kRejected: {
        v1::IngestAck::Rejected& rejected = *ack.add_rejected();
        rejected.set_client_sequence(frame.client_sequence());
        rejected.set_item(static_cast<uint32_t>(i));
        rejected.set_id(ItemId(frame.items(static_cast<int>(i))));
        *rejected.mutable_outcome() = ToProto(result.outcomes[i]);
        break;
      }
    }
  }
}

}  // namespace

IngestStream* IngestStream::Start(Serving& serving) {
  const std::shared_ptr<IngestStream> stream(new IngestStream(serving));
  stream->Begin();
  return stream.get();
}

void IngestStream::Accept(v1::IngestRequest request) {
  converting_ = true;
  engine().executor().Submit(
      [this, self = shared_from_this(),
       shared = std::make_shared<const v1::IngestRequest>(std::move(request))] { ProcessRequest(shared); });
}

void IngestStream::ProcessRequest(const SharedRequest& request) {
  const absl::Status status = request->has_open() ? ProcessOpen(request->open()) : ProcessFrame(request);
  {
    const std::scoped_lock lock(mutex_);
    converting_ = false;
    if (!status.ok()) {
      Stop(status);
    }
  }
  Advance();
}

absl::Status IngestStream::ProcessOpen(const v1::IngestOpen& open) {
  if (opened_) {
    return InvalidArgument("open: the stream is open already");
  }
  if (open.client_id().size() > kExternalIdBytesMax) {
    return InvalidArgument("open.client_id: has {} bytes; at most {} are allowed", open.client_id().size(),
                           kExternalIdBytesMax);
  }
  const auto mode = ToWriteMode(open.mode());
  if (!mode.ok()) {
    return Annotate(mode.status(), "open.");
  }
  mode_ = *mode;
  opened_ = true;
  const std::scoped_lock lock(mutex_);
  v1::IngestOpened& opened = *pending_.mutable_opened();
  opened.set_incarnation(serving().incarnation());
  opened.set_window_bytes(engine().limits().ingest_window_bytes);
  pending_response_ = true;
  return absl::OkStatus();
}

absl::Status IngestStream::ProcessFrame(const SharedRequest& request) {
  if (!opened_) {
    return InvalidArgument("the first message of an ingest stream must be `open`");
  }
  const v1::IngestFrame& frame = request->frame();
  if (frame.client_sequence() != frames_read_ + 1) {
    return MakeStatus(absl::StatusCode::kFailedPrecondition,
                      "frame.client_sequence: is {}, but the next frame of this stream is {}",
                      frame.client_sequence(), frames_read_ + 1);
  }
  const Limits& limits = engine().limits();
  KINDRED_RETURN_IF_ERROR(CheckBatch("frame.items", frame.items_size(), limits));
  ++frames_read_;
  const uint64_t bytes = frame.ByteSizeLong();
  WriteRequest write{{}, bytes, nullptr};
  for (int i = 0; i < frame.items_size(); ++i) {
    write.mutations.push_back(ToMutation(frame.items(i), mode_, fmt::format("frame.items[{}]", i), limits));
  }
  {
    const std::scoped_lock lock(mutex_);
    ++frames_waiting_;
    bytes_waiting_ += bytes;
  }
  write.done = [this, self = shared_from_this(), request, bytes](const WriteResult& result) {
    OnCommitted(request->frame(), bytes, result);
  };
  engine().writer().Submit(std::move(write));
  return absl::OkStatus();
}

void IngestStream::OnCommitted(const v1::IngestFrame& frame, uint64_t bytes, const WriteResult& result) {
  {
    const std::scoped_lock lock(mutex_);
    --frames_waiting_;
    bytes_waiting_ -= bytes;
    if (!result.status.ok()) {
      frame_failed_ = true;
      Stop(result.status);
    } else if (!frame_failed_) {
      v1::IngestAck& ack = *pending_.mutable_ack();
      ack.set_client_sequence(frame.client_sequence());
      ack.set_sequence(Raw(result.sequence));
      AddOutcomes(frame, result, ack);
      pending_response_ = true;
    }
  }
  Advance();
}

bool IngestStream::WantsRequest() const {
  return !converting_ && bytes_waiting_ <= engine().limits().ingest_window_bytes;
}

bool IngestStream::TakeResponse(v1::IngestResponse& response) {
  if (!pending_response_) {
    return false;
  }
  response.Swap(&pending_);
  pending_.Clear();
  pending_response_ = false;
  return true;
}

bool IngestStream::Busy() const { return converting_ || frames_waiting_ > 0; }

}  // namespace kindred::daemon
