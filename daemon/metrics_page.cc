#include "daemon/metrics_page.h"

#include "daemon/edge_metrics.h"
#include "daemon/index_metrics.h"
#include "daemon/metrics_text.h"
#include "daemon/monitor.h"
#include "daemon/process_metrics.h"

namespace kindred::daemon {

std::string MetricsPage(Serving& serving) {
  MetricsText text;
  text.Family("kindred_build_info", MetricsText::Type::kGauge, "1; the labels tell what runs.");
  text.Add({{"version", KINDRED_VERSION}}, uint64_t{1});
  const auto admission = serving.Borrow();
  text.Gauge("kindred_ready", "1 while calls are taken.", admission ? 1 : 0);
  serving.monitor().WriteTo(text);
  text.Gauge("kindred_ingest_streams", "Ingest streams under way.", serving.ingest_streams().load());
  if (admission) {
    WriteIndexMetrics(admission->engine->stats(), text);
  }
  WriteEdgeMetrics(serving.edge(), text);
  WriteProcessMetrics(text);
  return text.text();
}

}  // namespace kindred::daemon
