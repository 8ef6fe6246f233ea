// One Recommend call: converts, recommends, converts back.
//
// Threads: on the executor; a free function without state.

#pragma once

#include "absl/status/statusor.h"
#include "index/engine/engine.h"
#include "index/search/interrupt.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

// An error starts with the path of the field: "liked[2].weight: ...", "disliked[0].graph.id: ...".
absl::StatusOr<v1::RecommendResponse> AnswerRecommend(const Engine& engine,
                                                      const v1::RecommendRequest& request,
                                                      const Interrupt& interrupt);

}  // namespace kindred::daemon
