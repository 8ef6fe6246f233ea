// One Watch call to the daemon, read a message at a time: with a time limit for each, which a blocking call
// lacks.
//
// Threads: Read by one caller at a time; Cancel from any thread; the reactions run on threads of gRPC's.
// Lifetime: its end waits until gRPC is done with it.

#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "grpcpp/grpcpp.h"
#include "kindred/v1/kindred.grpc.pb.h"

namespace kindred::client {

class WatchCall final : public grpc::ClientReadReactor<v1::WatchResponse> {
 public:
  // Both must outlive this.
  WatchCall(Connection& connection, const v1::WatchRequest& request,
            std::chrono::steady_clock::time_point deadline);
  ~WatchCall() override;
  WatchCall(const WatchCall&) = delete;
  WatchCall& operator=(const WatchCall&) = delete;

  // The next message, or nothing if none has come by then. The end of the call is an error, also when it is
  // OK: the daemon has no reason to end one.
  absl::StatusOr<std::optional<v1::WatchResponse>> Read(std::chrono::steady_clock::time_point until);

  void Cancel() { context_.TryCancel(); }

  void OnReadDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

 private:
  // Whether the hold is to go now: nothing more will be read. gRPC may be done with a call that is not held
  // as soon as it ended, and nothing may be read from it then.
  bool TakeHold(bool last_read);  // REQUIRES: mutex_ is held.

  const Connection& connection_;
  grpc::ClientContext context_;
  v1::WatchResponse message_;  // Being read, or read and not taken.

  std::mutex mutex_;  // Guards all below.
  std::condition_variable changed_;
  bool reading_ = true;
  bool has_message_ = false;
  bool held_ = true;
  bool ending_ = false;
  std::optional<grpc::Status> done_;
};

}  // namespace kindred::client
