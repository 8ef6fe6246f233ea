// Addresses as people write them, as gRPC wants them.
//
//     127.0.0.1:5463   [::1]:5463   host:5463   unix:/run/kindred.sock   unix:kindred.sock
//
// Threads: free function without state.

#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace kindred::client {

// The target for a gRPC channel. Refuses what can never be reached (no port, an empty path, a path longer
// than a socket's name may be), so that a typing error is not reported as a daemon that is down.
absl::StatusOr<std::string> ToGrpcTarget(std::string_view address);

}  // namespace kindred::client
