#include "index/graph/pair_partition.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace kindred {
namespace {

// The labels of both graphs in one numbering, by their order: it is the same whichever table lists them.
class SharedLabels {
 public:
  SharedLabels(const Graph& a, const Graph& b) {
    for (const Graph* const graph : {&a, &b}) {
      labels_.insert(labels_.end(), graph->labels().begin(), graph->labels().end());
    }
    std::ranges::sort(labels_);
    labels_.erase(std::unique(labels_.begin(), labels_.end()), labels_.end());
  }

  // For each label of the graph.
  std::vector<uint32_t> Of(const Graph& graph) const {
    std::vector<uint32_t> numbers;
    for (const std::string& label : graph.labels()) {
      numbers.push_back(static_cast<uint32_t>(std::ranges::lower_bound(labels_, label) - labels_.begin()));
    }
    return numbers;
  }

 private:
  std::vector<std::string_view> labels_;
};

}  // namespace

PairPartition::PairPartition(const Graph& a, const Graph& b, uint64_t steps_max)
    : vertices_(a.vertex_count()), steps_max_(steps_max) {
  const SharedLabels labels(a, b);
  const std::vector<uint32_t> labels_of_a = labels.Of(a);
  const std::vector<uint32_t> labels_of_b = labels.Of(b);
  arc_begins_.reserve(2 * size_t{vertices_} + 1);
  arcs_.reserve(4 * size_t{a.edge_count()});
  AddArcs(a, labels_of_a, 0);
  AddArcs(b, labels_of_b, vertices_);
  arc_begins_.push_back(static_cast<uint32_t>(arcs_.size()));

  std::vector<uint32_t> vertex_labels;
  vertex_labels.reserve(2 * size_t{vertices_});
  for (uint32_t v = 0; v < vertices_; ++v) {
    vertex_labels.push_back(labels_of_a[a.vertex_label(v)]);
  }
  for (uint32_t v = 0; v < vertices_; ++v) {
    vertex_labels.push_back(labels_of_b[b.vertex_label(v)]);
  }
  count_.resize(vertex_labels.size());
  BuildLabelCells(vertex_labels);
  steps_ += elements_.size() + arcs_.size();
}

void PairPartition::AddArcs(const Graph& graph, std::span<const uint32_t> labels, uint32_t first) {
  for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
    arc_begins_.push_back(static_cast<uint32_t>(arcs_.size()));
    for (const Graph::Neighbour& neighbour : graph.neighbours(v)) {
      arcs_.push_back({first + neighbour.vertex, labels[neighbour.edge_label]});
    }
  }
}

// The vertices of a and b alternate, so that one of b is never far from the end of a cell.
void PairPartition::BuildLabelCells(std::span<const uint32_t> vertex_labels) {
  for (uint32_t v = 0; v < vertices_; ++v) {
    elements_.push_back(v);
    elements_.push_back(vertices_ + v);
  }
  std::ranges::stable_sort(elements_, {}, [&](uint32_t vertex) { return vertex_labels[vertex]; });
  place_.resize(elements_.size());
  cell_of_.resize(elements_.size());
  for (uint32_t place = 0; place < elements_.size(); ++place) {
    const uint32_t vertex = elements_[place];
    if (place == 0 || vertex_labels[vertex] != vertex_labels[elements_[place - 1]]) {
      cells_.push_back({place, 0});
    }
    place_[vertex] = place;
    cell_of_[vertex] = static_cast<uint32_t>(cells_.size() - 1);
    ++cells_.back().size;
  }
  for (uint32_t cell = 0; cell < cells_.size(); ++cell) {
    Enqueue(cell);
    labels_balanced_ =
        labels_balanced_ && Balanced(std::span(elements_).subspan(cells_[cell].begin, cells_[cell].size));
  }
}

void PairPartition::Enqueue(uint32_t cell) {
  if (!cells_[cell].queued) {
    cells_[cell].queued = true;
    queue_.push_back(cell);
  }
}

