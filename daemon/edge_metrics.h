// What happens at the doors, as metrics.
//
// Threads: free function without state.

#pragma once

#include "daemon/edge/edge_counters.h"
#include "daemon/metrics_text.h"

namespace kindred::daemon {

void WriteEdgeMetrics(const EdgeCounters& counters, MetricsText& text);

}  // namespace kindred::daemon
