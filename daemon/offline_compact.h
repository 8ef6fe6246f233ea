// kindredd --compact: reclaims unused colours and disk space of a data directory that no daemon serves.

#pragma once

#include "daemon/config.h"
#include "index/store/data_directory.h"
#include "index/store/store_options.h"

namespace kindred::daemon {

// Prints a summary to standard output; returns the exit code.
int CompactOffline(const Config& config, DataDirectory directory, const StoreOptions& options);

}  // namespace kindred::daemon
