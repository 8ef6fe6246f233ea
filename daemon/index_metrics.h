// The state of the index as metrics: what is stored, how it lies in memory and on disk, what waits.
//
// Threads: any.

#pragma once

#include "daemon/metrics_text.h"
#include "index/engine/engine.h"

namespace kindred::daemon {

void WriteIndexMetrics(const EngineStats& stats, MetricsText& text);

}  // namespace kindred::daemon
