// The graphs of a snapshot that were stored after some commit, in the order of their commits.
//
// Those that still lie in memory as they came are read from there; others, which are inverted by now, from
// the store.
//
// Threads: a free function; the snapshot is immutable.
// Cost: a few hundred nanoseconds a graph from memory, a few microseconds from the store.

#pragma once

#include <functional>
#include <string_view>

#include "absl/status/statusor.h"
#include "index/engine/snapshot.h"
#include "index/search/matched_graph.h"

namespace kindred {

struct StoredAfter {
  GraphId id{};
  std::string_view external_id;  // As long as the call of the visitor lasts, as the next.
  MatchedGraph graph;
};

// Until `visit` returns false or an error.
absl::Status ForEachStoredAfter(const Snapshot& snapshot, CommitSequence after,
                                const std::function<absl::StatusOr<bool>(const StoredAfter&)>& visit);

}  // namespace kindred
