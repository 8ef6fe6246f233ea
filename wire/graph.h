// A graph as it travels becomes a checked Graph: the same for the daemon, which is sent one, and for a
// command that reads one from a file.
//
// Threads: free functions without state.

#pragma once

#include "absl/status/statusor.h"
#include "index/graph/graph.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred {

// Refuses what Graph::Create does, and lists whose lengths do not fit; an error starts with the field.
absl::StatusOr<Graph> ToGraph(const v1::Graph& message, const Limits& limits);

}  // namespace kindred
