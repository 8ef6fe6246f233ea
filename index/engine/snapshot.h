// The index at one commit sequence: what one search sees, whatever is written meanwhile.
//
// Threads: immutable, so any number of readers; shared by pointer, and alive while anyone holds it.
// Invariant: the segments' live graphs are exactly the graphs of `store`, or, of a filtered one, those that
// match (engine/filtered_snapshot.h).

#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "index/base/ids.h"
#include "index/engine/commit_listeners.h"
#include "index/engine/id_index.h"
#include "index/lists/segment.h"
#include "index/store/store_view.h"

namespace kindred {

struct Snapshot {
  CommitSequence sequence{};
  std::vector<SegmentView> segments;  // Ascending GraphIds.
  std::shared_ptr<const StoreView> store;
  IdIndex::View ids{};
  // Of a filtered one: that without the filter. Null: this is it.
  std::shared_ptr<const Snapshot> unfiltered{};

  // Nothing when no graph of this id is stored. Of a filtered snapshot, too, all graphs count.
  std::optional<GraphId> FindGraph(std::string_view external_id) const;
  // Nothing when the graph is not stored, or not any more. It lives as long as the snapshot does.
  std::optional<std::string_view> ExternalIdOf(GraphId id) const;

  uint64_t graph_count() const {
    uint64_t count = 0;
    for (const SegmentView& view : segments) {
      count += view.live_count();
    }
    return count;
  }
};

// The newest snapshot, for readers to pick up and the writer to replace.
class PublishedSnapshot {
 public:
  explicit PublishedSnapshot(std::shared_ptr<const Snapshot> first) : newest_(std::move(first)) {}

  std::shared_ptr<const Snapshot> get() const {
    const std::scoped_lock lock(mutex_);
    return newest_;
  }

  void Publish(std::shared_ptr<const Snapshot> snapshot) {
    {
      const std::scoped_lock lock(mutex_);
      newest_.swap(snapshot);
    }
    // The old one dies here, if at all: outside the lock.
  }

  // Those who wait for the next commit; the writer notifies them.
  CommitListeners& commits() { return commits_; }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Snapshot> newest_;
  CommitListeners commits_;
};

}  // namespace kindred
