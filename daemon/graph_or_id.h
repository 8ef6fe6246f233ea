// Reads a graph, or the id of a stored one, of any request that takes either.
//
// Threads: a free function without state.

#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "absl/status/statusor.h"
#include "index/base/limits.h"
#include "index/graph/graph.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

// `path` is that of the message; an error starts with it: "a.id: ...", "a.graph.edges[7]: ...".
absl::StatusOr<std::variant<std::string, Graph>> ToGraphOrId(std::string_view path,
                                                             const v1::GraphOrId& message,
                                                             const Limits& limits);

}  // namespace kindred::daemon
