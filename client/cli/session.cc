#include "client/cli/session.h"

#include <chrono>

#include "absl/strings/match.h"
#include "client/cli/output.h"
#include "client/cli/text.h"
#include "fmt/format.h"

namespace kindred::cli {
namespace {

constexpr double kCallSecondsDefault = 60;
// Streams have no limit that anybody would meet; gRPC still wants a time.
constexpr std::chrono::hours kUnlimited{24 * 365};

bool NeverConnected(std::string_view message) {
  // gRPC's words for a connection that was not made, and ours.
  for (const std::string_view words : {"failed to connect", "connections to all backends failing",
                                       "DNS resolution failed", "empty address list"}) {
    if (message.find(words) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

// The daemon is there, and its disk or a directory it was to write to is not as it should be.
bool IsOfTheStore(const absl::Status& status) { return absl::StartsWith(status.message(), "store: "); }

}  // namespace

absl::StatusOr<std::unique_ptr<client::Client>> Session::Connect() const {
  client::ClientOptions client_options;
  const std::chrono::duration<double> call(options.timeout_seconds.value_or(kCallSecondsDefault));
  client_options.call_timeout = std::chrono::duration_cast<std::chrono::milliseconds>(call);
  client_options.stream_timeout =
      options.timeout_seconds.has_value() ? client_options.call_timeout : kUnlimited;
  client_options.access = options.access;
  return client::Client::Create(options.server, client_options);
}

void Session::Say(std::string_view message) const { fmt::print(err_, "kindred: {}\n", Printable(message)); }

ExitCode Session::Report(const absl::Status& status) const {
  if (IsReaderGone(status)) {
    return ExitCode::kOk;
  }
  Say(Explain(status, options));
  return absl::IsUnavailable(status) && !IsOfTheStore(status) ? ExitCode::kUnreachable : ExitCode::kFailed;
}

std::string Explain(const absl::Status& status, const GlobalOptions& options) {
  const std::string message(status.message());
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
      if (NeverConnected(message)) {
        return fmt::format(
            "cannot reach the daemon at {}: is kindredd running? Start it with \"kindredd --data-dir DIR "
            "--listen {}\", or say with --server or KINDRED_SERVER where it is. ({})",
            options.server, options.server, message);
      }
      if (IsOfTheStore(status)) {
        return fmt::format("the daemon at {} could not do it: {}", options.server, message);
      }
      if (message.starts_with("kindredd ")) {  // Its own words: it recovers, it stops.
        return fmt::format("the daemon at {} takes no work: {}", options.server, message);
      }
      return fmt::format("lost the daemon at {}; is kindredd still running? ({})", options.server, message);
    case absl::StatusCode::kDeadlineExceeded:
      return fmt::format("the daemon at {} did not answer in time; --timeout S allows more. ({})",
                         options.server, message);
    case absl::StatusCode::kUnauthenticated:
      return fmt::format(
          "the daemon at {} does not know who asks; --token-file or KINDRED_TOKEN_FILE says. ({})",
          options.server, message);
    case absl::StatusCode::kUnimplemented:
      return fmt::format("the daemon at {} does not know this call; is it an older kindredd? ({})",
                         options.server, message);
    default:
      return message.empty() ? absl::StatusCodeToString(status.code()) : message;
  }
}

}  // namespace kindred::cli
