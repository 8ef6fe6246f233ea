#include "index/search/query_cover.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "index/base/limits.h"

namespace kindred {
namespace {

// How many graphs of all wear a colour, roughly: it was new to the last of the graphs that brought the
// colours before it. That puts colours in about the right order; the sum of several need not mean anything.
double ExpectedShare(ColourId colour) { return 1.0 / (Raw(colour) + 1.0); }

class Chooser {
 public:
  Chooser(const VertexColours& colours, const Scoring& scoring, const SimilarityFloor& floor)
      : colours_(colours),
        scoring_(scoring),
        floor_(floor),
        saved_(DeeperWeights(scoring)),
        chosen_level_(colours.vertex_count(), kNone) {
    overlaps_.fill(colours.vertex_count());
    for (uint32_t v = 0; v < colours.vertex_count(); ++v) {
      Level level = 0;
      while (level <= scoring.depth() && colours.at_level(level)[v] != kUnknownColour) {
        ++level;
      }
      if (level <= scoring.depth()) {
        SetLevel(v, level);
      }
    }
  }

  QueryCover Choose() {
    FindChoices();
    std::vector<Taken> taken;
    for (const Choice& choice : choices_) {
      if (RuledOut()) {
        break;
      }
      if (chosen_level_[vertices_[choice.begin]] > choice.level) {
        taken.push_back(Take(choice));
      }
    }
    for (auto last = taken.rbegin(); last != taken.rend(); ++last) {
      TryWithout(*last);
    }
    return Cover();
  }

 private:
  static constexpr Level kNone = UINT8_MAX;

  // A colour, with the vertices that wear it: vertices_[begin, end).
  struct Choice {
    Level level = 0;
    ColourId colour{};
    size_t begin = 0;
    size_t end = 0;
    double price = 0;
  };
  struct Taken {
    Choice choice;
    std::vector<Level> before;  // Of its vertices.
  };

  bool RuledOut() const { return floor_.RulesOut(scoring_, overlaps_); }

  void SetLevel(uint32_t vertex, Level level) {
    for (Level l = 0; l <= scoring_.depth(); ++l) {
      const bool shared_before = l < chosen_level_[vertex];
      const bool shared = l < level;
      overlaps_[l] += (shared ? 1u : 0u) - (shared_before ? 1u : 0u);
    }
    chosen_level_[vertex] = level;
  }

  void FindChoices() {
    std::vector<uint32_t> order(colours_.vertex_count());
    for (Level level = 0; level <= scoring_.depth() && saved_[level] > 0; ++level) {
      const auto worn = colours_.at_level(level);
      std::iota(order.begin(), order.end(), 0);
      std::ranges::stable_sort(order, {}, [&](uint32_t v) { return worn[v]; });
      for (size_t at = 0; at < order.size() && worn[order[at]] != kUnknownColour;) {
        Choice choice{level, worn[order[at]], vertices_.size(), 0, 0};
        for (; at < order.size() && worn[order[at]] == choice.colour; ++at) {
          vertices_.push_back(order[at]);
        }
        choice.end = vertices_.size();
        choice.price =
            ExpectedShare(choice.colour) / (static_cast<double>(choice.end - choice.begin) * saved_[level]);
        choices_.push_back(choice);
      }
    }
    std::ranges::stable_sort(choices_, {}, &Choice::price);
  }

  Taken Take(const Choice& choice) {
    Taken taken{choice, {}};
    for (size_t i = choice.begin; i < choice.end; ++i) {
      taken.before.push_back(chosen_level_[vertices_[i]]);
      SetLevel(vertices_[i], choice.level);
    }
    return taken;
  }

  // What was taken first, for little each, may have become superfluous.
  void TryWithout(const Taken& taken) {
    if (chosen_level_[vertices_[taken.choice.begin]] != taken.choice.level) {
      return;  // A shallower one took its place.
    }
    for (size_t i = taken.choice.begin; i < taken.choice.end; ++i) {
      SetLevel(vertices_[i], taken.before[i - taken.choice.begin]);
    }
    if (!RuledOut()) {
      Take(taken.choice);
    }
  }

  QueryCover Cover() const {
    QueryCover cover;
    for (const Choice& choice : choices_) {
      if (chosen_level_[vertices_[choice.begin]] == choice.level) {
        cover.terms.push_back(
            {choice.colour, choice.level, static_cast<uint32_t>(choice.end - choice.begin)});
      }
    }
    cover.kernel_apart = scoring_.Kernel(overlaps_);
    return cover;
  }

  const VertexColours& colours_;
  const Scoring& scoring_;
  const SimilarityFloor& floor_;
  const std::vector<double> saved_;  // A vertex, for a colour of each level.
  // Of each vertex the level of its chosen colour, or of its first unknown one.
  std::vector<Level> chosen_level_;
  // How much a graph may share that wears none of them, at each level.
  std::array<uint32_t, kLevelsMax> overlaps_{};
  std::vector<uint32_t> vertices_;
  std::vector<Choice> choices_;  // The cheapest first.
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

QueryCover CoverQuery(const VertexColours& colours, const Scoring& scoring, const SimilarityFloor& floor) {
  return Chooser(colours, scoring, floor).Choose();
}

}  // namespace kindred
