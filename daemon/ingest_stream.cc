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
  std::shared_ptr<IngestStream> stream(new IngestStream(serving));
  stream->self_ = stream;
  stream->Begin();
  return stream.get();
}

void IngestStream::Begin() {
  auto admission = serving_.Admit();
  if (!admission.ok()) {
    finished_ = true;
    Finish(ToGrpc(admission.status()));
    return;
  }
  admission_ = *std::move(admission);
  engine_ = admission_.engine;
  drain_handle_ = serving_.OnDrain([weak = weak_from_this()] {
    if (const auto stream = weak.lock()) {
      stream->Stop(absl::UnavailableError("kindredd is stopping"));
    }
  });
  Advance();
}

void IngestStream::OnReadDone(bool ok) {
  {
    const std::scoped_lock lock(mutex_);
    reading_ = false;
    converting_ = ok && !finished_;
    if (converting_) {
      engine_->executor().Submit([self = shared_from_this()] { self->ProcessRequest(); });
      return;
    }
  }
  Stop(absl::OkStatus());  // The client has sent all it wanted to.
}

void IngestStream::ProcessRequest() {
  const absl::Status status =
      request_.has_open() ? ProcessOpen(request_.open()) : ProcessFrame(request_.frame());
  {
    const std::scoped_lock lock(mutex_);
    converting_ = false;
    if (!status.ok()) {
      StopReading(status);
    }
  }
  Advance();
}

absl::Status IngestStream::ProcessOpen(const v1::IngestOpen& open) {
  const std::scoped_lock lock(mutex_);
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
  v1::IngestOpened& opened = *pending_.mutable_opened();
  opened.set_incarnation(serving_.incarnation());
  opened.set_window_bytes(engine_->limits().ingest_window_bytes);
  pending_response_ = true;
  return absl::OkStatus();
}

absl::Status IngestStream::ProcessFrame(const v1::IngestFrame& frame) {
  {
    const std::scoped_lock lock(mutex_);
    if (!opened_) {
      return InvalidArgument("the first message of an ingest stream must be `open`");
    }
  }
  if (frame.client_sequence() != frames_read_ + 1) {
    return MakeStatus(absl::StatusCode::kFailedPrecondition,
                      "frame.client_sequence: is {}, but the next frame of this stream is {}",
                      frame.client_sequence(), frames_read_ + 1);
  }
  const Limits& limits = engine_->limits();
  KINDRED_RETURN_IF_ERROR(CheckBatch("frame.items", frame.items_size(), limits));
  ++frames_read_;
  const uint64_t bytes = frame.ByteSizeLong();
  WriteRequest request{{}, bytes, nullptr};
  for (int i = 0; i < frame.items_size(); ++i) {
    request.mutations.push_back(ToMutation(frame.items(i), mode_, fmt::format("frame.items[{}]", i), limits));
  }
  {
    const std::scoped_lock lock(mutex_);
    ++frames_waiting_;
    bytes_waiting_ += bytes;
  }
  request.done = [self = shared_from_this(), frame, bytes](const WriteResult& result) {
    self->OnCommitted(frame, bytes, result);
  };
  engine_->writer().Submit(std::move(request));
  return absl::OkStatus();
}

void IngestStream::OnCommitted(const v1::IngestFrame& frame, uint64_t bytes, const WriteResult& result) {
  {
    const std::scoped_lock lock(mutex_);
    --frames_waiting_;
    bytes_waiting_ -= bytes;
    if (result.status.ok()) {
      v1::IngestAck& ack = *pending_.mutable_ack();
      ack.set_client_sequence(frame.client_sequence());
      ack.set_sequence(Raw(result.sequence));
      AddOutcomes(frame, result, ack);
      pending_response_ = true;
    } else {
      StopReading(result.status);
    }
  }
  Advance();
}

void IngestStream::OnWriteDone(bool ok) {
  {
    const std::scoped_lock lock(mutex_);
    writing_ = false;
    if (!ok) {
      pending_response_ = false;
      StopReading(absl::CancelledError("the client went away"));
    }
  }
  Advance();
}

void IngestStream::OnCancel() { Stop(absl::CancelledError("the client went away")); }

void IngestStream::OnDone() {
  drain_handle_.reset();
  self_.reset();  // May be the last.
}

void IngestStream::StopReading(absl::Status status) {
  if (finished_) {
    return;
  }
  if (!stop_reading_) {
    stop_reading_ = true;
    final_status_ = std::move(status);
  } else if (final_status_.ok()) {
    final_status_ = std::move(status);  // A clean end that turned out not to be.
  }
}

void IngestStream::Stop(absl::Status status) {
  {
    const std::scoped_lock lock(mutex_);
    StopReading(std::move(status));
  }
  Advance();
}

IngestStream::Next IngestStream::Decide() {
  Next next;
  if (finished_) {
    return next;
  }
  if (pending_response_ && !writing_) {
    pending_response_ = false;
    writing_ = true;
    response_.Swap(&pending_);
    pending_.Clear();
    next.write = true;
  }
  const bool room = bytes_waiting_ <= engine_->limits().ingest_window_bytes;
  if (!stop_reading_ && !reading_ && !converting_ && room) {
    reading_ = true;
    next.read = true;
  }
  // A read the client has not answered does not hold up the end: Finish ends it.
  if (stop_reading_ && !converting_ && frames_waiting_ == 0 && !writing_) {
    finished_ = true;
    next.finish = true;
  }
  return next;
}

void IngestStream::Advance() {
  const auto self = shared_from_this();  // OnDone may come as soon as Finish is called.
  while (true) {
    Next next;
    {
      const std::scoped_lock lock(mutex_);
      if (advancing_) {
        return;
      }
      next = Decide();
      if (!next.write && !next.read && !next.finish) {
        return;
      }
      advancing_ = true;
    }
    if (next.write) {
      StartWrite(&response_);
    }
    if (next.read) {
      StartRead(&request_);
    }
    if (next.finish) {
      Finish(ToGrpc(final_status_));  // Written before finished_ was set, never after.
    }
    const std::scoped_lock lock(mutex_);
    advancing_ = false;
  }
}

}  // namespace kindred::daemon
