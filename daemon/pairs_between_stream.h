// One PairsBetween call: graphs in, their pairs with stored graphs out, in order.
//
// Course: the first message says what similar means; a snapshot is taken then. Of what follows one message at
// a time is worked on, some of its records at once, a page of pairs each. When a message of pairs is full, or
// a twentieth of a second has passed, it is sent, and nothing goes on before it is; so a client that does not
// read holds its own records, a page of pairs for each that is looked at, and no thread.
//
// Threads: gRPC's and the executor's; see BidiStream. One task at most works for the stream: it has all below
//          but what mutex_ guards for itself.

#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "daemon/bidi_stream.h"
#include "daemon/serving.h"
#include "grpcpp/grpcpp.h"
#include "index/base/parallel.h"
#include "index/engine/pairs_between.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

class PairsBetweenStream final : public BidiStream<v1::PairsBetweenRequest, v1::PairsResponse> {
 public:
  // A stream that keeps itself alive until gRPC is done with it.
  static PairsBetweenStream* Start(Serving& serving, grpc::CallbackServerContext& context);

 private:
  using Clock = std::chrono::steady_clock;

  // A record that is being looked at.
  struct Looked {
    uint64_t index = 0;  // Its place in the stream.
    std::string id;
    absl::Status rejected;  // It is no graph, or none that can be compared.
    std::optional<Query> query;
    HitPage page;
    size_t told = 0;      // Hits of the page.
    absl::Status failed;  // The search was interrupted.
  };

  PairsBetweenStream(Serving& serving, grpc::CallbackServerContext& context)
      : BidiStream(serving), context_(context) {}

  void Accept(v1::PairsBetweenRequest request) override;
  bool WantsRequest() const override;
  bool TakeResponse(v1::PairsResponse& response) override;
  bool Busy() const override;
  void Ended(const absl::Status& status) override;

  // Submits a task if there is something to do and none works.
  void Wake();  // REQUIRES: mutex_ is held.
  void Work();
  // Opens, or does a part of the batch; true: all of it is done.
  absl::StatusOr<bool> DoSome(v1::PairsResponse& response);
  absl::Status Open();
  absl::Status CheckRecords() const;
  void LookAtSome();
  void Look(const v1::Record& record, Looked& looked) const;
  // Tells of the first record until its page is told or the message is full; returns the bytes added.
  absl::StatusOr<size_t> TellFirst(size_t bytes_max, v1::PairsResponse& response);
  void FillProgress(v1::PairsResponse& response) const;

  grpc::CallbackServerContext& context_;

  // Guarded by mutex_. The task reads the batch without it: while there is one, nobody else touches it.
  std::optional<v1::PairsBetweenRequest> batch_;  // Being worked on, or to be.
  std::optional<v1::PairsResponse> ready_;        // To be sent.
  bool working_ = false;
  bool submitted_ = false;  // A task was let in once.
  bool ended_ = false;      // The last message was made.

  // The task's.
  v1::PairsRequest asked_;
  std::unique_ptr<const PairsBetween> between_;  // Once opened.
  ParallelFor parallel_for_;
  int next_record_ = 0;        // Of the batch.
  std::deque<Looked> looked_;  // In the order of the records.
  uint64_t looked_count_ = 0;  // Records of all batches that were looked at,
  uint64_t told_count_ = 0;    // and those that were told.
  v1::PairsStats stats_;
  Clock::duration took_{};
};

}  // namespace kindred::daemon
