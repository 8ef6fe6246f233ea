// The gRPC side of a Client: kept out of client.h, since gRPC's headers take seconds to compile.
//
// Threads: everything from any thread.

#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/credentials.h"
#include "grpcpp/channel.h"
#include "kindred/v1/kindred.grpc.pb.h"

namespace kindred::client {

struct Connection {
  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<v1::Index::Stub> stub;
  std::unique_ptr<v1::Admin::Stub> admin;
};

// Makes a channel; connects when the first call is made.
Connection MakeConnection(const std::string& grpc_target, const Credentials& credentials,
                          int receive_bytes_max);

// How a call ended. Whoever could not connect in time should look for the daemon, not for a longer timeout:
// that is UNAVAILABLE.
absl::Status StatusOf(const Connection& connection, const grpc::Status& status);

// Whether the daemon as a whole is SERVING, by grpc.health.v1.
absl::StatusOr<bool> CheckHealth(const std::shared_ptr<grpc::Channel>& channel,
                                 std::chrono::steady_clock::time_point deadline);

}  // namespace kindred::client
