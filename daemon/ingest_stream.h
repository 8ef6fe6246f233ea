// One Ingest call: frames in, acknowledgements of what is durable out.
//
// Course: a frame is read, converted on the executor, queued for the writer, and only then is the next
// one read, so that frames reach the writer in order. The writer's answers come back in that order and
// are folded into acknowledgements; while one is being written, the next gathers. Reading pauses while
// more than ingest_window_bytes are not acknowledged. A frame that breaks the protocol or cannot be stored
// is the last; how a call ends is told by BidiStream.
//
// Threads: gRPC's, the executor's and the writer's; see BidiStream.
// Invariants: an acknowledgement covers all frames up to its own, so none follows a frame that failed.

#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "daemon/bidi_stream.h"
#include "daemon/serving.h"
#include "grpcpp/grpcpp.h"
#include "index/engine/mutation.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

class IngestStream final : public BidiStream<v1::IngestRequest, v1::IngestResponse> {
 public:
  // A stream that keeps itself alive until gRPC is done with it.
  static IngestStream* Start(Serving& serving);

 private:
  using SharedRequest = std::shared_ptr<const v1::IngestRequest>;  // A frame is kept until it is committed.

  explicit IngestStream(Serving& serving) : BidiStream(serving) {}

  void Accept(v1::IngestRequest request) override;
  bool WantsRequest() const override;
  bool TakeResponse(v1::IngestResponse& response) override;
  bool Busy() const override;

  void ProcessRequest(const SharedRequest& request);
  absl::Status ProcessOpen(const v1::IngestOpen& open);
  absl::Status ProcessFrame(const SharedRequest& request);
  void OnCommitted(const v1::IngestFrame& frame, uint64_t bytes, const WriteResult& result);

  // Touched only while `converting_`, by the thread that converts.
  bool opened_ = false;
  WriteMode mode_ = WriteMode::kUpsert;
  uint64_t frames_read_ = 0;

  bool converting_ = false;  // A request is on its way to the writer.
  uint64_t frames_waiting_ = 0;
  uint64_t bytes_waiting_ = 0;
  bool frame_failed_ = false;
  bool pending_response_ = false;
  v1::IngestResponse pending_;  // Gathers while another is written.
};

}  // namespace kindred::daemon
