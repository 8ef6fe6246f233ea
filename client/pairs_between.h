// The call PairsBetween: graphs go out, some at a time, while pairs come in.
//
// Threads: one caller, whose thread asks for graphs and sends them; what comes in is taken on another, which
// has
//          ended when the call returns.

#pragma once

#include <chrono>

#include "absl/status/status.h"
#include "client/client.h"
#include "client/connection.h"

namespace kindred::client {

// What `on_pairs` returns if it is not OK, else how the call ended.
absl::Status CallPairsBetween(Connection& connection, const v1::PairsRequest& request,
                              std::chrono::milliseconds timeout, const Client::NextRecord& next,
                              const Client::OnPairs& on_pairs);

}  // namespace kindred::client
