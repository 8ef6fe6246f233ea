#include "index/histogram/assignment.h"

#include <algorithm>
#include <compare>
#include <span>
#include <utility>

namespace kindred {
namespace {

constexpr uint32_t kNobody = UINT32_MAX;

// Where there are more choices, or more neighbours to look at, the vertex numbers choose: atoms have few of
// both, and a hub of thousands must not cost their square.
constexpr size_t kChoicesMax = 16;
constexpr size_t kDegreeMax = 16;

// What colours a level gives the vertices of both graphs. At the level of those that agree nowhere all wear
// one.
struct LevelColours {
  std::span<const ColourId> a;
  std::span<const ColourId> b;
};

// A vertex with its colour, to be sorted: by colour, then by number.
using Coloured = std::pair<ColourId, uint32_t>;

// Calls take(part of a, part of b) for each colour that stands in both. Both are sorted.
template <typename Taker>
void ForEachShared(std::span<const Coloured> a, std::span<const Coloured> b, const Taker& take) {
  const auto run = [](std::span<const Coloured> from) {
    size_t length = 1;
    while (length < from.size() && from[length].first == from[0].first) {
      ++length;
    }
    return length;
  };
  while (!a.empty() && !b.empty()) {
    const size_t run_a = run(a);
    const size_t run_b = run(b);
    if (a[0].first == b[0].first) {
      take(a.first(run_a), b.first(run_b));
    }
    const bool skip_a = a[0].first <= b[0].first;
    const bool skip_b = b[0].first <= a[0].first;
    a = a.subspan(skip_a ? run_a : 0);
    b = b.subspan(skip_b ? run_b : 0);
  }
}

class Assigner {
 public:
  Assigner(const Graph& a, const Graph& b)
      : a_(a), b_(b), partner_of_a_(a.vertex_count(), kNobody), partner_of_b_(b.vertex_count(), kNobody) {}

  // Pairs off all that wear one colour, as far as both graphs have some left.
  void AssignLevel(const LevelColours& colours, uint32_t levels) {
    const std::vector<Seed> seeds = Seeds(colours);
    auto seed = seeds.begin();
    for (; seed != seeds.end() && seed->choices == 1; ++seed) {
      Assign(groups_[seed->group].a[0].second, groups_[seed->group].b[0].second, levels);
    }
    // What was assigned at deeper levels may now draw its neighbours along, too.
    next_ = 0;
    Spread(colours, levels);
    for (; seed != seeds.end(); ++seed) {
      AssignColour(colours, groups_[seed->group], levels);
    }
  }

  bool done() const { return pairs_.size() == std::min(a_.vertex_count(), b_.vertex_count()); }
  std::vector<Assignment::Pair> TakePairs() && {
    std::ranges::sort(pairs_, {}, &Assignment::Pair::a);
    return std::move(pairs_);
  }

 private:
  // The unassigned vertices of one colour.
  struct Group {
    std::span<const Coloured> a;
    std::span<const Coloured> b;
  };
  struct Seed {
    uint64_t choices = 0;
    uint32_t first = 0;  // The first vertex of a.
    size_t group = 0;    // Of groups_.

    // NOLINTNEXTLINE(modernize-use-nullptr): takes a 0 in what is generated for a pointer.
    friend auto operator<=>(const Seed&, const Seed&) = default;
  };

  // The colours that both graphs have left: those with the fewest choices first.
  std::vector<Seed> Seeds(const LevelColours& colours) {
    left_a_ = Unassigned(colours.a, partner_of_a_);
    left_b_ = Unassigned(colours.b, partner_of_b_);
    groups_.clear();
    std::vector<Seed> seeds;
    ForEachShared(left_a_, left_b_, [&](std::span<const Coloured> a, std::span<const Coloured> b) {
      seeds.push_back({uint64_t{a.size()} * b.size(), a[0].second, groups_.size()});
      groups_.push_back({a, b});
    });
    std::ranges::sort(seeds);
    return seeds;
  }

  static std::vector<Coloured> Unassigned(std::span<const ColourId> colours,
                                          const std::vector<uint32_t>& partners) {
    std::vector<Coloured> left;
    for (uint32_t v = 0; v < partners.size(); ++v) {
      if (partners[v] == kNobody) {
        left.emplace_back(colours[v], v);
      }
    }
    std::ranges::sort(left);
    return left;
  }

  void AssignColour(const LevelColours& colours, const Group& group, uint32_t levels) {
    auto at_b = group.b.begin();
    for (const auto& [colour_a, vertex_a] : group.a) {
      // The spreading from an earlier seed may have taken either.
      while (at_b != group.b.end() && partner_of_b_[at_b->second] != kNobody) {
        ++at_b;
      }
      if (at_b == group.b.end()) {
        return;
      }
      if (partner_of_a_[vertex_a] == kNobody) {
        Assign(vertex_a, at_b->second, levels);
        Spread(colours, levels);
      }
    }
  }

