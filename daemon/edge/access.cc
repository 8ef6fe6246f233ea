#include "daemon/edge/access.h"

#include <bit>
#include <charconv>
#include <string>
#include <string_view>

#include "absl/strings/cord.h"
#include "daemon/edge/rights.h"
#include "index/base/status.h"
#include "spdlog/spdlog.h"

namespace kindred::daemon {
namespace {

constexpr char kDelayPayload[] = "kindred/delay_ms";
constexpr const char* kHeader = "authorization";
constexpr std::string_view kScheme = "bearer ";

// "Bearer TOKEN", whatever the case of the scheme's name (RFC 7235).
bool StartsWithScheme(std::string_view value) {
  if (value.size() < kScheme.size()) {
    return false;
  }
  for (size_t i = 0; i < kScheme.size(); ++i) {
    const char c = value[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c) != kScheme[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace

struct Access::Caller {
  Role role;
  std::string who;  // For messages.
};

absl::StatusOr<Access::Caller> Access::Identify(const CallContext& call) const {
  const std::shared_ptr<const TokenTable> tokens = secrets_.tokens();
  const auto headers = call.client_metadata().equal_range(kHeader);
  if (tokens != nullptr && headers.first != headers.second) {
    const std::string_view value(headers.first->second.data(), headers.first->second.size());
    if (std::next(headers.first) != headers.second || !StartsWithScheme(value)) {
      return absl::UnauthenticatedError("authorization: has to be one \"Bearer TOKEN\"");
    }
    const TokenTable::Token* const token = tokens->Find(value.substr(kScheme.size()));
    if (token == nullptr) {
      return absl::UnauthenticatedError("authorization: the token is not known here");
    }
    return Caller{token->role, fmt::format("the token of {}", token->name)};
  }
  if (const std::optional<Role> role = call.door_role()) {
    return Caller{*role, "this user of the socket"};
  }
  if (tokens != nullptr) {
    return MakeStatus(absl::StatusCode::kUnauthenticated,
                      "authorization: {} needs a token, and none was sent", call.method);
  }
  if (call.has_client_certificate()) {
    return Caller{certificate_role_, "a client's certificate (--tls-client-role)"};
  }
  return Caller{Role::kAdmin, "everyone"};
}

absl::Status Access::Check(const CallContext& call) {
  const std::optional<Role> needed = RoleNeeded(call.method);
  if (!needed) {
    return MakeStatus(absl::StatusCode::kPermissionDenied, "{} is open to nobody", call.method);
  }
  const absl::StatusOr<Caller> caller = Identify(call);
  if (!caller.ok()) {
    return Unauthenticated(call, caller.status());
  }
  if (caller->role < *needed) {
    ++counters_.denied;
    return MakeStatus(absl::StatusCode::kPermissionDenied, "{} needs the role {}; {} has {}", call.method,
                      RoleName(*needed), caller->who, RoleName(caller->role));
  }
  return absl::OkStatus();
}

absl::Status Access::Unauthenticated(const CallContext& call, absl::Status status) {
  ++counters_.unauthenticated;
  const std::string peer = call.peer_host();
  const Attempts::Failure failure = attempts_.Note(peer, Attempts::Clock::now());
  if (std::has_single_bit(failure.count)) {
    spdlog::warn("refused {} of {}: {} (failure {} of this peer)", call.method, peer,
                 std::string(status.message()), failure.count);
  }
  if (failure.delay.count() > 0) {
    ++counters_.held_back;
    status.SetPayload(kDelayPayload, absl::Cord(std::to_string(failure.delay.count())));
  }
  return status;
}

std::chrono::milliseconds DelayOf(const absl::Status& refusal) {
  const auto payload = refusal.GetPayload(kDelayPayload);
  int64_t delay_ms = 0;
  if (payload) {
    const std::string text(*payload);
    std::from_chars(text.data(), text.data() + text.size(), delay_ms);
  }
  return std::chrono::milliseconds(delay_ms);
}

}  // namespace kindred::daemon
