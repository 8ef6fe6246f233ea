#include "index/lists/similarity_order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "index/base/memory.h"
#include "index/lists/block_index.h"

namespace kindred {
namespace {

constexpr uint32_t kSizeClassVertices = 2;
constexpr int kRoundsMax = 8;
// Rounds end when fewer than one graph in so many still moves.
constexpr uint32_t kMovedShareMin = 1000;

// log2(1 + x), from a table where it matters.
class Log2 {
 public:
  Log2() {
    for (size_t i = 0; i < table_.size(); ++i) {
      table_[i] = std::log2(static_cast<float>(i + 1));
    }
  }
  float OnePlus(uint32_t x) const {
    return x < table_.size() ? table_[x] : std::log2(static_cast<float>(x) + 1.0F);
  }

 private:
  std::array<float, 4096> table_{};
};

// Graphs on their way down the recursion, with the colours that still tell some of them apart, numbered
// densely: what is looked at often stays in the cache.
struct Part {
  // Colours beyond kColoursMax, which have to be rare, are left out.
  static constexpr uint32_t kColoursMax = 1 << 24;
  struct Worn {
    uint32_t colour : 24;
    uint32_t count : 8;
  };
  static_assert(kBlockCountMax < 1 << 8);

  std::vector<uint32_t> graphs;  // The caller's numbers.
  std::vector<size_t> ends;      // Of each graph's colours.
  LargeVector<Worn> worn;
  uint32_t colour_count = 0;

  uint32_t size() const { return static_cast<uint32_t>(graphs.size()); }
  std::span<const Worn> colours(uint32_t graph) const {
    const size_t begin = graph == 0 ? 0 : ends[graph - 1];
    return std::span(worn).subspan(begin, ends[graph] - begin);
  }
};

class Bisection {
 public:
  Bisection(std::vector<uint32_t>& order, uint32_t first_lane, const std::stop_token& stop)
      : order_(order), first_lane_(first_lane), stop_(stop) {}

  void Run(Part part) {
    if (part.size() <= kBlockGraphs || stop_.stop_requested()) {
      order_.insert(order_.end(), part.graphs.begin(), part.graphs.end());
      return;
    }
    // Cut where a block ends, as near to the middle as may be.
    const auto begin = static_cast<uint32_t>(order_.size()) + first_lane_;
    const uint32_t middle = begin + part.size() / 2;
    const uint32_t half = std::max(middle / kBlockGraphs, begin / kBlockGraphs + 1) * kBlockGraphs - begin;
    const std::vector<uint32_t> places = Split(part, half);
    Part left = Take(part, std::span(places).first(half));
    Part right = Take(part, std::span(places).subspan(half));
    part = {};
    Run(std::move(left));
    Run(std::move(right));
  }

 private:
  // How often the colour is worn in either half.
  struct Worn {
    uint32_t left = 0;
    uint32_t right = 0;
  };

  // A permutation of the part's graphs of which the first `half` belong together.
  std::vector<uint32_t> Split(const Part& part, uint32_t half) {
    std::vector<uint32_t> places(part.size());
    std::iota(places.begin(), places.end(), 0);
    std::vector<Worn> worn(part.colour_count);
    std::vector<bool> is_left(part.size());
    for (uint32_t graph = 0; graph < part.size(); ++graph) {
      is_left[graph] = graph < half;
      for (const Part::Worn& colour : part.colours(graph)) {
        (is_left[graph] ? worn[colour.colour].left : worn[colour.colour].right) += colour.count;
      }
    }
    std::vector<float> pull(part.colour_count);  // To the left.
    std::vector<float> score(part.size());
    for (int round = 0; round < kRoundsMax; ++round) {
      for (uint32_t colour = 0; colour < part.colour_count; ++colour) {
        pull[colour] = log2_.OnePlus(worn[colour].left) - log2_.OnePlus(worn[colour].right);
      }
      for (uint32_t graph = 0; graph < part.size(); ++graph) {
        float sum = 0;
        for (const Part::Worn& colour : part.colours(graph)) {
          sum += pull[colour.colour] * static_cast<float>(colour.count);
        }
        score[graph] = sum;
      }
      std::nth_element(places.begin(), places.begin() + half, places.end(), [&](uint32_t a, uint32_t b) {
        return score[a] != score[b] ? score[a] > score[b] : a < b;
      });
      uint32_t moved = 0;
      for (uint32_t place = 0; place < part.size(); ++place) {
        const uint32_t graph = places[place];
        if (is_left[graph] == (place < half)) {
          continue;
        }
        ++moved;
        is_left[graph] = place < half;
        for (const Part::Worn& colour : part.colours(graph)) {
          Worn& both = worn[colour.colour];
          (is_left[graph] ? both.left : both.right) += colour.count;
          (is_left[graph] ? both.right : both.left) -= colour.count;
        }
      }
      if (uint64_t{moved} * kMovedShareMin < part.size()) {
        break;
      }
    }
    return places;
  }