  void Assign(uint32_t a, uint32_t b, uint32_t levels) {
    partner_of_a_[a] = b;
    partner_of_b_[b] = a;
    pairs_.push_back({a, b, levels});
  }

  // From each pair that has not been looked at on this level, in the order they were made, to its neighbours.
  void Spread(const LevelColours& colours, uint32_t levels) {
    for (; next_ < pairs_.size(); ++next_) {
      const Assignment::Pair pair = pairs_[next_];
      near_a_.clear();
      near_b_.clear();
      for (const Graph::Neighbour& near : a_.neighbours(pair.a)) {
        if (partner_of_a_[near.vertex] == kNobody) {
          near_a_.emplace_back(colours.a[near.vertex], near.vertex);
        }
      }
      if (near_a_.empty()) {
        continue;
      }
      for (const Graph::Neighbour& near : b_.neighbours(pair.b)) {
        if (partner_of_b_[near.vertex] == kNobody) {
          near_b_.emplace_back(colours.b[near.vertex], near.vertex);
        }
      }
      std::ranges::sort(near_a_);
      std::ranges::sort(near_b_);
      ForEachShared(near_a_, near_b_, [&](std::span<const Coloured> a, std::span<const Coloured> b) {
        AssignNeighbours(a, b, levels);
      });
    }
  }

  // Pairs off neighbours of one colour: first those that keep most bonds to what is assigned.
  void AssignNeighbours(std::span<const Coloured> a, std::span<const Coloured> b, uint32_t levels) {
    const size_t count = std::min(a.size(), b.size());
    if (!IsFew(a, b)) {
      for (size_t i = 0; i < count; ++i) {
        Assign(a[i].second, b[i].second, levels);
      }
      return;
    }
    for (size_t i = 0; i < count; ++i) {
      Assignment::Pair best{kNobody, kNobody, levels};
      uint32_t best_kept = 0;
      for (const auto& [colour_a, vertex_a] : a) {
        for (const auto& [colour_b, vertex_b] : b) {
          if (partner_of_a_[vertex_a] != kNobody || partner_of_b_[vertex_b] != kNobody) {
            continue;
          }
          const uint32_t kept = KeptEdges(vertex_a, vertex_b);
          if (best.a == kNobody || kept > best_kept) {
            best = {vertex_a, vertex_b, levels};
            best_kept = kept;
          }
        }
      }
      Assign(best.a, best.b, levels);
    }
  }

  bool IsFew(std::span<const Coloured> a, std::span<const Coloured> b) const {
    return a.size() * b.size() <= kChoicesMax && std::ranges::all_of(a, [this](const Coloured& coloured) {
             return a_.neighbours(coloured.second).size() <= kDegreeMax;
           });
  }

  // The edges from `vertex_a` whose other end has a partner joined to `vertex_b`; twice, if by the same
  // label.
  uint32_t KeptEdges(uint32_t vertex_a, uint32_t vertex_b) const {
    uint32_t kept = 0;
    for (const Graph::Neighbour& near : a_.neighbours(vertex_a)) {
      const uint32_t partner = partner_of_a_[near.vertex];
      const auto around = b_.neighbours(vertex_b);
      const auto found = std::ranges::lower_bound(around, partner, {}, &Graph::Neighbour::vertex);
      if (found != around.end() && found->vertex == partner) {
        kept += b_.labels()[found->edge_label] == a_.labels()[near.edge_label] ? 2 : 1;
      }
    }
    return kept;
  }

  const Graph& a_;
  const Graph& b_;
  std::vector<uint32_t> partner_of_a_;
  std::vector<uint32_t> partner_of_b_;
  std::vector<Assignment::Pair> pairs_;  // In the order they were made.
  size_t next_ = 0;                      // The first pair whose neighbours were not looked at on this level.

  std::vector<Coloured> left_a_;  // What groups_ points into.
  std::vector<Coloured> left_b_;
  std::vector<Group> groups_;
  std::vector<Coloured> near_a_;
  std::vector<Coloured> near_b_;
};

}  // namespace

Assignment AssignVertices(const Graph& a, const Graph& b, const PairColours& colours) {
  Assigner assigner(a, b);
  const uint32_t levels_all = colours.a.depth() + 1u;
  for (uint32_t levels = levels_all; levels > 0 && !assigner.done(); --levels) {
    const auto level = static_cast<Level>(levels - 1);
    assigner.AssignLevel({colours.a.at_level(level), colours.b.at_level(level)}, levels);
  }
  if (!assigner.done()) {
    // Nothing that is left agrees with anything left on the other side: any pairs will do.
    const std::vector<ColourId> anything(std::max(a.vertex_count(), b.vertex_count()));
    assigner.AssignLevel({anything, anything}, 0);
  }
  Assignment assignment{std::move(assigner).TakePairs(), std::vector<uint32_t>(levels_all, 0)};
  for (const Assignment::Pair& pair : assignment.pairs) {
    for (uint32_t level = 0; level < pair.levels; ++level) {
      ++assignment.overlaps[level];
    }
  }
  return assignment;
}

}  // namespace kindred
