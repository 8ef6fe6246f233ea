// kindred stats --watch: a live view of a daemon, until Ctrl-C.
//
// On a terminal it redraws a few lines in place; elsewhere, and with --json, each look is a line. A daemon
// that goes away is waited for.
//
// Threads: one caller.

#pragma once

#include "absl/status/statusor.h"
#include "client/cli/exit_code.h"
#include "client/cli/session.h"
#include "client/client.h"

namespace kindred::cli {

// The first look must succeed.
absl::StatusOr<ExitCode> WatchStats(const Session& session, client::Client& client, double seconds);

}  // namespace kindred::cli
