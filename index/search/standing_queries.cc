#include "index/search/standing_queries.h"

#include <algorithm>
#include <array>
#include <utility>

#include "index/base/mutant.h"

namespace kindred {
namespace {

// What one CatchUp may do: a millisecond or two.
constexpr uint32_t kIssuedAStep = 1 << 13;
constexpr uint64_t kVerticesAStep = 1 << 11;

// After so many graphs, queries choose their colours by what was seen; after the last it is not worth to look
// on.
constexpr std::array<uint32_t, 3> kSharesLearned{64, 512, 4096};

}  // namespace

StandingQueries::StandingQueries(const ColourHierarchy& hierarchy, Scoring scoring)
    : hierarchy_(hierarchy),
      scoring_(std::move(scoring)),
      deeper_weights_(DeeperWeights(scoring_)),
      awaited_(hierarchy) {}

void StandingQueries::Add(Graph graph, double least) {
  const uint32_t number = size();
  gathered_.push_back({SimilarityFloor(scoring_, graph.vertex_count(), least)});
  queries_.push_back({{}, {}, std::make_unique<Open>(Open{std::move(graph), {}})});
  Refine(number);
  Choose(number);
}

void StandingQueries::Refine(uint32_t number) {
  Query& query = queries_[number];
  ++stats_.refined;
  const ColourHierarchy::View known = hierarchy_.view();
  const VertexColours colours = refiner_.RefineKnown(known, query.open->graph, scoring_.depth());
  query.histogram = Histogram::Of(colours);
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

void StandingQueries::Choose(uint32_t number) {
  Query& query = queries_[number];
  Gathered& gathered = gathered_[number];
  for (const ColourId colour : query.chosen) {
    postings_.Remove(colour, number);
  }
  query.chosen.clear();
  const QueryCover cover = CoverQuery(query.histogram, hierarchy_, scoring_, gathered.floor, shares_);
  for (const QueryCover::Term& term : cover.terms) {
    postings_.Add(term.colour, {number, term.count});
    query.chosen.push_back(term.colour);
  }
  query.chosen.shrink_to_fit();
  gathered.kernel_apart = cover.kernel_apart;
}

void StandingQueries::MakeStale(uint32_t number) {
  if (!std::exchange(queries_[number].stale, true)) {
    stale_.push_back(number);
  }
}

bool StandingQueries::CatchUp() {
  std::vector<uint32_t> found;
  const bool all = awaited_.LookAtNoted(kIssuedAStep, found);
  for (const uint32_t number : found) {
    MakeStale(number);
  }
  for (uint64_t vertices = 0; !stale_.empty() && vertices < kVerticesAStep; stale_.pop_front()) {
    const uint32_t number = stale_.front();
    queries_[number].stale = false;
    vertices += gathered_[number].floor.query_vertices();
    if (queries_[number].open != nullptr) {
      Refine(number);
    }
    Choose(number);
  }
  return all && stale_.empty();
}

void StandingQueries::LearnShares(const MatchedGraph& graph) {
  if (stats_.graphs > kSharesLearned.back()) {
    return;
  }
  shares_.Count(graph);
  if (std::ranges::find(kSharesLearned, stats_.graphs) != kSharesLearned.end()) {
    for (uint32_t number = 0; number < size(); ++number) {
      MakeStale(number);
    }
  }
}

void StandingQueries::Match(const MatchedGraph& graph, std::vector<StandingMatch>& matches) {
  ++stats_.graphs;
  LearnShares(graph);
  Gather(graph);
  const GraphSize size(graph.vertex_count);
  std::erase_if(touched_, [&](uint32_t number) {
    return gathered_[number].kernel_most < gathered_[number].floor.KernelNeeded(size);
  });
  if (touched_.empty()) {
    return;
  }
  std::ranges::sort(touched_);
  counts_.Fill(graph, scoring_.depth());
  stats_.scored += touched_.size();
  for (const uint32_t number : touched_) {
    const Histogram::Entry* const entries = queries_[number].histogram.entries().data();
    __builtin_prefetch(entries);
    __builtin_prefetch(entries + 8);
  }
  for (const uint32_t number : touched_) {
    const double needed = gathered_[number].floor.KernelNeeded(size);
    if (const auto match = ScoreGraph(number, graph.vertex_count, needed)) {
      matches.push_back(*match);
    }
  }
}

// Adds up, for each query found, what the graph shares of its chosen colours.
void StandingQueries::Gather(const MatchedGraph& graph) {
  touched_.clear();
  if (++stamp_ == 0) {  // Once around.
    for (Gathered& at : gathered_) {
      at.stamp = 0;
    }
    stamp_ = 1;
  }
  for (Level level = 0; level <= scoring_.depth(); ++level) {
    for (const Histogram::Entry& entry : graph.levels[level]) {
      const auto list = postings_.Find(entry.colour);
      stats_.postings_read += list.size();
      for (const ColourPosting& posting : list) {
        Gathered& at = gathered_[posting.query];
        if (graph.vertex_count < at.floor.vertices_min() || graph.vertex_count > at.floor.vertices_max()) {
          continue;
        }
        if (std::exchange(at.stamp, stamp_) != stamp_) {
          at.kernel_most = at.kernel_apart;
          touched_.push_back(posting.query);
          __builtin_prefetch(&queries_[posting.query]);
        }
        const uint32_t shared = std::min(posting.count, entry.count) - TooTight(Mutant::kGatherBound);
        at.kernel_most += deeper_weights_[level] * shared;
      }
    }
  }
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
  const SimilarityFloor& floor = gathered_[number].floor;
  const Score score{scoring_.Kernel(overlaps), vertex_count};
  if (!floor.Reaches(scoring_, score)) {
    return std::nullopt;
  }
  return StandingMatch{number, score.kernel, scoring_.Similarity(score, floor.query_vertices())};
}

}  // namespace kindred
