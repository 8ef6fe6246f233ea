// What gRPC and the daemon say of a failure, as absl::Status. The codes are the same numbers.
//
// Threads: free functions without state.

#pragma once

#include "absl/status/status.h"
#include "kindred/v1/kindred.pb.h"

namespace grpc {
class Status;
}

namespace kindred::client {

// A code this version of gRPC does not know becomes UNKNOWN.
absl::Status FromGrpc(const grpc::Status& status);

// OK unless the item was rejected.
absl::Status FromOutcome(const v1::Outcome& outcome);

// Never OK.
absl::Status FromError(const v1::SearchError& error);

}  // namespace kindred::client
