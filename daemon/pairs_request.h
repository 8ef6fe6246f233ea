// What Pairs, PairsBetween and Clusters have in common: their request, and what follows from it.

#pragma once

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "index/base/parallel.h"
#include "index/engine/engine.h"
#include "index/engine/pair_search.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

// Checks what can be checked without an index.
absl::StatusOr<PairsRequest> ToPairsRequest(const v1::PairsRequest& message, const Limits& limits);

// The newest, if it is new enough, with the graphs that match.
absl::StatusOr<std::shared_ptr<const Snapshot>> SnapshotFor(const Engine& engine, const PairsRequest& request,
                                                            const Interrupt& interrupt);

// The threads of the executor, as many of them as are asked for.
ParallelFor ThreadsFor(const Engine& engine, const PairsRequest& request);

// `path` before the message of a status that names a field.
absl::Status AnnotateField(const absl::Status& status, std::string_view path);

}  // namespace kindred::daemon
