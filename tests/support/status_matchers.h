// What GoogleTest lacks for absl::Status and absl::StatusOr.
//
//   EXPECT_THAT(graph, IsOk());
//   EXPECT_THAT(graph, StatusIs(absl::StatusCode::kInvalidArgument, "edges[3]"));

#pragma once

#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace absl {

// So that GoogleTest shows a result as its status, not its bytes.
template <typename T>
void PrintTo(const StatusOr<T>& result, std::ostream* out) {
  *out << result.status();
}

}  // namespace absl

namespace kindred::test {

// The codes that many tests name.
inline constexpr auto kDataLoss = absl::StatusCode::kDataLoss;
inline constexpr auto kFailedPrecondition = absl::StatusCode::kFailedPrecondition;
inline constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
inline constexpr auto kResourceExhausted = absl::StatusCode::kResourceExhausted;

inline const absl::Status& StatusOf(const absl::Status& status) { return status; }

template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& result) {
  return result.status();
}

MATCHER(IsOk, negation ? "is not OK" : "is OK") {
  *result_listener << StatusOf(arg).ToString();
  return StatusOf(arg).ok();
}

// Has this code, and `part` in its message.
MATCHER_P2(StatusIs, code, part,
           absl::StatusCodeToString(code) + " with '" + std::string(part) + "' in its message") {
  const absl::Status& status = StatusOf(arg);
  *result_listener << status.ToString();
  return status.code() == code && std::string(status.message()).find(part) != std::string::npos;
}

// The value of a result a test cannot go on without. Throws, which fails the test and no other.
template <typename T>
T Must(absl::StatusOr<T> result) {
  if (!result.ok()) {
    throw std::runtime_error(result.status().ToString());
  }
  return *std::move(result);
}

}  // namespace kindred::test
