// One SearchStream call: searches in, answers out, in order.
//
// Course: requests are read and wait for one of the stream's lanes, which are tasks on the executor, at most
// one a thread; answers wait until those before them are written. So a stream never has more than its lanes
// in the executor's queue, before which other calls would wait, and a full queue refuses only a stream that
// has no lane yet. Reading pauses while search_stream_max requests have no written answer. When the client
// has asked its last, when the daemon drains or the client goes away, nothing more is read; the call finishes
// once every request that was read is answered, or, for a client that is gone, once the lanes have stopped.
//
// Threads: gRPC's and the executor's; `mutex_` guards all state. Whoever changed the state calls Advance(),
//          which makes the gRPC calls that follow from it: outside the lock, but one thread at a time.
// Lifetime: held by itself until OnDone, and by each lane.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "absl/status/statusor.h"
#include "daemon/serving.h"
#include "grpcpp/grpcpp.h"
#include "index/search/interrupt.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

// Converts, searches, converts back.
absl::StatusOr<v1::SearchResponse> AnswerSearch(const Engine& engine, const v1::SearchRequest& request,
                                                const Interrupt& interrupt);

class SearchStream final : public grpc::ServerBidiReactor<v1::SearchRequest, v1::SearchStreamResponse>,
                           public std::enable_shared_from_this<SearchStream> {
 public:
  // A stream that keeps itself alive until gRPC is done with it.
  static SearchStream* Start(Serving& serving, grpc::CallbackServerContext& context);

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

  struct Waiting {
    uint64_t index = 0;
    v1::SearchRequest request;
  };

  SearchStream(Serving& serving, grpc::CallbackServerContext& context)
      : serving_(serving), context_(context) {}

  void Begin();
  // Gives a request its place among the answers, and sees that a lane will come to it.
  void Accept(v1::SearchRequest request);  // REQUIRES: mutex_ is held.
  // A lane: answers one request, then queues again, behind other calls, while more wait.
  void RunLane();
  // Reads no more, and ends with this status unless there was a reason before.
  void Stop(const absl::Status& status);
  bool gone() const;  // REQUIRES: mutex_ is held.
  Next Decide();      // REQUIRES: mutex_ is held.
  // REQUIRES: mutex_ is not held.
  void Advance();

  Serving& serving_;
  grpc::CallbackServerContext& context_;
  std::shared_ptr<SearchStream> self_;
  Serving::Admission admission_;
  Engine* engine_ = nullptr;
  Serving::Handle drain_handle_;

  v1::SearchRequest request_;  // Being read.

  std::mutex mutex_;
  bool advancing_ = false;  // A thread is in Advance(), and will see what others change.
  bool reading_ = false;
  bool writing_ = false;
  bool stop_reading_ = false;
  bool finished_ = false;  // Finish was called.
  int lanes_ = 0;
  std::deque<Waiting> waiting_;                                  // For a lane.
  uint64_t next_write_ = 0;                                      // The index of answers_.front().
  std::deque<std::optional<v1::SearchStreamResponse>> answers_;  // Of what was read and not yet written.
  v1::SearchStreamResponse response_;                            // Being written.
  absl::Status final_status_;
};

}  // namespace kindred::daemon
