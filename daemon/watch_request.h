// WatchRequest as the engine wants it: checked here or by what is called here, each error with the path of
// its field.

#pragma once

#include <set>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "index/engine/watch.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

// All but the queries, of which only the number is checked.
absl::StatusOr<WatchRequest> ToWatchRequest(const v1::WatchRequest& message, const Limits& limits);

// Adds queries[place]. `names` are those of the queries before it, and point into the message.
absl::Status AddQuery(const v1::WatchRequest& message, int place, const Limits& limits,
                      std::set<std::string_view>& names, Watch& watch);

}  // namespace kindred::daemon
