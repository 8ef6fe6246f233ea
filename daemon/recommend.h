// One Recommend call: converts, recommends, converts back.
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

// An error starts with the path of the field: "liked[2].weight: ...", "disliked[0].graph.id: ...".
absl::StatusOr<v1::RecommendResponse> AnswerRecommend(const Engine& engine,
                                                      const v1::RecommendRequest& request,
                                                      const Interrupt& interrupt);

// Of a slow one: what it was, and what it cost.
std::vector<LogField> LogFieldsOf(const v1::RecommendRequest& request, const v1::RecommendResponse& response);

}  // namespace kindred::daemon
