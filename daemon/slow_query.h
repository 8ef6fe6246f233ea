// The line of the log that tells of a slow search: what was asked, what it cost; never a graph, a payload, a
// filter's text or an id of the index.
//
// Threads: any.

#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "daemon/log.h"
#include "grpcpp/server_context.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

// A search as the monitor sees it: what was asked of an index of this depth, and how it went.
struct SearchSeen {
  const v1::SearchRequest& request;
  uint32_t index_depth;
  const absl::StatusOr<v1::SearchResponse>& answer;
  std::chrono::nanoseconds took;
  const grpc::ServerContextBase& context;
};

std::vector<LogField> SlowQueryFields(const SearchSeen& search);

}  // namespace kindred::daemon
