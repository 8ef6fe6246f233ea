#include "daemon/pairs_request.h"

#include "daemon/convert.h"
#include "index/base/status.h"
#include "index/engine/filtered_snapshot.h"

namespace kindred::daemon {

absl::StatusOr<PairsRequest> ToPairsRequest(const v1::PairsRequest& message, const Limits& limits) {
  PairsRequest request;
  KINDRED_ASSIGN_OR_RETURN(request.measure, ToMeasure(message.measure()));
  request.min_similarity = message.min_similarity();
  KINDRED_RETURN_IF_ERROR(CheckPairSimilarity(request.measure, request.min_similarity));
  if (message.has_depth()) {
    request.depth = message.depth();
  }
  request.weights.assign(message.weights().begin(), message.weights().end());
  KINDRED_ASSIGN_OR_RETURN(request.filter, Filter::Parse(message.filter(), limits));
  request.min_sequence = CommitSequence{message.min_sequence()};
  request.threads = message.threads();
  return request;
}

absl::StatusOr<std::shared_ptr<const Snapshot>> SnapshotFor(const Engine& engine, const PairsRequest& request,
                                                            const Interrupt& interrupt) {
  KINDRED_ASSIGN_OR_RETURN(std::shared_ptr<const Snapshot> newest, engine.snapshot(request.min_sequence));
  return Filtered(std::move(newest), request.filter, interrupt);
}

ParallelFor ThreadsFor(const Engine& engine, const PairsRequest& request) {
  return OnAtMost(request.threads,
                  [&executor = engine.executor()](size_t count, const std::function<void(size_t)>& work) {
                    executor.ParallelFor(count, work);
                  });
}

absl::Status AnnotateField(const absl::Status& status, std::string_view path) {
  const bool names_field = absl::IsInvalidArgument(status) || absl::IsFailedPrecondition(status) ||
                           absl::IsResourceExhausted(status);
  return names_field ? Annotate(status, path) : status;
}

}  // namespace kindred::daemon
