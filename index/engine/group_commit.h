// One group of writes on its way into the store: applies requests in order, then commits them whole.
//
// Threads: the writer's.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "index/base/limits.h"
#include "index/engine/id_index.h"
#include "index/engine/mutation.h"
#include "index/engine/novelty_check.h"
#include "index/engine/prepared.h"
#include "index/engine/recent_graphs.h"
#include "index/engine/snapshot.h"
#include "index/hierarchy/colour_hierarchy.h"
#include "index/lists/segment.h"
#include "index/store/commit_batch.h"
#include "index/store/store.h"

namespace kindred {

class GroupCommit : private CurrentGraphs {
 public:
  // What of the hierarchy is durable already.
  struct Durable {
    uint32_t labels = 0;
    uint32_t colours = 0;
  };

  // `before` is the snapshot the group builds on; there is room for so many `mutations`. `recent` is up to
  // it; it is needed for requests that have a rule of novelty, and gets what the group stores.
  GroupCommit(Store& store, ColourHierarchy& hierarchy, const Snapshot& before, Durable durable,
              const Limits& limits, size_t mutations, RecentGraphs* recent = nullptr);

  // Applies one request. The status of its result is the request's own; a failed status instead of a result
  // is the store's: the group must be given up.
  absl::StatusOr<WriteResult> Apply(PreparedRequest request);

  // Writes everything, synced.
  absl::Status Commit();
  // After a Commit that returned OK.
  Durable durable() const { return durable_; }

  CommitSequence sequence() const { return sequence_; }
  // Graphs of earlier commits that this group removed; sorted.
  std::vector<GraphId> TakeHidden();
  // The graphs this group stored and did not remove again: tells the index of ids of them, and
  void PutIds(IdIndex& ids) const;
  std::shared_ptr<const Segment> BuildSegment() const;

 private:
  struct Stored {
    GraphId id{};
    std::string external_id;
    std::string histogram;  // Encoded. Empty: removed again by the same group.
    uint32_t vertex_count = 0;
    uint32_t packed_bytes = 0;  // Of the packed histogram, the end of `histogram`.
    Tags tags;
    std::string record;  // Encoded, where it may be compared with.

    bool removed() const { return histogram.empty(); }
    std::string_view packed() const {
      return std::string_view(histogram).substr(histogram.size() - packed_bytes);
    }
  };

  absl::StatusOr<ClientPosition*> PositionOf(const std::string& client_id);
  absl::StatusOr<Outcome> ApplyMutation(PreparedMutation mutation, const NoveltyRule* novelty);
  std::optional<GraphId> FindGraph(const std::string& external_id) const override;
  absl::StatusOr<StoredRecord> ReadRecord(GraphId id) const override;
  std::vector<GraphId> removed() const override { return hidden_; }
  // Nothing: it is novel. Issues no colours.
  absl::StatusOr<std::optional<Outcome>> CheckNovelty(PreparedMutation& mutation, const NoveltyRule& rule);
  void Remove(GraphId id);
  Outcome Delete(std::string external_id, std::optional<GraphId> existing);
  Outcome Put(PreparedMutation mutation, std::optional<GraphId> existing);
  // Issues the colours a graph lacks, unless they are too many, and gives its histogram.
  absl::StatusOr<std::string> Finish(const std::string& external_id, PreparedGraph::Unfinished graph);

  Store& store_;
  ColourHierarchy& hierarchy_;
  const Snapshot& before_;
  const Limits& limits_;
  Durable durable_;
  RecentGraphs* const recent_;

  Refiner refiner_;
  CommitBatch batch_;
  CommitSequence sequence_;
  uint64_t graph_count_;         // Of the index, after what was applied so far.
  std::string molecule_scheme_;  // Of the index, after what was applied so far.
  // What the group itself did to external ids and to clients' positions, on top of `before`.
  absl::flat_hash_map<std::string, std::optional<GraphId>> changed_ids_;
  absl::flat_hash_map<std::string, ClientPosition> positions_;
  std::vector<Stored> stored_;
  std::vector<GraphId> hidden_;
};

}  // namespace kindred
