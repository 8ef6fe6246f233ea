// kindredd --restore-from: makes a data directory of a backup.

#pragma once

#include "daemon/config.h"

namespace kindred::daemon {

// Prints a summary to standard output; returns the exit code.
int RestoreOffline(const Config& config);

}  // namespace kindred::daemon
