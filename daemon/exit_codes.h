// How kindredd ends; documented in docs/api.md.

#pragma once

namespace kindred::daemon {

enum ExitCode : int {
  kExitFine = 0,
  kExitUsage = 64,      // Wrong flag, environment variable or config file.
  kExitData = 65,       // The data directory is unusable or damaged.
  kExitListen = 69,     // Cannot listen.
  kExitDataInUse = 73,  // Another process holds the data directory.
  kExitSignal = 128,    // Of a command without a daemon, plus the signal that ended it.
};

}  // namespace kindred::daemon
