#include "index/lists/similarity_order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
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

// A colour that a graph wears, numbered among those that still tell some graphs of its part apart, and how
// often: what is looked at most often stays in the cache.
struct Worn {
  // Colours beyond kColoursMax, which have to be rare, are left out.
  static constexpr uint32_t kColoursMax = 1 << 24;

  uint32_t colour : 24;
  uint32_t count : 8;
};
static_assert(sizeof(Worn) == 4 && kBlockCountMax < 1 << 8);

// The graphs of a size class. A part of the recursion is a range of them, whose colours lie in a range, too;
// it is cut in place.
class Bisection {
 public:
  // Both must outlive this. The first graph takes lane `first_lane` of a block.
  Bisection(uint32_t first_lane, const Log2& log2, const std::stop_token& stop)
      : first_lane_(first_lane), log2_(log2), stop_(stop) {}

  // Appends graphs [begin, end) to `order`. Once.
  void Run(const GraphsToOrder& graphs, uint32_t begin, uint32_t end, std::vector<uint32_t>& order) {
    Cut(Read(graphs, begin, end));
    for (const Member& member : members_) {
      order.push_back(member.graph);
    }
  }

 private:
  struct Member {
    uint32_t graph = 0;  // The caller's number.
    uint32_t end = 0;    // Of its colours, counted from the first one of the part.
  };
  struct Part {
    size_t begin = 0;  // Of members_,
    size_t end = 0;
    size_t worn_begin = 0;  // and of worn_.
    uint32_t colour_count = 0;

    size_t size() const { return end - begin; }
  };
  // Of a colour, a number for either half: how many graphs wear it there; in the end the one it has there.
  using Halves = std::array<uint32_t, 2>;
  struct Scored {
    float score = 0;
    uint32_t member = 0;
  };

  // All graphs, with colours numbered anew.
  Part Read(const GraphsToOrder& graphs, uint32_t begin, uint32_t end) {
    std::vector<uint32_t> numbers(graphs.feature_count, UINT32_MAX);  // By the first feature of the colour.
    size_t runs = 0;
    for (uint32_t i = begin; i < end; ++i) {
      runs += graphs.sizes[i].runs;
    }
    members_.reserve(end - begin);
    worn_.reserve(runs);
    uint32_t colours = 0;
    ForwardLists graph;
    for (uint32_t i = begin; i < end; ++i) {
      graph.Clear();
      graphs.read(i, graph);
      for (const FeatureRun& run : graph.graph(0)) {
        uint32_t& number = numbers[run.first];
        if (number == UINT32_MAX && colours < Worn::kColoursMax) {
          number = colours++;
        }
        if (number != UINT32_MAX) {
          worn_.push_back({number, run.count});
        }
      }
      members_.push_back({i, static_cast<uint32_t>(worn_.size())});
    }
    return {0, members_.size(), 0, colours};
  }

  void Cut(const Part& part) {
    if (part.size() <= kBlockGraphs || stop_.stop_requested()) {
      return;
    }
    // Where a block ends, as near to the middle as may be.
    const size_t begin = part.begin + first_lane_;
    const size_t middle = begin + part.size() / 2;
    const size_t half = std::max(middle / kBlockGraphs, begin / kBlockGraphs + 1) * kBlockGraphs - begin;
    Split(part, half);
    const auto [left, right] = Divide(part, half);
    Cut(left);
    Cut(right);
  }

  // Decides which graphs go to the left, `half` of them: is_right_, and what there is of each colour:
  // halves_.
  void Split(const Part& part, size_t half) {
    is_right_.assign(part.size(), true);
    std::fill_n(is_right_.begin(), half, false);
    halves_.assign(part.colour_count, {});
    pull_.resize(part.colour_count);
    scored_.resize(part.size());
    ForEach(part, [&](size_t i, std::span<const Worn> worn) {
      const size_t side = is_right_[i] ? 1 : 0;
      for (const Worn& colour : worn) {
        ++halves_[colour.colour][side];
      }
    });
    for (int round = 0; round < kRoundsMax; ++round) {
      for (uint32_t colour = 0; colour < part.colour_count; ++colour) {
        const auto& [left, right] = halves_[colour];
        pull_[colour] = log2_.OnePlus(left) - log2_.OnePlus(right);
      }
      ForEach(part, [&](size_t i, std::span<const Worn> worn) {
        scored_[i] = {PullToTheLeft(worn), static_cast<uint32_t>(i)};
      });
      std::nth_element(scored_.begin(), scored_.begin() + static_cast<ptrdiff_t>(half), scored_.end(),
                       [](const Scored& a, const Scored& b) {
                         return a.score != b.score ? a.score > b.score : a.member < b.member;
                       });
      if (Move(part, half) * kMovedShareMin < part.size()) {
        break;
      }
    }
  }

