// absl::Status with fmt messages, and the two macros Abseil of Debian 12 lacks.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"

#define KINDRED_STATUS_CONCAT_INNER(a, b) a##b
#define KINDRED_STATUS_CONCAT(a, b) KINDRED_STATUS_CONCAT_INNER(a, b)

#define KINDRED_RETURN_IF_ERROR(expression)                   \
  do {                                                        \
    if (absl::Status status_ = (expression); !status_.ok()) { \
      return status_;                                         \
    }                                                         \
  } while (false)

#define KINDRED_ASSIGN_OR_RETURN_IMPL(result, target, expression) \
  auto result = (expression);                                     \
  if (!result.ok()) {                                             \
    return std::move(result).status();                            \
  }                                                               \
  target = *std::move(result)

#define KINDRED_ASSIGN_OR_RETURN(target, expression) \
  KINDRED_ASSIGN_OR_RETURN_IMPL(KINDRED_STATUS_CONCAT(result_, __LINE__), target, expression)

namespace kindred {

// MakeStatus(absl::StatusCode::kNotFound, "no graph {}", id)
template <typename... Args>
absl::Status MakeStatus(absl::StatusCode code, fmt::format_string<Args...> format, Args&&... args) {
  return absl::Status(code, fmt::format(format, std::forward<Args>(args)...));
}

template <typename... Args>
absl::Status InvalidArgument(fmt::format_string<Args...> format, Args&&... args) {
  return MakeStatus(absl::StatusCode::kInvalidArgument, format, std::forward<Args>(args)...);
}

template <typename... Args>
absl::Status DataLoss(fmt::format_string<Args...> format, Args&&... args) {
  return MakeStatus(absl::StatusCode::kDataLoss, format, std::forward<Args>(args)...);
}

// The one wording for every named limit.
inline absl::Status OverLimit(std::string_view field, uint64_t actual, std::string_view limit_name,
                              uint64_t limit) {
  return MakeStatus(absl::StatusCode::kResourceExhausted, "{}: {} is over the limit {} = {}", field, actual,
                    limit_name, limit);
}

// The same status with `prefix` before its message: handlers add the path of the field.
inline absl::Status Annotate(const absl::Status& status, std::string_view prefix) {
  if (status.ok()) {
    return status;
  }
  const absl::string_view message = status.message();
  return absl::Status(status.code(),
                      fmt::format("{}{}", prefix, std::string_view(message.data(), message.size())));
}

}  // namespace kindred
