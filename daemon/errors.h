// Our statuses as gRPC's: the codes are the same numbers.

#pragma once

#include <string>

#include "absl/status/status.h"
#include "grpcpp/support/status.h"

namespace kindred::daemon {

inline grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) {
    return grpc::Status::OK;
  }
  return {static_cast<grpc::StatusCode>(status.code()), std::string(status.message())};
}

}  // namespace kindred::daemon
