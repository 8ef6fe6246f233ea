// What a client knows of hits beyond their similarity: the place of one, from which the next page goes on,
// and the payload and tags of those of an answer.
//
// Threads: free functions on snapshots.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/limits.h"
#include "index/base/tags.h"
#include "index/engine/snapshot.h"
#include "index/search/searcher.h"

namespace kindred {

// The place of a hit that this query could have had. INVALID_ARGUMENT for one that it could not: a place is
// taken as it came, or pages would overlap.
absl::StatusOr<AnswerPlace> PlaceOf(const Hit& after, const Histogram& query, const Scoring& scoring);

struct HitFields {
  std::string payload;
  Tags tags;
};

enum class WantedFields { kNone, kPayload, kTags, kBoth };

// One for each hit, in their order. RESOURCE_EXHAUSTED when they have more than message_bytes_max bytes
// together. Cost: two reads from the store a hit.
absl::StatusOr<std::vector<HitFields>> ReadHitFields(const Snapshot& snapshot, std::span<const Hit> hits,
                                                     WantedFields wanted, const Limits& limits,
                                                     const Interrupt& interrupt);

}  // namespace kindred
