// Graphs in the place of ids in a WatchRequest: a watch that connects again must ask for the same graphs,
// whatever is stored under their ids by then.
//
// Threads: a free function.

#pragma once

#include "absl/status/status.h"
#include "client/client.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::client {

// NOT_FOUND, as the daemon would say it, for an id that is not stored.
absl::Status ReadGraphsOfIds(Client& client, v1::WatchRequest& request);

}  // namespace kindred::client
