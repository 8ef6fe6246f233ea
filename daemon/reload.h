// SIGHUP: reads the configuration again, and takes over what can change while the daemon runs.
//
// That is log-level and slow-query-ms. A configuration that is refused changes nothing, and the log says why.
//
// Threads: one call at a time.

#pragma once

#include "daemon/monitor.h"

namespace kindred::daemon {

// The command line as it was, with which the environment and the file are read.
struct CommandLine {
  int argc = 0;
  const char* const* argv = nullptr;
};

void Reload(const CommandLine& command_line, Monitor& monitor);

}  // namespace kindred::daemon
