// What the daemon says of itself, as tables and JSON.
//
// Threads: free functions without state.

#pragma once

#include <optional>
#include <string>

#include "client/cli/json.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::cli {

Json StatsJson(const v1::StatsResponse& stats);
std::string StatsText(const v1::StatsResponse& stats);

// What happened a second between two looks at a daemon.
struct StatsRates {
  double writes = 0;
  double commits = 0;
  double searches = 0;
  double postings_a_search = 0;
  double merges = 0;
};

// Nothing when the daemon was started again in between: its counters began anew.
std::optional<StatsRates> RatesBetween(const v1::StatsResponse& before, const v1::StatsResponse& now,
                                       double seconds);

// Without rates (the first look) they are shown as "-", or left out of the JSON.
Json StatsJson(const v1::StatsResponse& stats, const std::optional<StatsRates>& rates);
// A screen of a few lines.
std::string StatsScreen(const v1::StatsResponse& stats, const std::optional<StatsRates>& rates);
// One line.
std::string StatsLine(const v1::StatsResponse& stats, const std::optional<StatsRates>& rates);

}  // namespace kindred::cli
