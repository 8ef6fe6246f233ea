#include "index/engine/hit_fields.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "index/base/status.h"

namespace kindred {
namespace {

constexpr size_t kHitsBetweenChecks = 100;

// K of two graphs that agree in all their vertices, as far as there are, and a little for rounding.
double KernelMax(const Scoring& scoring, uint32_t vertices) {
  double weights = 0;
  for (Level level = 0; level <= scoring.depth(); ++level) {
    weights += scoring.weight(level);
  }
  return weights * vertices * (1 + 1e-9);
}

}  // namespace

absl::StatusOr<AnswerPlace> PlaceOf(const Hit& after, const Histogram& query, const Scoring& scoring) {
  if (after.id.empty() || after.id.size() > kExternalIdBytesMax) {
    return InvalidArgument("after.id: has {} bytes; an id has 1 to {}", after.id.size(), kExternalIdBytesMax);
  }
  constexpr uint64_t kVerticesMax = HighestLimits().vertices_max;
  if (after.vertices == 0 || after.vertices > kVerticesMax) {
    return InvalidArgument("after.vertices: {} is not between 1 and {}", after.vertices, kVerticesMax);
  }
  const double most = KernelMax(scoring, std::min(after.vertices, query.vertex_count()));
  if (!(after.kernel >= 0 && after.kernel <= most)) {
    return InvalidArgument("after.kernel: {} is not that of a hit of this query with {} vertices",
                           after.kernel, after.vertices);
  }
  if (scoring.integral() && after.kernel != std::floor(after.kernel)) {
    return InvalidArgument("after.kernel: {} is no integer, though all weights are", after.kernel);
  }
  const Score score{after.kernel, after.vertices};
  const double similarity = scoring.Similarity(score, query.vertex_count());
  if (after.similarity != similarity) {
    return InvalidArgument(
        "after.similarity: {} is not that of a hit of this query with kernel {} and {} vertices, {}; give "
        "the last "
        "hit of the page before, as it came, and ask the same",
        after.similarity, after.kernel, after.vertices, similarity);
  }
  return AnswerPlace{score, after.id};
}

absl::StatusOr<std::vector<HitFields>> ReadHitFields(const Snapshot& snapshot, std::span<const Hit> hits,
                                                     WantedFields wanted, const Limits& limits,
                                                     const Interrupt& interrupt) {
  std::vector<HitFields> all;
  all.reserve(hits.size());
  uint64_t bytes = 0;
  for (const Hit& hit : hits) {
    if (all.size() % kHitsBetweenChecks == 0) {
      KINDRED_RETURN_IF_ERROR(interrupt.Check());
    }
    const std::optional<GraphId> found = snapshot.FindGraph(hit.id);
    if (!found) {
      return DataLoss("lists: the graph '{}' was found, but is not there", hit.id);
    }
    KINDRED_ASSIGN_OR_RETURN(StoredRecord record, snapshot.store->ReadRecord(*found));
    HitFields& fields = all.emplace_back();
    if (wanted == WantedFields::kPayload || wanted == WantedFields::kBoth) {
      fields.payload = std::move(record.payload);
    }
    if (wanted == WantedFields::kTags || wanted == WantedFields::kBoth) {
      fields.tags = std::move(record.tags);
    }
    bytes += fields.payload.size();
    for (const auto& [key, value] : fields.tags) {
      bytes += key.size() + value.size();
    }
    if (bytes > limits.message_bytes_max) {
      return OverLimit("bytes of the answer", bytes, "message_bytes_max", limits.message_bytes_max);
    }
  }
  return all;
}

}  // namespace kindred
