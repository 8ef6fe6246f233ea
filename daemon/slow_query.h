// The line of the log that tells of a slow search, or of another slow question: what was asked, what it cost;
// never a graph, a payload, a filter's text or an id of the index.
//
// Threads: any.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
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

// Any other question: a recommendation, pairs, clusters, a matrix, an explanation, a check of novelty, an
// export.
struct QuestionSeen {
  const grpc::ServerContextBase& context;
  absl::StatusCode code;
  std::chrono::nanoseconds took;  // In the index; of a stream, without waiting for its client.
  std::function<std::vector<LogField>()> fields;  // What it was and what it cost: asked for if it is slow.
};

std::vector<LogField> SlowQueryFields(const SearchSeen& search);
std::vector<LogField> SlowQueryFields(const QuestionSeen& question);

// As their fields have them: "cosine", "pruned".
std::string MeasureName(v1::Measure measure);
std::string ModeName(v1::SearchMode mode);

}  // namespace kindred::daemon
