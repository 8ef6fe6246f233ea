// What the system knows of this process, under the names that Prometheus gives it everywhere.
//
// Threads: any.

#pragma once

#include "daemon/metrics_text.h"

namespace kindred::daemon {

// Leaves out what /proc does not tell.
void WriteProcessMetrics(MetricsText& text);

}  // namespace kindred::daemon
