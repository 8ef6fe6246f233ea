// One Explain call: converts, explains, converts back.
//
// Threads: on the executor; a free function without state.

#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "daemon/slow_query.h"
#include "index/engine/engine.h"
#include "index/search/interrupt.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

// An error starts with the path of the field: "a.id: ...", "b.graph.edges[7]: ...".
absl::StatusOr<v1::ExplainResponse> AnswerExplain(const Engine& engine, const v1::ExplainRequest& request,
                                                  const Interrupt& interrupt);

// Of a slow one: what it was, and what came of it.
std::vector<LogField> LogFieldsOf(const v1::ExplainRequest& request, const v1::ExplainResponse& response);

}  // namespace kindred::daemon
