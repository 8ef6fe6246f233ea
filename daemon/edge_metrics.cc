#include "daemon/edge_metrics.h"

namespace kindred::daemon {

void WriteEdgeMetrics(const EdgeCounters& counters, MetricsText& text) {
  text.Gauge("kindred_connections", "Connections that are open, as of a second ago.", counters.open.load());
  text.Counter("kindred_connections_accepted_total", "Connections that were taken.",
               counters.accepted.load());
  text.Family("kindred_connections_refused_total", MetricsText::Type::kCounter,
              "Connections that were hung up on at once, by what was in the way.");
  for (size_t i = 0; i < kRefusalNames.size(); ++i) {
    text.Add({{"reason", kRefusalNames[i]}}, counters.refused[i].load());
  }
  text.Counter("kindred_connections_made_room_total",
               "Connections that were silent and had to make room for others.", counters.made_room.load());
  text.Counter("kindred_handshakes_timed_out_total",
               "Connections that said too little for a beginning within handshake_ms_max.",
               counters.handshakes_timed_out.load());
  text.Counter("kindred_unauthenticated_total", "Calls that could not say who they are.",
               counters.unauthenticated.load());
  text.Counter("kindred_unauthenticated_held_back_total",
               "Of these, the ones whose answer was held back because their peer fails often.",
               counters.held_back.load());
  text.Counter("kindred_permission_denied_total", "Calls of callers whose role was not enough.",
               counters.denied.load());
}

}  // namespace kindred::daemon
