// One Ingest call from its opening to its end, with frames that the caller numbers itself.

#pragma once

#include <string>
#include <vector>

#include "tests/integration/daemon_process.h"

namespace kindred::test {

struct EndedIngest {
  grpc::Status status;
  uint64_t durable_at_open = 0;
  v1::IngestAck acks;  // Of all acknowledgements together.
};

// Over a connection of its own: opens the stream, sends these frames, and waits for its end. Answers are read
// last, so the frames must be few enough for their acknowledgements to wait in buffers: some thousands.
inline EndedIngest RunIngest(const DaemonProcess& daemon, const v1::IngestOpen& open,
                             const std::vector<v1::IngestRequest>& frames) {
  const auto stub = daemon.NewStub();
  const auto context = NewContext();
  const auto stream = stub->Ingest(context.get());
  v1::IngestRequest request;
  *request.mutable_open() = open;
  stream->Write(request);
  for (const v1::IngestRequest& frame : frames) {
    stream->Write(frame);
  }
  stream->WritesDone();
  EndedIngest ended;
  for (v1::IngestResponse response; stream->Read(&response);) {
    if (response.has_opened()) {
      ended.durable_at_open = response.opened().durable_client_sequence();
      continue;
    }
    const v1::IngestAck& ack = response.ack();
    ended.acks.set_client_sequence(ack.client_sequence());
    ended.acks.set_sequence(ack.sequence());
    ended.acks.set_inserted(ended.acks.inserted() + ack.inserted());
    ended.acks.set_replaced(ended.acks.replaced() + ack.replaced());
    ended.acks.set_deleted(ended.acks.deleted() + ack.deleted());
    ended.acks.set_repeated_frames(ended.acks.repeated_frames() + ack.repeated_frames());
    ended.acks.mutable_rejected()->MergeFrom(ack.rejected());
    ended.acks.mutable_not_novel()->MergeFrom(ack.not_novel());
  }
  ended.status = stream->Finish();
  return ended;
}

}  // namespace kindred::test
