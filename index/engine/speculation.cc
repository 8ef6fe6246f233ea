#include "index/engine/speculation.h"

#include <string>
#include <utility>

#include "index/base/status.h"
#include "index/engine/filtered_snapshot.h"

namespace kindred {
namespace {

absl::StatusOr<Graph> ReadGraph(const Snapshot& snapshot, const std::string& external_id) {
  const std::optional<GraphId> id = snapshot.FindGraph(external_id);
  if (!id) {
    return DataLoss("store: the graph '{}' of the lists is not stored", external_id);
  }
  KINDRED_ASSIGN_OR_RETURN(StoredRecord record, snapshot.store->ReadRecord(*id));
  return std::move(record.graph);
}

}  // namespace

std::shared_ptr<const Snapshot> Speculator::TakeSnapshot(const NoveltyRule& rule) const {
  merger_.NoteSearch();
  auto filtered = Filtered(published_.get(), rule.filter, Interrupt());
  return filtered.ok() ? *std::move(filtered) : nullptr;
}

Speculation Speculator::Speculate(const Snapshot* snapshot, const NoveltyRule& rule, Histogram histogram,
                                  const Graph& graph) const {
  if (snapshot == nullptr) {
    return {{}, std::move(histogram), std::nullopt};
  }
  auto finds = FindClosest(snapshot->segments, rule, histogram, graph, steps_max_,
                           [&](const std::string& external_id) { return ReadGraph(*snapshot, external_id); });
  Speculation speculation{snapshot->sequence, std::move(histogram), std::nullopt};
  if (finds.ok()) {
    speculation.finds = *std::move(finds);
  }
  return speculation;
}

}  // namespace kindred