  // Some graphs of a part, with the colours that at least two of them wear.
  Part Take(const Part& from, std::span<const uint32_t> places) {
    constexpr uint32_t kUnseen = UINT32_MAX;
    constexpr uint32_t kOnce = UINT32_MAX - 1;
    Part part;
    std::vector<uint32_t> numbers(from.colour_count, kUnseen);
    size_t worn = 0;
    for (const uint32_t place : places) {
      for (const Part::Worn& colour : from.colours(place)) {
        uint32_t& number = numbers[colour.colour];
        if (number == kUnseen) {
          number = kOnce;
        } else if (number == kOnce) {
          number = part.colour_count++;
          worn += 2;
        } else {
          ++worn;
        }
      }
    }
    part.graphs.reserve(places.size());
    part.ends.reserve(places.size());
    part.worn.reserve(worn);
    for (const uint32_t place : places) {
      part.graphs.push_back(from.graphs[place]);
      for (const Part::Worn& colour : from.colours(place)) {
        if (numbers[colour.colour] < kOnce) {
          part.worn.push_back({numbers[colour.colour], colour.count});
        }
      }
      part.ends.push_back(part.worn.size());
    }
    return part;
  }

  const Log2 log2_;
  std::vector<uint32_t>& order_;
  const uint32_t first_lane_;
  const std::stop_token& stop_;
};

// The graphs [begin, end), with colours numbered anew.
Part WholeClass(const GraphsToOrder& graphs, uint32_t begin, uint32_t end) {
  std::vector<uint32_t> numbers(graphs.feature_count, UINT32_MAX);  // By the first feature of the colour.
  Part part;
  size_t runs = 0;
  for (uint32_t i = begin; i < end; ++i) {
    runs += graphs.sizes[i].runs;
  }
  part.graphs.reserve(end - begin);
  part.ends.reserve(end - begin);
  part.worn.reserve(runs);
  ForwardLists graph;
  for (uint32_t i = begin; i < end; ++i) {
    graph.Clear();
    graphs.read(i, graph);
    part.graphs.push_back(i);
    for (const FeatureRun& run : graph.graph(0)) {
      if (numbers[run.first] == UINT32_MAX && part.colour_count < Part::kColoursMax) {
        numbers[run.first] = part.colour_count++;
      }
      if (numbers[run.first] != UINT32_MAX) {
        part.worn.push_back({numbers[run.first], run.count});
      }
    }
    part.ends.push_back(part.worn.size());
  }
  return part;
}

}  // namespace

bool SameSizeClass(uint32_t vertex_count, uint32_t other_vertex_count) {
  return vertex_count / kSizeClassVertices == other_vertex_count / kSizeClassVertices;
}

std::vector<uint32_t> OrderBySimilarity(const GraphsToOrder& graphs, uint32_t first_lane,
                                        const std::stop_token& stop) {
  const auto size = static_cast<uint32_t>(graphs.sizes.size());
  std::vector<uint32_t> order;
  order.reserve(size);
  Bisection bisection(order, first_lane, stop);
  for (uint32_t begin = 0; begin < size;) {
    uint32_t end = begin + 1;
    while (end < size && SameSizeClass(graphs.sizes[end].vertices, graphs.sizes[begin].vertices)) {
      ++end;
    }
    bisection.Run(WholeClass(graphs, begin, end));
    begin = end;
  }
  return order;
}

}  // namespace kindred
