// Novelty to domain and back, and the call that puts what is novel.
//
// Threads: free functions. SubmitPutIfNovel does not block; the writer finishes the call.

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

using PutIfNovelCall = UnaryCall<v1::PutIfNovelRequest, v1::PutIfNovelResponse>;

// Answers the call, at once or when the writer is done.
void SubmitPutIfNovel(PutIfNovelCall& call);

}  // namespace kindred::daemon
