// One Ingest call: frames in, acknowledgements of what is durable out.
//
// Course: frames are queued for the writer as they come, and parsed on the executor. The writer, which knows
// how far each client has come, answers in their order; the answers are folded into acknowledgements: while
// one is being written, the next gathers. Reading pauses while more than the stream's share of
// ingest_window_bytes is not acknowledged, or that much is to be said of items that were not stored to a
// client that does not listen; and for a while (kRefusalPace) after a large item that was over a limit. A
// frame that breaks the protocol or cannot be stored is the last; how a call ends is told by BidiStream.
//
// Threads: gRPC's, the executor's and the writer's; see BidiStream.
// Invariants: an acknowledgement covers all frames up to its own, so none follows a frame that failed.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "daemon/bidi_stream.h"
#include "daemon/serving.h"
#include "grpcpp/grpcpp.h"
#include "index/engine/mutation.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

class IngestStream final : public BidiStream<v1::IngestRequest, v1::IngestResponse> {
 public:
  // A stream that keeps itself alive until gRPC is done with it.
  static IngestStream* Start(Serving& serving, grpc::CallbackServerContext& context);
  ~IngestStream() override { --streams_; }

 private:
  explicit IngestStream(Serving& serving) : BidiStream(serving), streams_(serving.ingest_streams()) {
    ++streams_;
  }

  void Accept(v1::IngestRequest request) override;
  bool WantsRequest() const override;
  bool TakeResponse(v1::IngestResponse& response) override;
  bool Busy() const override;

  void ProcessOpen(const v1::IngestOpen& open);
  absl::StatusOr<v1::IngestOpened> Open(const v1::IngestOpen& open);
  // REQUIRES: mutex_ is held.
  absl::Status AcceptFrame(v1::IngestRequest request);
  void OnCommitted(uint64_t client_sequence, uint64_t bytes, bool pause, const WriteResult& result);

  std::atomic<uint64_t>& streams_;  // All of them.

  enum class State { kNew, kOpening, kOpen };
  State state_ = State::kNew;
  std::string client_id_;
  WriteMode mode_ = WriteMode::kUpsert;
  std::shared_ptr<const NoveltyRule> novelty_;  // Null: all puts are stored.
  uint64_t frames_read_ = 0;

  uint64_t frames_waiting_ = 0;
  bool one_at_a_time_ = false;  // The last frame had a large item over a limit: the next may have, too.
  uint64_t bytes_waiting_ = 0;
  bool frame_failed_ = false;
  bool pending_response_ = false;
  uint64_t pending_unstored_bytes_ = 0;
  v1::IngestResponse pending_;  // Gathers while another is written.
};

}  // namespace kindred::daemon
