// Which graph has an external id: of every id that is stored, and of some that were.
//
// A hash table of GraphIds, without the ids themselves, which lie in the segments. What it says is a hint:
// the hash locates, the id in the segment decides (Snapshot::FindGraph). So what is outdated may stay until
// its place is needed, and a snapshot needs no table of its own: it knows which graphs it has. The key keeps
// clients from choosing ids that collide.
//
// Threads: one writer; any number of readers, each on a View, without waiting for the writer.
// Invariants: (1) a view that is taken after a graph was put has it, until another graph was put that has the
//             same id: then it has that one; (2) what grows is a new table: views keep the one they have.
// Cost: O(1) expected, a line of the cache for an id that is not there. 16 to 24 bytes an id.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "index/base/ids.h"
#include "index/base/memory.h"
#include "index/hierarchy/intern_table.h"

namespace kindred {

class IdIndex {
 private:
  struct Places;

 public:
  class View {
   public:
    // Has nothing.
    View() = default;

    // The graphs that may have this id, until the visitor returns false.
    template <typename Visit>  // bool(GraphId)
    void ForEach(std::string_view external_id, Visit visit) const {
      if (places_ != nullptr) {
        places_->ForEach(HashOf(key_, external_id), [&](size_t at) { return visit(places_->graph(at)); });
      }
    }
    // Lets ForEach find in the processor's cache what it looks at first.
    void Prefetch(std::string_view external_id) const;

   private:
    friend class IdIndex;
    View(HashKey key, std::shared_ptr<const Places> places) : key_(key), places_(std::move(places)) {}

    HashKey key_;
    std::shared_ptr<const Places> places_;
  };

  explicit IdIndex(HashKey key = HashKey::Random());

  // The writer's.
  View view() const { return {key_, places_}; }

  // Before so many are put. What `is_live` says no to is left out if there is much of that; `live` are not.
  void MakeRoom(uint64_t ids, uint64_t live, const std::function<bool(GraphId)>& is_live);

  // `outdated`, of a graph that has the same hash: its place may be taken. REQUIRES: there is room.
  template <typename Outdated>  // bool(GraphId)
  void Put(std::string_view external_id, GraphId graph, Outdated outdated) {
    Put(HashOf(key_, external_id), graph, outdated);
  }

  // From any thread.
  size_t memory_bytes() const { return memory_bytes_.load(std::memory_order_relaxed); }

 private:
  // Open addressing with linear probing. A place is written once with its hash, which publishes its graph;
  // the graph may become another one later.
  struct Places {
    explicit Places(size_t size) : hashes(size), graphs(size) {}

    size_t size() const { return hashes.size(); }
    // Ascends with the hash: a table that grows is copied from one end to the other.
    size_t Home(uint32_t hash) const { return uint64_t{hash} * size() >> 32; }
    GraphId graph(size_t at) const { return GraphId{graphs[at].load(std::memory_order_acquire)}; }

    // Where the hash stands, until the visitor returns false; then the first free place, if it never did.
    template <typename Visit>  // bool(size_t)
    size_t ForEach(uint32_t hash, Visit visit) const {
      size_t at = Home(hash);
      for (;; at = at + 1 == size() ? 0 : at + 1) {
        const uint32_t found = hashes[at].load(std::memory_order_acquire);
        if (found == kFree || (found == hash && !visit(at))) {
          return at;
        }
      }
    }
    void Fill(size_t at, uint32_t hash, GraphId graph) {
      graphs[at].store(Raw(graph), std::memory_order_relaxed);
      hashes[at].store(hash, std::memory_order_release);
    }

    LargeVector<std::atomic<uint32_t>> hashes;
    LargeVector<std::atomic<uint64_t>> graphs;
  };

  static constexpr uint32_t kFree = 0;
  static uint32_t HashOf(const HashKey& key, std::string_view external_id);

  template <typename Outdated>
  void Put(uint32_t hash, GraphId graph, Outdated outdated) {
    bool taken = false;
    const size_t at = places_->ForEach(hash, [&](size_t place) {
      taken = outdated(places_->graph(place));
      return !taken;
    });
    if (taken) {
      places_->graphs[at].store(Raw(graph), std::memory_order_release);
    } else {
      places_->Fill(at, hash, graph);
      ++used_;
    }
  }

  const HashKey key_;
  std::shared_ptr<Places> places_;
  uint64_t used_ = 0;
  std::atomic<size_t> memory_bytes_{0};
};

}  // namespace kindred
