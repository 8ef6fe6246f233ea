// Novelty to domain and back, and the call that puts what is novel.
//
// Threads: free functions. SubmitPutIfNovel runs on the executor; the writer finishes the call.

#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "daemon/unary_call.h"
#include "index/engine/engine.h"
#include "index/engine/novelty.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

// `path` names the rule in errors.
absl::StatusOr<NoveltyRule> ToNoveltyRule(const v1::NoveltyRule& message, std::string_view path,
                                          const Engine& engine);

v1::ClosestGraph ToProto(const ClosestGraph& closest);

// Finishes the call, at once or when the writer is done. `request` and `response` live as long as the call.
void SubmitPutIfNovel(UnaryCall& call, const v1::PutIfNovelRequest& request,
                      v1::PutIfNovelResponse& response);

}  // namespace kindred::daemon
