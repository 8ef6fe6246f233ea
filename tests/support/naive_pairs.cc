#include "tests/support/naive_pairs.h"

#include <algorithm>
#include <cmath>

#include "tests/support/reference_model.h"

namespace kindred::test {

void NaivePairs::Add(const std::string& id, const Graph& graph) {
  Entry entry{id, graph.vertex_count(), {}, false};
  for (const auto& counts : NaiveHistogramOf(graph, depth_)) {
    auto& level = entry.levels.emplace_back();
    for (const auto& [colour, count] : counts) {
      const auto number = colours_.try_emplace(colour, static_cast<uint32_t>(colours_.size())).first->second;
      level.emplace_back(number, count);
    }
    std::ranges::sort(level);
  }
  graphs_.push_back(std::move(entry));
}

void NaivePairs::Remove(const std::string& id) {
  for (Entry& entry : graphs_) {
    entry.removed = entry.removed || entry.id == id;
  }
}

void NaivePairs::FillOverlaps(size_t i) const {
  overlaps_.resize(graphs_.size());
  std::vector<uint16_t>& row = overlaps_[i];
  if (!row.empty()) {
    return;
  }
  for (size_t j = 0; j < i; ++j) {
    for (size_t level = 0; level <= depth_; ++level) {
      const auto& ours = graphs_[i].levels[level];
      const auto& theirs = graphs_[j].levels[level];
      uint32_t overlap = 0;
      for (size_t a = 0, b = 0; a < ours.size() && b < theirs.size();) {
        if (ours[a].first == theirs[b].first) {
          overlap += std::min(ours[a++].second, theirs[b++].second);
        } else if (ours[a].first < theirs[b].first) {
          ++a;
        } else {
          ++b;
        }
      }
      row.push_back(static_cast<uint16_t>(overlap));
    }
  }
}

NaivePairs::Scored NaivePairs::ScoreOf(size_t i, size_t j, const PairQuestion& question) const {
  const uint16_t* const overlaps = overlaps_[i].data() + j * (depth_ + 1u);
  double kernel = 0;
  double self_i = 0;
  double self_j = 0;
  for (size_t level = 0; level <= question.depth.value_or(depth_); ++level) {
    const double weight = question.weights.empty() ? 1 : question.weights[level];
    kernel += weight * overlaps[level];
    self_i += weight * graphs_[i].vertices;
    self_j += weight * graphs_[j].vertices;
  }
  switch (question.measure) {
    case Measure::kKernel:
      break;
    case Measure::kCosine:
      return {kernel, kernel / std::sqrt(self_i * self_j)};
    case Measure::kTanimoto:
      return {kernel, kernel / (self_i + self_j - kernel)};
  }
  return {kernel, kernel};
}

double NaivePairs::Similarity(size_t i, size_t j, const PairQuestion& question) const {
  FillOverlaps(std::max(i, j));
  return ScoreOf(std::max(i, j), std::min(i, j), question).similarity;
}

std::vector<IdPair> NaivePairs::Pairs(const PairQuestion& question) const {
  std::vector<IdPair> pairs;
  for (size_t i = 0; i < graphs_.size(); ++i) {
    FillOverlaps(i);
    for (size_t j = 0; j < i; ++j) {
      if (graphs_[i].removed || graphs_[j].removed) {
        continue;
      }
      const Scored scored = ScoreOf(i, j, question);
      if (scored.similarity >= question.min_similarity) {
        const auto& [a, b] = std::minmax(graphs_[i].id, graphs_[j].id);
        pairs.push_back({a, b, scored.kernel, scored.similarity});
      }
    }
  }
  std::ranges::sort(pairs);
  return pairs;
}

}  // namespace kindred::test
