// All metrics of the daemon as one page of text; docs/monitoring.md lists them.
//
// Threads: any.
// Cost: reads the sizes of all files of the data directory, so some milliseconds of a large one.

#pragma once

#include <string>

#include "daemon/serving.h"

namespace kindred::daemon {

// Without those of the index while it recovers, and once the daemon stops.
std::string MetricsPage(Serving& serving);

}  // namespace kindred::daemon
