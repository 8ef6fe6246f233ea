// One Ingest call: frames in, acknowledgements of what is durable out.
//
// Course: a frame is read, converted on the executor, queued for the writer, and only then is the next
// one read, so that frames reach the writer in order. The writer's answers come back in that order and
// are folded into acknowledgements; while one is being written, the next gathers. Reading pauses while
// more than ingest_window_bytes are not acknowledged. When the client has sent its last frame, when a
// frame breaks the protocol, when the daemon drains or the client goes away, nothing more is read; the
// call finishes once every frame that was queued is answered.
//
// Threads: gRPC's, the executor's and the writer's; `mutex_` guards all state. Whoever changed the state
//          calls Advance(), which makes the gRPC calls that follow from it: outside the lock, but one
//          thread at a time, so that none can overtake another (no read may start after Finish).
// Lifetime: held by itself until OnDone, and by each frame on its way through executor and writer.

#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "daemon/serving.h"
#include "grpcpp/grpcpp.h"
#include "index/engine/mutation.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

class IngestStream final : public grpc::ServerBidiReactor<v1::IngestRequest, v1::IngestResponse>,
                           public std::enable_shared_from_this<IngestStream> {
 public:
  // A stream that keeps itself alive until gRPC is done with it.
  static IngestStream* Start(Serving& serving);

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  struct Next {
    bool read = false;
    bool write = false;
    bool finish = false;
  };

  explicit IngestStream(Serving& serving) : serving_(serving) {}

  void Begin();
  void ProcessRequest();
  absl::Status ProcessOpen(const v1::IngestOpen& open);
  absl::Status ProcessFrame(const v1::IngestFrame& frame);
  void OnCommitted(const v1::IngestFrame& frame, uint64_t bytes, const WriteResult& result);
  // Winds the stream up with this status, unless it is winding up already.
  void Stop(absl::Status status);
  void StopReading(absl::Status status);  // The same, for a caller that holds mutex_ and advances later.
  Next Decide();                          // REQUIRES: mutex_ is held.
  // REQUIRES: mutex_ is not held.
  void Advance();

  Serving& serving_;
  std::shared_ptr<IngestStream> self_;
  Serving::Admission admission_;
  Engine* engine_ = nullptr;
  Serving::Handle drain_handle_;

  // Touched by one reader at a time: the frame under way.
  v1::IngestRequest request_;
  WriteMode mode_ = WriteMode::kUpsert;
  uint64_t frames_read_ = 0;

  std::mutex mutex_;
  bool advancing_ = false;  // A thread is in Advance(), and will see what others change.
  bool opened_ = false;
  bool reading_ = false;     // A read is under way.
  bool converting_ = false;  // The frame in `request_` is on its way to the writer.
  bool stop_reading_ = false;
  bool writing_ = false;   // `response_` is being written.
  bool finished_ = false;  // Finish was called.
  uint64_t frames_waiting_ = 0;
  uint64_t bytes_waiting_ = 0;
  absl::Status final_status_;
  bool pending_response_ = false;
  v1::IngestResponse pending_;   // Gathers.
  v1::IngestResponse response_;  // Being written.
};

}  // namespace kindred::daemon
