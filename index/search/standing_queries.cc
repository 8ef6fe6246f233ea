#include "index/search/standing_queries.h"

#include <algorithm>
#include <array>
#include <utility>

namespace kindred {
namespace {

// What one CatchUp may do: a millisecond or two.
constexpr uint32_t kIssuedAStep = 1 << 13;
constexpr uint64_t kVerticesAStep = 1 << 11;

// The order is made anew when queries wear so many times the colours it was made from.
constexpr uint64_t kOrderAfter = 2;

// What sharing a colour of each level is worth at most: the weights of that level and of the deeper ones.
std::vector<double> DeeperWeights(const Scoring& scoring) {
  std::vector<double> weights(scoring.depth() + 1u);
  double sum = 0;
  for (size_t level = weights.size(); level-- > 0;) {
    sum += scoring.weight(static_cast<Level>(level));
    weights[level] = sum;
  }
  return weights;
}

}  // namespace

StandingQueries::StandingQueries(const ColourHierarchy& hierarchy, Scoring scoring)
    : hierarchy_(hierarchy),
      scoring_(std::move(scoring)),
      deeper_weights_(DeeperWeights(scoring_)),
      awaited_(hierarchy),
      walk_(scoring_) {}

void StandingQueries::Add(Graph graph, double least) {
  const uint32_t number = size();
  least_ = number == 0 ? least : std::min(least_, least);
  asked_.push_back({SimilarityFloor(scoring_, graph.vertex_count(), least)});
  queries_.push_back({{}, {}, std::make_unique<Open>(Open{std::move(graph), {}})});
  Refine(number);
  MakeStale(number, false);
}

void StandingQueries::Refine(uint32_t number) {
  Query& query = queries_[number];
  ++stats_.refined;
  const ColourHierarchy::View known = hierarchy_.view();
  const VertexColours colours = refiner_.RefineKnown(known, query.open->graph, scoring_.depth());
  const Histogram before = std::exchange(query.histogram, Histogram::Of(colours));
  CountWearers(before, query.histogram);
  // What is unknown at one level is unknown at all deeper ones.
  if (std::ranges::count(colours.at_level(scoring_.depth()), kUnknownColour) == 0) {
    query.open = nullptr;
  } else {
    Await(number, refiner_.ListMissing(known, query.open->graph, colours));
  }
}

void StandingQueries::Await(uint32_t number, const MissingColours& missing) {
  Open& open = *queries_[number].open;
  if (open.awaited.empty()) {
    open.awaited.assign(open.graph.vertex_count(), kNone);
    for (const std::string& label : missing.labels) {  // Those missing later are among these.
      awaited_.AwaitLabel(label, number);
    }
  }
  for (const MissingColours::AtVertex& at : missing.vertices) {
    if (std::exchange(open.awaited[at.vertex], at.level) != at.level) {
      awaited_.AwaitSignature(at.signature, number);
    }
  }
}

// A query that is refined again keeps the colours it had.
void StandingQueries::CountWearers(const Histogram& before, const Histogram& now) {
  for (Level level = 0; level <= scoring_.depth(); ++level) {
    if (scoring_.weight(level) == 0) {
      continue;
    }
    const auto had = before.at_level(level);
    auto at = had.begin();
    for (const Histogram::Entry& entry : now.at_level(level)) {
      at = std::find_if(at, had.end(), [&](const auto& other) { return other.colour >= entry.colour; });
      if (at == had.end() || at->colour != entry.colour) {
        postings_.CountWearer(entry.colour);
        ++worn_;
      }
    }
  }
}

void StandingQueries::MakeStale(uint32_t number, bool to_refine) {
  Query& query = queries_[number];
  query.to_refine = query.to_refine || to_refine;
  if (!std::exchange(query.stale, true)) {
    stale_.push_back(number);
  }
}

void StandingQueries::FixOrder() {
  worn_at_order_ = worn_;
  postings_.FixOrder();
  for (uint32_t number = 0; number < size(); ++number) {
    queries_[number].found_by.clear();
    MakeStale(number, false);
  }
}

bool StandingQueries::CatchUp() {
  if (worn_ >= kOrderAfter * worn_at_order_ + 1) {
    FixOrder();
  }
  std::vector<uint32_t> issued;
  const bool all = awaited_.LookAtNoted(kIssuedAStep, issued);
  for (const uint32_t number : issued) {
    MakeStale(number, true);
  }
  for (uint64_t vertices = 0; !stale_.empty() && vertices < kVerticesAStep; stale_.pop_front()) {
    const uint32_t number = stale_.front();
    queries_[number].stale = false;
    vertices += asked_[number].floor.query_vertices();
    if (std::exchange(queries_[number].to_refine, false) && queries_[number].open != nullptr) {
      Refine(number);
    }
    Post(number);
  }
  return all && stale_.empty();
}

void StandingQueries::Post(uint32_t number) {
  Query& query = queries_[number];
  const SimilarityFloor& floor = asked_[number].floor;
  for (const ColourId colour : query.found_by) {
    postings_.Remove(colour, number);
  }
  query.found_by.clear();
  std::vector<ColourPosting> postings;
  const auto saturated = [](uint32_t vertices) {
    return static_cast<uint16_t>(std::min<uint32_t>(vertices, UINT16_MAX));
  };
  walk_.Run(postings_, ToMatched(query.histogram), [&](const ColourWalk::Step& step) {
    if (floor.RulesOut(scoring_, step.left)) {
      return false;
    }
    query.found_by.push_back(step.colour);
    postings.push_back(
        {number, saturated(floor.vertices_min()), saturated(floor.VerticesMost(scoring_.Kernel(step.left)))});
    return true;
  });
  for (size_t i = 0; i < postings.size(); ++i) {  // Only now: the walk reads the table.
    postings_.Add(query.found_by[i], postings[i]);
  }
  query.found_by.shrink_to_fit();
}

void StandingQueries::Match(const MatchedGraph& graph, std::vector<StandingMatch>& matches) {
  ++stats_.graphs;
  const GraphSize size(graph.vertex_count);
  Find(graph, size);
  if (found_.empty()) {
    return;
  }
  std::ranges::sort(found_);
  counts_.Fill(graph, scoring_.depth());
  stats_.scored += found_.size();
  for (const uint32_t number : found_) {
    const Histogram::Entry* const entries = queries_[number].histogram.entries().data();
    __builtin_prefetch(entries);
    __builtin_prefetch(entries + 8);
  }
  for (const uint32_t number : found_) {
    const double needed = asked_[number].floor.KernelNeeded(size);
    if (const auto match = ScoreGraph(number, graph.vertex_count, needed)) {
      matches.push_back(*match);
    }
  }
}

// [FirstShared] A query that is similar enough is found by the first colour it shares with the graph. There
// both have enough left, for each other's size.
void StandingQueries::Find(const MatchedGraph& graph, const GraphSize& size) {
  found_.clear();
  if (++stamp_ == 0) {  // Once around.
    for (Asked& asked : asked_) {
      asked.stamp = 0;
    }
    stamp_ = 1;
  }
  const double least = KernelLeast(scoring_, size.vertices, least_);
  walk_.Run(postings_, graph, [&](const ColourWalk::Step& step) {
    const double left = scoring_.Kernel(step.left);
    if (left < least) {
      return false;
    }
    if (step.slot == nullptr) {
      return true;
    }
    const auto postings = postings_.postings(*step.slot);
    stats_.postings_read += postings.size();
    for (const ColourPosting& posting : postings) {
      if (!posting.Admits(size.vertices)) {
        continue;
      }
      Asked& asked = asked_[posting.query];
      if (asked.stamp != stamp_ && left >= asked.floor.KernelNeeded(size)) {
        asked.stamp = stamp_;
        found_.push_back(posting.query);
        __builtin_prefetch(&queries_[posting.query]);
      }
    }
    return true;
  });
}

// Nothing as soon as the levels read leave no hope: no deeper level shares more than the one above it.
std::optional<StandingMatch> StandingQueries::ScoreGraph(uint32_t number, uint32_t vertex_count,
                                                         double needed) const {
  const Histogram& histogram = queries_[number].histogram;
  std::array<uint32_t, kLevelsMax> overlaps{};
  double kernel = 0;
  for (Level level = 0; level <= scoring_.depth(); ++level) {
    for (const Histogram::Entry& entry : histogram.at_level(level)) {
      overlaps[level] += std::min(entry.count, counts_(entry.colour));
    }
    if (kernel + deeper_weights_[level] * overlaps[level] < needed) {
      return std::nullopt;
    }
    kernel += scoring_.weight(level) * overlaps[level];
  }
  const SimilarityFloor& floor = asked_[number].floor;
  const Score score{scoring_.Kernel(overlaps), vertex_count};
  if (!floor.Reaches(scoring_, score)) {
    return std::nullopt;
  }
  return StandingMatch{number, score.kernel, scoring_.Similarity(score, floor.query_vertices())};
}

}  // namespace kindred
