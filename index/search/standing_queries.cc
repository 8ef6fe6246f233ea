#include "index/search/standing_queries.h"

#include <algorithm>
#include <array>
#include <utility>

#include "index/base/mutant.h"

namespace kindred {
namespace {

// What one CatchUp may do: some milliseconds.
constexpr uint32_t kIssuedAStep = 1 << 15;
constexpr uint64_t kVerticesAStep = 1 << 15;

uint32_t Overlap(std::span<const Histogram::Entry> a, std::span<const Histogram::Entry> b) {
  uint32_t overlap = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const ColourId left = a[i].colour;
    const ColourId right = b[j].colour;
    overlap += left == right ? std::min(a[i].count, b[j].count) : 0;
    i += left <= right ? 1 : 0;
    j += right <= left ? 1 : 0;
  }
  return overlap;
}

}  // namespace

StandingQueries::StandingQueries(const ColourHierarchy& hierarchy, Scoring scoring)
    : hierarchy_(hierarchy),
      scoring_(std::move(scoring)),
      deeper_weights_(DeeperWeights(scoring_)),
      awaited_(hierarchy) {}

void StandingQueries::Add(Graph graph, double least) {
  const uint32_t number = size();
  const SimilarityFloor floor(scoring_, graph.vertex_count(), least);
  queries_.push_back({floor, {}, {}, std::make_unique<Open>(Open{std::move(graph), {}})});
  gathered_.push_back({0, floor.vertices_min(), floor.vertices_max(), 0, 0});
  Refine(number);
}

void StandingQueries::Refine(uint32_t number) {
  Query& query = queries_[number];
  ++stats_.refined;
  const ColourHierarchy::View known = hierarchy_.view();
  const VertexColours colours = refiner_.RefineKnown(known, query.open->graph, scoring_.depth());
  query.histogram = Histogram::Of(colours);
  const QueryCover cover = CoverQuery(colours, scoring_, query.floor);
  for (const QueryCover::Term& term : query.terms) {
    postings_.Remove(term.colour, number);
  }
  for (const QueryCover::Term& term : cover.terms) {
    postings_.Add(term.colour, {number, term.count});
  }
  gathered_[number].kernel_apart = cover.kernel_apart;
  query.terms = cover.terms;

  if (std::ranges::count(colours.at_level(scoring_.depth()), kUnknownColour) == 0) {
    query.open = nullptr;  // What is unknown at one level is unknown at all deeper ones.
    query.terms.clear();
    query.terms.shrink_to_fit();
    return;
  }
  Await(number, refiner_.FindMissing(known, query.open->graph, colours));
}

void StandingQueries::Await(uint32_t number, const MissingColours& missing) {
  std::vector<Level>& awaited = queries_[number].open->awaited;
  if (awaited.empty()) {
    awaited.assign(queries_[number].floor.query_vertices(), kNone);
    for (const std::string& label : missing.labels) {  // Later ones are among these.
      awaited_.AwaitLabel(label, number);
    }
  }
  for (const MissingColours::AtVertex& at : missing.vertices) {
    if (std::exchange(awaited[at.vertex], at.level) != at.level) {
      awaited_.AwaitSignature(at.signature, number);
    }
  }
}

bool StandingQueries::CatchUp() {
  std::vector<uint32_t> found;
  const bool all = awaited_.LookAtNoted(kIssuedAStep, found);
  for (const uint32_t number : found) {
    if (queries_[number].open != nullptr && !std::exchange(queries_[number].stale, true)) {
      stale_.push_back(number);
    }
  }
  for (uint64_t vertices = 0; !stale_.empty() && vertices < kVerticesAStep; stale_.pop_front()) {
    Query& query = queries_[stale_.front()];
    query.stale = false;
    vertices += query.floor.query_vertices();
    Refine(stale_.front());
  }
  return all && stale_.empty();
}

void StandingQueries::Match(const MatchedGraph& graph, std::vector<StandingMatch>& matches) {
  ++stats_.graphs;
  touched_.clear();
  Gather(graph);
  const GraphSize size(graph.vertex_count);
  size_t left = 0;
  for (const uint32_t number : touched_) {
    if (gathered_[number].kernel_most >= queries_[number].floor.KernelNeeded(size)) {
      touched_[left++] = number;
    }
  }
  touched_.resize(left);
  std::ranges::sort(touched_);
  for (const uint32_t number : touched_) {
    ++stats_.scored;
    if (const auto match = ScoreGraph(number, graph, queries_[number].floor.KernelNeeded(size))) {
      matches.push_back(*match);
    }
  }
}

// Adds up, for each query found, what the graph shares of its chosen colours.
void StandingQueries::Gather(const MatchedGraph& graph) {
  for (Level level = 0; level <= scoring_.depth(); ++level) {
    for (const Histogram::Entry& entry : graph.levels[level]) {
      const auto list = postings_.Find(entry.colour);
      stats_.postings_read += list.size();
      for (const ColourPosting& posting : list) {
        Gathered& at = gathered_[posting.query];
        if (graph.vertex_count < at.vertices_min || graph.vertex_count > at.vertices_max) {
          continue;
        }
        if (std::exchange(at.graph, stats_.graphs) != stats_.graphs) {
          at.kernel_most = at.kernel_apart;
          touched_.push_back(posting.query);
        }
        const uint32_t shared = std::min(posting.count, entry.count) - TooTight(Mutant::kGatherBound);
        at.kernel_most += deeper_weights_[level] * shared;
      }
    }
  }
}

// Nothing as soon as the levels read leave no hope: no deeper level shares more than the one above it.
std::optional<StandingMatch> StandingQueries::ScoreGraph(uint32_t number, const MatchedGraph& graph,
                                                         double needed) const {
  const Query& query = queries_[number];
  std::array<uint32_t, kLevelsMax> overlaps{};
  double kernel = 0;
  for (Level level = 0; level <= scoring_.depth(); ++level) {
    const uint32_t overlap = Overlap(query.histogram.at_level(level), graph.levels[level]);
    overlaps[level] = overlap;
    const double most = kernel + deeper_weights_[level] * overlap;
    if (most < needed) {
      return std::nullopt;
    }
    kernel += scoring_.weight(level) * overlap;
  }
  const Score score{scoring_.Kernel(overlaps), graph.vertex_count};
  if (!query.floor.Reaches(scoring_, score)) {
    return std::nullopt;
  }
  return StandingMatch{number, score.kernel, scoring_.Similarity(score, query.floor.query_vertices())};
}

}  // namespace kindred
