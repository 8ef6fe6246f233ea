// kindredd --restore-from: makes a data directory of a backup.

#pragma once

#include "daemon/config.h"
#include "index/base/interrupt.h"

namespace kindred::daemon {

// Prints a summary to standard output; returns the exit code, kExitSignal when interrupted.
int RestoreOffline(const Config& config, const Interrupt& interrupt);

}  // namespace kindred::daemon
