#include "client/grpc_status.h"

#include "grpcpp/support/status.h"
#include "gtest/gtest.h"

namespace kindred::client {
namespace {

TEST(GrpcStatusTest, KeepsEveryCodeAndItsMessage) {
  EXPECT_TRUE(FromGrpc(grpc::Status::OK).ok());
  for (int code = 1; code <= 16; ++code) {
    const absl::Status status = FromGrpc(grpc::Status(static_cast<grpc::StatusCode>(code), "why"));
    EXPECT_EQ(static_cast<int>(status.code()), code);
    EXPECT_EQ(status.message(), "why");
  }
}

TEST(GrpcStatusTest, TurnsUnknownCodesIntoUnknown) {
  EXPECT_EQ(FromGrpc(grpc::Status(static_cast<grpc::StatusCode>(17), "?")).code(),
            absl::StatusCode::kUnknown);
  EXPECT_EQ(FromGrpc(grpc::Status(grpc::StatusCode::DO_NOT_USE, "?")).code(), absl::StatusCode::kUnknown);
}

TEST(GrpcStatusTest, OnlyARejectedOutcomeIsAFailure) {
  v1::Outcome outcome;
  for (const auto kind : {v1::Outcome::INSERTED, v1::Outcome::REPLACED, v1::Outcome::DELETED}) {
    outcome.set_kind(kind);
    EXPECT_TRUE(FromOutcome(outcome).ok());
  }
  outcome.set_kind(v1::Outcome::REJECTED);
  outcome.set_code(5);
  outcome.set_message("no graph");
  EXPECT_EQ(FromOutcome(outcome), absl::NotFoundError("no graph"));
}

TEST(GrpcStatusTest, ARejectedOutcomeIsNeverOk) {
  v1::Outcome outcome;
  outcome.set_kind(v1::Outcome::REJECTED);  // And its code is 0.
  EXPECT_EQ(FromOutcome(outcome).code(), absl::StatusCode::kUnknown);
  EXPECT_EQ(FromOutcome(v1::Outcome()).code(), absl::StatusCode::kUnknown);
}

TEST(GrpcStatusTest, TheErrorOfASearchIsNeverOk) {
  v1::SearchError error;
  EXPECT_EQ(FromError(error).code(), absl::StatusCode::kUnknown);
  error.set_code(3);
  error.set_message("k: is 0");
  EXPECT_EQ(FromError(error), absl::InvalidArgumentError("k: is 0"));
}

}  // namespace
}  // namespace kindred::client
