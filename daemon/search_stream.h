// One SearchStream call: searches in, answers out, in order.
//
// Course: requests are read and wait for one of the stream's lanes, which are tasks on the executor, at most
// one a thread; answers wait until those before them are written. So a stream never has more than its lanes
// in the executor's queue, before which other calls would wait, and a full queue refuses only a stream that
// has no lane yet. Reading pauses while search_stream_max requests have no written answer. The lanes of a
// client that is gone stop; how a call ends otherwise is told by BidiStream.
//
// Threads: gRPC's and the executor's; see BidiStream.
// Invariants: while a request waits, there is a lane, unless the client is gone.

#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "absl/status/statusor.h"
#include "daemon/bidi_stream.h"
#include "daemon/monitor.h"
#include "daemon/serving.h"
#include "grpcpp/grpcpp.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

// Converts, searches, converts back; the monitor counts it.
absl::StatusOr<v1::SearchResponse> AnswerSearch(Monitor& monitor, const Engine& engine,
                                                const v1::SearchRequest& request,
                                                const grpc::CallbackServerContext& context);

class SearchStream final : public BidiStream<v1::SearchRequest, v1::SearchStreamResponse> {
 public:
  // A stream that keeps itself alive until gRPC is done with it.
  static SearchStream* Start(Serving& serving, grpc::CallbackServerContext& context);

 private:
  struct Waiting {
    uint64_t index = 0;
    v1::SearchRequest request;
    RequestBudget::Lease lease;
  };

  SearchStream(Serving& serving, grpc::CallbackServerContext& context)
      : BidiStream(serving), context_(context) {}

  // Gives a request its place among the answers, and sees that a lane will come to it.
  void Accept(v1::SearchRequest request) override;
  bool RefusesUnparsed() const override { return true; }
  void Refuse(const absl::Status& over_limit) override;
  bool WantsRequest() const override;
  bool TakeResponse(v1::SearchStreamResponse& response) override;
  bool Busy() const override;
  // A lane: answers one request, then queues again, behind other calls, while more wait.
  void RunLane();

  grpc::CallbackServerContext& context_;
  int lanes_ = 0;
  std::deque<Waiting> waiting_;                                  // For a lane.
  uint64_t next_write_ = 0;                                      // The index of answers_.front().
  std::deque<std::optional<v1::SearchStreamResponse>> answers_;  // Of what was read and not yet written.
};

}  // namespace kindred::daemon
