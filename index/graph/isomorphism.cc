#include "index/graph/isomorphism.h"

#include <algorithm>
#include <span>
#include <vector>

#include "index/graph/pair_partition.h"

namespace kindred {
namespace {

// Looks for a partner in b for every vertex of a, component by component of a.
//
//   [Cancel] Once a component of a has found its partner in b, no other choice for it can help the rest:
//   a graph is its components, as often as each occurs, so that of isomorphic graphs without isomorphic
//   components isomorphic graphs are left. So choices are taken back within a component alone.
class Search {
 public:
  Search(const Graph& a, const Graph& b, uint64_t steps_max) : partition_(a, b, steps_max) {}

  Isomorphism Run() {
    switch (partition_.Refine()) {
      case State::kUnbalanced:
        return Isomorphism::kNo;
      case State::kOutOfSteps:
        return Isomorphism::kUndecided;
      case State::kBalanced:
        break;
    }
    std::vector<bool> seen(partition_.vertices_of_a());
    std::vector<uint32_t> component;
    for (uint32_t v = 0; v < partition_.vertices_of_a(); ++v) {
      if (!seen[v]) {
        GatherComponent(v, seen, component);
        if (const Isomorphism matched = MatchComponent(component); matched != Isomorphism::kYes) {
          return matched;
        }
      }
    }
    return Isomorphism::kYes;
  }

  uint64_t steps() const { return partition_.steps(); }

 private:
  using State = PairPartition::State;

  // A vertex of a that was paired with one of b, while there were others.
  struct Choice {
    uint32_t of_a = 0;
    uint32_t first = 0;  // Of b, that was tried first.
    size_t at = 0;       // In the component.
    size_t mark = 0;
    bool listed = false;
    std::vector<uint32_t> untried;  // Of b, once the first has failed.
  };

  // Breadth first, so that a choice is made close to those before, where it shows soonest what it is worth.
  void GatherComponent(uint32_t start, std::vector<bool>& seen, std::vector<uint32_t>& component) {
    component.assign(1, start);
    seen[start] = true;
    for (size_t i = 0; i < component.size(); ++i) {
      const auto arcs = partition_.arcs(component[i]);
      partition_.AddSteps(1 + arcs.size());
      for (const Graph::Neighbour& arc : arcs) {
        if (!seen[arc.vertex]) {
          seen[arc.vertex] = true;
          component.push_back(arc.vertex);
        }
      }
    }
  }

  // The last vertex of b in the cell, which is near its end.
  uint32_t SomePartner(uint32_t of_a) {
    const auto cell = partition_.CellOf(of_a);
    const auto found = std::find_if(cell.rbegin(), cell.rend(),
                                    [&](uint32_t vertex) { return vertex >= partition_.vertices_of_a(); });
    partition_.AddSteps(static_cast<uint64_t>(found - cell.rbegin()));
    return *found;
  }

  void ListUntried(Choice& choice) {
    const auto cell = partition_.CellOf(choice.of_a);
    partition_.AddSteps(cell.size());
    for (const uint32_t vertex : cell) {
      if (vertex >= partition_.vertices_of_a() && vertex != choice.first) {
        choice.untried.push_back(vertex);
      }
    }
    std::ranges::sort(choice.untried);
    choice.listed = true;
  }

  State TryPair(uint32_t of_a, uint32_t of_b) {
    partition_.Pair(of_a, of_b);
    return partition_.Refine();
  }

  // Tries what is left of the last choices. Leaves none if there is nothing, and kUnbalanced.
  State TryOthers() {
    while (!choices_.empty()) {
      Choice& choice = choices_.back();
      partition_.Undo(choice.mark);
      if (!choice.listed) {
        ListUntried(choice);
      }
      if (choice.untried.empty()) {
        choices_.pop_back();
        continue;
      }
      const uint32_t next = choice.untried.back();
      choice.untried.pop_back();
      if (const State state = TryPair(choice.of_a, next); state != State::kUnbalanced) {
        return state;
      }
    }
    return State::kUnbalanced;
  }

  Isomorphism MatchComponent(std::span<const uint32_t> component) {
    choices_.clear();
    size_t at = 0;
    while (true) {
      const size_t before = at;
      while (at < component.size() && partition_.IsPaired(component[at])) {
        ++at;
      }
      partition_.AddSteps(at - before);
      if (at == component.size()) {
        return Isomorphism::kYes;
      }
      const uint32_t of_a = component[at];
      const uint32_t of_b = SomePartner(of_a);
      choices_.push_back({of_a, of_b, at, partition_.mark(), false, {}});
      State state = TryPair(of_a, of_b);
      if (state == State::kUnbalanced) {
        state = TryOthers();
      }
      if (state != State::kBalanced) {
        return state == State::kUnbalanced ? Isomorphism::kNo : Isomorphism::kUndecided;
      }
      at = choices_.back().at;
    }
  }

  PairPartition partition_;
  std::vector<Choice> choices_;  // Of the component that is being matched.
};

}  // namespace

IsomorphismAnswer DecideIsomorphism(const Graph& a, const Graph& b, uint64_t steps_max) {
  if (a.vertex_count() != b.vertex_count() || a.edge_count() != b.edge_count()) {
    return {Isomorphism::kNo, 0};
  }
  // Before anything is built: so much it takes to read them.
  const uint64_t size = 2 * (uint64_t{a.vertex_count()} + 2 * uint64_t{a.edge_count()});
  if (size > steps_max) {
    return {Isomorphism::kUndecided, steps_max};
  }
  Search search(a, b, steps_max);
  const Isomorphism answer = search.Run();
  // Decided if and only if all its steps are within the bound, wherever the search looked at it last.
  return search.steps() > steps_max ? IsomorphismAnswer{Isomorphism::kUndecided, steps_max}
                                    : IsomorphismAnswer{answer, search.steps()};
}

}  // namespace kindred