PairPartition::State PairPartition::Refine() {
  bool balanced = labels_balanced_;
  while (balanced && !queue_.empty() && !OutOfSteps()) {
    const uint32_t splitter = queue_.back();
    queue_.pop_back();
    cells_[splitter].queued = false;
    from_splitter_.clear();
    for (const uint32_t vertex :
         std::span(elements_).subspan(cells_[splitter].begin, cells_[splitter].size)) {
      for (const Graph::Neighbour& arc : arcs(vertex)) {
        from_splitter_.emplace_back(arc.edge_label, arc.vertex);
      }
    }
    steps_ += 1 + from_splitter_.size();
    std::ranges::sort(from_splitter_);
    for (size_t begin = 0, end = 0; balanced && begin < from_splitter_.size(); begin = end) {
      while (end < from_splitter_.size() && from_splitter_[end].first == from_splitter_[begin].first) {
        ++end;
      }
      balanced = SplitBy(std::span(from_splitter_).subspan(begin, end - begin));
    }
  }
  if (balanced && !OutOfSteps()) {
    return State::kBalanced;
  }
  for (const uint32_t cell : queue_) {
    cells_[cell].queued = false;
  }
  queue_.clear();
  return balanced ? State::kOutOfSteps : State::kUnbalanced;
}

bool PairPartition::SplitBy(std::span<const std::pair<uint32_t, uint32_t>> arcs) {
  touched_.clear();
  for (const auto& [label, vertex] : arcs) {
    if (count_[vertex]++ == 0) {
      touched_.push_back(vertex);
    }
  }
  std::ranges::sort(touched_, {},
                    [&](uint32_t vertex) { return std::tuple(cell_of_[vertex], count_[vertex], vertex); });
  bool balanced = true;
  for (size_t begin = 0, end = 0; balanced && begin < touched_.size(); begin = end) {
    const uint32_t cell = cell_of_[touched_[begin]];
    while (end < touched_.size() && cell_of_[touched_[end]] == cell) {
      ++end;
    }
    balanced = SplitCell(std::span(touched_).subspan(begin, end - begin));
  }
  for (const uint32_t vertex : touched_) {
    count_[vertex] = 0;
  }
  return balanced;
}

// `touched` are all of the cell's that have a count, those of the least first. False: a part is unbalanced.
bool PairPartition::SplitCell(std::span<const uint32_t> touched) {
  const uint32_t cell = cell_of_[touched.front()];
  const bool all = touched.size() == cells_[cell].size;
  if (all && count_[touched.front()] == count_[touched.back()]) {
    return true;
  }
  fragments_.assign(1, cell);
  for (size_t begin = 0, end = 0; begin < touched.size(); begin = end) {
    while (end < touched.size() && count_[touched[end]] == count_[touched[begin]]) {
      ++end;
    }
    const auto members = touched.subspan(begin, end - begin);
    if (!Balanced(members)) {
      return false;
    }
    if (!all || begin > 0) {  // When all have a count, those of the least stay.
      fragments_.push_back(SplitOff(cell, members));
    }
  }
  if (!cells_[cell].queued) {
    // Counts into the largest follow from those into all others and into the whole.
    std::ranges::iter_swap(fragments_.begin(), std::ranges::max_element(fragments_, {}, [&](uint32_t f) {
                             return cells_[f].size;
                           }));
  }
  for (const uint32_t fragment : std::span(fragments_).subspan(1)) {
    Enqueue(fragment);
  }
  return true;
}

uint32_t PairPartition::SplitOff(uint32_t cell, std::span<const uint32_t> members) {
  const auto split = static_cast<uint32_t>(cells_.size());
  uint32_t end = cells_[cell].begin + cells_[cell].size;
  for (const uint32_t vertex : members) {
    MoveToEnd(vertex, --end);
    cell_of_[vertex] = split;
  }
  const auto size = static_cast<uint32_t>(members.size());
  cells_[cell].size -= size;
  cells_.push_back({end, size, cell, false});
  steps_ += size;
  return split;
}

void PairPartition::MoveToEnd(uint32_t vertex, uint32_t place) {
  const uint32_t other = elements_[place];
  std::swap(elements_[place], elements_[place_[vertex]]);
  place_[other] = place_[vertex];
  place_[vertex] = place;
}

bool PairPartition::Balanced(std::span<const uint32_t> members) const {
  const auto of_a = std::ranges::count_if(members, [this](uint32_t vertex) { return vertex < vertices_; });
  return 2 * static_cast<size_t>(of_a) == members.size();
}

void PairPartition::Pair(uint32_t of_a, uint32_t of_b) {
  const uint32_t pair[] = {of_a, of_b};
  Enqueue(SplitOff(cell_of_[of_a], pair));
}

void PairPartition::Undo(size_t mark) {
  while (cells_.size() > mark) {
    const Cell last = cells_.back();
    for (const uint32_t vertex : std::span(elements_).subspan(last.begin, last.size)) {
      cell_of_[vertex] = last.parent;
    }
    cells_[last.parent].size += last.size;
    steps_ += last.size;
    cells_.pop_back();
  }
}

}  // namespace kindred
