#include "client/grpc_status.h"

#include "grpcpp/support/status.h"

namespace kindred::client {
namespace {

// Never OK: whoever calls this has seen that something failed.
absl::StatusCode ToFailure(int code) {
  const bool known = code > static_cast<int>(absl::StatusCode::kOk) &&
                     code <= static_cast<int>(absl::StatusCode::kUnauthenticated);
  return known ? static_cast<absl::StatusCode>(code) : absl::StatusCode::kUnknown;
}

}  // namespace

absl::Status FromGrpc(const grpc::Status& status) {
  if (status.ok()) {
    return absl::OkStatus();
  }
  return absl::Status(ToFailure(status.error_code()), status.error_message());
}

absl::Status FromOutcome(const v1::Outcome& outcome) {
  switch (outcome.kind()) {
    case v1::Outcome::INSERTED:
    case v1::Outcome::REPLACED:
    case v1::Outcome::DELETED:
      return absl::OkStatus();
    default:
      return absl::Status(ToFailure(outcome.code()), outcome.message());
  }
}

absl::Status FromError(const v1::SearchError& error) {
  return absl::Status(ToFailure(error.code()), error.message());
}

}  // namespace kindred::client
