// Lists of graphs that share a feature and may be similar enough for all that comes before it: where pairs
// are looked for.
//
// All features stand in one order, the rarest first. Of two graphs that are similar enough the first feature
// they share comes early for both, since none before it is shared: each has lost all of those, and can reach
// only graphs of a certain size, the fewer the more it has lost [PrefixBound]. A feature's list has the
// graphs that can still reach any, each with the size it reaches: every pair that is similar enough stands in
// the list of its first shared feature, and both reach each other there.
//
// Threads: one user.
// Cost: 8 bytes a graph and a feature, and what FeatureMasks takes. All lists together read every posting
// once.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/base/memory.h"
#include "index/pairs/feature_masks.h"
#include "index/pairs/pair_bounds.h"
#include "index/pairs/pair_parts.h"

namespace kindred {

struct PrefixEntry {
  uint32_t number = 0;
  uint16_t vertices = 0;
  uint16_t reach = 0;  // PairBounds::Reach.
};

// Some lists, one after the other.
struct PrefixBatch {
  struct List {
    uint32_t rank = 0;  // Of its feature.
    uint32_t begin = 0;
    uint32_t end = 0;

    uint32_t size() const { return end - begin; }
  };

  std::vector<List> lists;  // Of two entries at least.
  std::vector<PrefixEntry> entries;
};

class PrefixLists {
 public:
  // Of the graphs of these lanes. All references must outlive this.
  PrefixLists(const PairParts& parts, const PairBounds& bounds, Lanes lanes, const ParallelFor& parallel_for);

  // The next lists, until they have so many entries; false: there are no more.
  bool Next(size_t entries, PrefixBatch& batch);

  // The place of a feature in the order; beyond all of them if no graph has it, or it does not count.
  uint32_t rank(uint32_t feature) const { return ranks_[feature]; }
  // Graphs that stand in no further list.
  uint64_t done_count() const { return done_; }

 private:
  // Of a graph.
  struct Progress {
    uint32_t lost = 0;  // Units.
    uint32_t vertices = 0;
  };

  void Order(const ParallelFor& parallel_for);
  void Prefetch() const;
  void AddList(uint32_t feature, uint32_t weight, std::vector<PrefixEntry>& entries);

  const PairParts& parts_;
  const PairBounds& bounds_;
  Lanes lanes_;  // Of graphs that may stand in further lists.
  std::vector<FeatureMasks> masks_;
  std::vector<uint16_t> partner_mins_;  // By vertex count.
  LargeVector<uint32_t> order_;         // Features that two graphs have or more, the rarest first, and before
                                        // them those of one.
  LargeVector<uint32_t> ranks_;
  LargeVector<Progress> progress_;  // By number.
  uint32_t next_ = 0;
  uint64_t total_ = 0;
  uint64_t done_ = 0;
};

}  // namespace kindred
