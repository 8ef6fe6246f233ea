// kindredd --verify: audits a data directory that no daemon serves.

#pragma once

#include "daemon/config.h"
#include "index/store/data_directory.h"
#include "index/store/store_options.h"

namespace kindred::daemon {

// Prints the findings and a summary to standard output; returns the exit code. Looks at what is stored alone:
// lists are made from it when a daemon starts.
int VerifyOffline(const Config& config, DataDirectory directory, const StoreOptions& options);

}  // namespace kindred::daemon
