#include "index/search/query_cover.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "index/base/limits.h"

namespace kindred {
namespace {

// The colours of a query as a forest, and which of them are chosen.
class ColourChoice {
 public:
  ColourChoice(const Histogram& histogram, const ColourHierarchy& hierarchy, const Scoring& scoring,
               const ColourShares& shares)
      : scoring_(scoring) {
    const std::vector<double> saved = DeeperWeights(scoring);
    size_t above = 0;  // Where the nodes of the level above begin.
    for (Level level = 0; level <= scoring.depth(); ++level) {
      const size_t begin = nodes_.size();
      for (const Histogram::Entry& entry : histogram.at_level(level)) {
        overlaps_[level] += entry.count;
        Node node{entry.colour, level, entry.count};
        node.price = shares(entry.colour) / (entry.count * saved[level]);  // Infinite if it saves nothing.
        if (level > 0) {
          Link(node, std::span(nodes_).subspan(above, begin - above), *hierarchy.parent(entry.colour));
        }
        nodes_.push_back(node);
      }
      above = begin;
    }
    by_price_.resize(nodes_.size());
    std::iota(by_price_.begin(), by_price_.end(), 0);
    std::ranges::stable_sort(by_price_, {}, [this](uint32_t node) { return nodes_[node].price; });
  }

  QueryCover Choose(const SimilarityFloor& floor) {
    std::vector<uint32_t> chosen;
    for (size_t i = 0; i < by_price_.size() && !floor.RulesOut(scoring_, overlaps_); ++i) {
      if (nodes_[by_price_[i]].chosen_above == 0) {
        Add(by_price_[i], 1);
        chosen.push_back(by_price_[i]);
      }
    }
    // What was taken first, for little each, may have become superfluous.
    for (auto last = chosen.rbegin(); last != chosen.rend(); ++last) {
      Add(*last, -1);
      if (!floor.RulesOut(scoring_, overlaps_)) {
        Add(*last, 1);
      }
    }
    QueryCover cover;
    for (const uint32_t number : chosen) {
      const Node& node = nodes_[number];
      if (node.chosen && node.chosen_above == 1) {
        cover.terms.push_back({node.colour, node.count});
      }
    }
    cover.kernel_apart = scoring_.Kernel(overlaps_);
    return cover;
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  struct Node {
    ColourId colour{};
    Level level = 0;
    uint32_t count = 0;
    uint32_t first_child = kNone;
    uint32_t next_sibling = kNone;
    int chosen_above = 0;  // Of it and its ancestors.
    bool chosen = false;
    double price = 0;
  };

  // Makes `node`, the next one, a child of the one of these that is its parent.
  void Link(Node& node, std::span<Node> above, ColourId parent) const {
    Node& found = *std::ranges::lower_bound(above, parent, {}, &Node::colour);
    node.next_sibling = found.first_child;
    found.first_child = static_cast<uint32_t>(nodes_.size());
  }

  // Chooses a node (1), or no longer (-1).
  void Add(uint32_t number, int times) {
    nodes_[number].chosen = times > 0;
    AddBelow(number, times);
  }

  // A vertex is shared at a level unless its colour there, or one above, is chosen.
  void AddBelow(uint32_t number, int times) {
    Node& node = nodes_[number];
    const bool shared_before = node.chosen_above == 0;
    node.chosen_above += times;
    const bool shared = node.chosen_above == 0;
    overlaps_[node.level] += (shared ? node.count : 0) - (shared_before ? node.count : 0);
    for (uint32_t child = node.first_child; child != kNone; child = nodes_[child].next_sibling) {
      AddBelow(child, times);
    }
  }

  const Scoring& scoring_;
  // How much a graph may share that wears none of the chosen colours, at each level.
  std::array<uint32_t, kLevelsMax> overlaps_{};
  std::vector<Node> nodes_;  // Level by level, by ascending colour.
  std::vector<uint32_t> by_price_;
};

}  // namespace

std::vector<double> DeeperWeights(const Scoring& scoring) {
  std::vector<double> weights(scoring.depth() + 1u);
  double sum = 0;
  for (size_t level = weights.size(); level-- > 0;) {
    sum += scoring.weight(static_cast<Level>(level));
    weights[level] = sum;
  }
  return weights;
}

QueryCover CoverQuery(const Histogram& histogram, const ColourHierarchy& hierarchy, const Scoring& scoring,
                      const SimilarityFloor& floor, const ColourShares& shares) {
  return ColourChoice(histogram, hierarchy, scoring, shares).Choose(floor);
}

}  // namespace kindred
