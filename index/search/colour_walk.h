// The colours of a graph, or of a query, in the order of ColourPostings, with what is left of it if all that
// came before are not shared.
//
//   [FirstShared] Let c be the first colour that a query and a graph both wear. What either wears before c
//   the other does not: at level l at most left_l are shared, the vertices whose colour of that level is c or
//   comes later; and no deeper level shares more than one above it. So the kernel is at most the sum of
//   weight_l times the least of left_0..left_l, of each of the two.
//
// Both sides walk by this code, so that their orders agree.
//
// Threads: one user, graph after graph.
// Cost: a few nanoseconds a colour, and a heap of those that several queries wear, as far as it is walked.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "index/base/limits.h"
#include "index/base/mutant.h"
#include "index/histogram/measure.h"
#include "index/search/colour_postings.h"
#include "index/search/matched_graph.h"

namespace kindred {

class ColourWalk {
 public:
  // Where it stands.
  struct Step {
    const ColourPostings::Slot* slot = nullptr;  // Null: the table does not have the colour.
    ColourId colour{};
    // Of each level, what may be shared if nothing before is. Falls along the walk, and from level to level.
    std::span<const uint32_t> left;
  };

  // Of the levels that count.
  explicit ColourWalk(const Scoring& scoring) : depth_(scoring.depth()) {
    for (Level level = 0; level <= depth_; ++level) {
      counts_[level] = scoring.weight(level) > 0;
    }
  }

  // Calls visit(step) for colour after colour, until it returns false. `graph` has all levels of the scoring.
  template <typename Visit>
  void Run(const ColourPostings& postings, const MatchedGraph& graph, Visit visit) {
    Begin(postings, graph);
    // Those that rank 0 come first, and are in order already.
    ranked_.clear();
    for (size_t at = found_.size(); at-- > 0;) {
      const Found& found = found_[at];
      if (found.slot != nullptr && found.slot->rank > 0) {
        ranked_.push_back({found.slot->rank, static_cast<uint32_t>(at)});
      } else if (!visit(Lose(found))) {
        return;
      }
    }
    for (std::ranges::make_heap(ranked_, IsLater); !ranked_.empty(); ranked_.pop_back()) {
      std::ranges::pop_heap(ranked_, IsLater);
      if (!visit(Lose(found_[ranked_.back().at]))) {
        return;
      }
    }
  }

 private:
  // By ascending level, and in it by ascending colour; so what stands later here comes earlier in the walk.
  struct Found {
    const ColourPostings::Slot* slot = nullptr;
    Histogram::Entry entry;
    Level level = 0;
  };
  struct Ranked {
    uint32_t rank = 0;
    uint32_t at = 0;  // In found_.
  };

  static bool IsLater(const Ranked& a, const Ranked& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.at < b.at;
  }

  void Begin(const ColourPostings& postings, const MatchedGraph& graph) {
    found_.clear();
    for (Level level = 0; level <= depth_; ++level) {
      left_[level] = counts_[level] ? 0 : graph.vertex_count;
      if (!counts_[level]) {
        continue;
      }
      for (const Histogram::Entry& entry : graph.levels[level]) {
        left_[level] += entry.count;
        found_.push_back({postings.Prefetch(entry.colour), entry, level});
      }
    }
    for (Found& found : found_) {
      found.slot = postings.Find(found.entry.colour, found.slot);
    }
    Cap();
  }

  // What is left before the colour is lost: that is told.
  Step Lose(const Found& found) {
    std::copy_n(capped_.begin(), depth_ + 1u, told_.begin());
    left_[found.level] -= found.entry.count;
    Cap();
    return {found.slot, found.entry.colour, std::span(told_).first(depth_ + 1u)};
  }

  void Cap() {
    uint32_t least = UINT32_MAX;
    for (Level level = 0; level <= depth_; ++level) {
      least = std::min(least, left_[level]);
      capped_[level] = least - std::min(least, TooTight(Mutant::kFirstSharedLeft));
    }
  }

  const Level depth_;
  std::array<bool, kLevelsMax> counts_{};
  std::vector<Found> found_;
  std::vector<Ranked> ranked_;
  std::array<uint32_t, kLevelsMax> left_{};
  std::array<uint32_t, kLevelsMax> capped_{};
  std::array<uint32_t, kLevelsMax> told_{};
};

}  // namespace kindred