  // Two pairs of sums side by side: one alone would wait for every addition.
  float PullToTheLeft(std::span<const Worn> worn) const {
    const auto pull = [&](size_t i) { return pull_[worn[i].colour] * static_cast<float>(worn[i].count); };
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    size_t i = 0;
    for (; i + 4 <= worn.size(); i += 4) {
      a += pull(i);
      b += pull(i + 1);
      c += pull(i + 2);
      d += pull(i + 3);
    }
    for (; i < worn.size(); ++i) {
      a += pull(i);
    }
    return (a + b) + (c + d);
  }

  // To the sides that scored_ asks for; returns how many graphs change it.
  uint64_t Move(const Part& part, size_t half) {
    uint64_t moved = 0;
    for (size_t place = 0; place < part.size(); ++place) {
      const uint32_t i = scored_[place].member;
      const size_t side = place < half ? 0 : 1;
      if (is_right_[i] == (side == 1)) {
        continue;
      }
      ++moved;
      for (const Worn& colour : WornBy(part, i)) {
        ++halves_[colour.colour][side];
        --halves_[colour.colour][1 - side];
      }
      is_right_[i] = side == 1;
    }
    return moved;
  }

  // Brings the graphs of each side together, with the colours that tell some of them apart: those more than
  // one wears. They come as scored_ has them, roughly by score: a good guess at the next cut.
  std::pair<Part, Part> Divide(const Part& part, size_t half) {
    constexpr uint32_t kNone = UINT32_MAX;
    std::array<uint32_t, 2> colours{};
    std::array<size_t, 2> worn_counts{};
    for (Halves& halves : std::span(halves_).first(part.colour_count)) {
      for (const size_t side : {0, 1}) {
        const uint32_t wearers = std::exchange(halves[side], kNone);
        if (wearers > 1) {
          halves[side] = colours[side]++;
          worn_counts[side] += wearers;
        }
      }
    }
    pull_ = std::vector<float>();  // Makes room: at the first cut all of this is large.
    divided_ends_.resize(part.size());
    divided_.resize(worn_counts[0] + worn_counts[1]);
    size_t next = 0;
    for (size_t place = 0; place < part.size(); ++place) {
      const size_t side = place < half ? 0 : 1;
      const uint32_t i = scored_[place].member;
      for (const Worn& colour : WornBy(part, i)) {
        const uint32_t number = halves_[colour.colour][side];
        if (number != kNone) {
          divided_[next++] = {number, colour.count};
        }
      }
      scored_[place].member = members_[part.begin + i].graph;  // From here on.
      divided_ends_[place] = static_cast<uint32_t>(next - (side == 0 ? 0 : worn_counts[0]));
    }
    for (size_t place = 0; place < part.size(); ++place) {
      members_[part.begin + place] = {scored_[place].member, divided_ends_[place]};
    }
    std::ranges::copy(divided_, worn_.begin() + static_cast<ptrdiff_t>(part.worn_begin));
    const size_t middle = part.begin + half;
    return {{part.begin, middle, part.worn_begin, colours[0]},
            {middle, part.end, part.worn_begin + worn_counts[0], colours[1]}};
  }

  // By graph i of the part.
  std::span<const Worn> WornBy(const Part& part, size_t i) const {
    const size_t begin = i == 0 ? 0 : members_[part.begin + i - 1].end;
    return std::span(worn_).subspan(part.worn_begin + begin, members_[part.begin + i].end - begin);
  }

  template <typename Visit>  // void(size_t i, std::span<const Worn>): graph i of the part
  void ForEach(const Part& part, Visit visit) const {
    for (size_t i = 0; i < part.size(); ++i) {
      visit(i, WornBy(part, i));
    }
  }

  const uint32_t first_lane_;
  const Log2& log2_;
  const std::stop_token& stop_;
  std::vector<Member> members_;
  LargeVector<Worn> worn_;
  // Of the part at hand, kept for the next one.
  std::vector<bool> is_right_;
  std::vector<Halves> halves_;
  std::vector<float> pull_;
  std::vector<Scored> scored_;
  std::vector<uint32_t> divided_ends_;
  LargeVector<Worn> divided_;
};

}  // namespace

bool SameSizeClass(uint32_t vertex_count, uint32_t other_vertex_count) {
  return vertex_count / kSizeClassVertices == other_vertex_count / kSizeClassVertices;
}

std::vector<uint32_t> OrderBySimilarity(const GraphsToOrder& graphs, uint32_t first_lane,
                                        const std::stop_token& stop) {
  const auto size = static_cast<uint32_t>(graphs.sizes.size());
  std::vector<uint32_t> order;
  order.reserve(size);
  const Log2 log2;
  for (uint32_t begin = 0; begin < size;) {
    uint32_t end = begin + 1;
    while (end < size && SameSizeClass(graphs.sizes[end].vertices, graphs.sizes[begin].vertices)) {
      ++end;
    }
    Bisection((first_lane + begin) % kBlockGraphs, log2, stop).Run(graphs, begin, end, order);
    begin = end;
  }
  return order;
}

}  // namespace kindred
