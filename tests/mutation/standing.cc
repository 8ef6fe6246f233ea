#include "tests/mutation/standing.h"

#include <random>
#include <vector>

#include "index/search/standing_queries.h"

namespace kindred::test {
namespace {

constexpr Level kStandingDepth = 3;
constexpr int kGraphs = 300;
constexpr int kStandingQueries = 300;

// Several paths side by side, out of few: graphs often hold each other whole, and similarities tie.
Graph SomePaths(std::mt19937_64& rng) {
  GraphParts parts;
  parts.labels = {"C", "N", "O", ""};
  for (uint64_t path = 1 + rng() % 3; path > 0; --path) {
    const uint64_t kind = rng() % 12;
    const auto first = static_cast<uint32_t>(parts.vertices.size());
    for (uint32_t v = first; v < first + 2 + kind % 5; ++v) {
      parts.vertices.push_back(static_cast<uint32_t>((kind * 7 + v - first) % 5 == 0 ? kind % 3 : 0));
      if (v > first) {
        parts.edges.push_back({v - 1, v, 3});
      }
    }
  }
  return *Graph::Create(std::move(parts), Limits());
}

// `equal`: only what equals a query is similar enough.
bool Differ(uint64_t seed, const Scoring& scoring, bool equal) {
  std::mt19937_64 rng(seed);
  ColourHierarchy hierarchy;
  std::vector<Histogram> stored;
  for (int i = 0; i < kGraphs; ++i) {
    const Graph graph = SomePaths(rng);
    VertexColours colours(graph.vertex_count(), kStandingDepth);
    IssueMissing(hierarchy, graph, colours);
    stored.push_back(Histogram::Of(colours));
  }
  const auto match = [&](const Histogram& query, const Histogram& graph) {
    const Score score{scoring.Kernel(LevelOverlaps(query, graph)), graph.vertex_count()};
    return StandingMatch{0, score.kernel, scoring.Similarity(score, query.vertex_count())};
  };
  StandingQueries standing(hierarchy, scoring);
  std::vector<std::pair<Histogram, double>> queries;
  while (queries.size() < kStandingQueries) {
    const Graph graph = SomePaths(rng);
    const Histogram query = Histogram::Of(RefineKnown(hierarchy.view(), graph, kStandingDepth));
    // The very similarity that some graph has.
    const double least = match(query, equal ? query : stored[rng() % stored.size()]).similarity;
    if (least > 0) {
      queries.emplace_back(query, least);
      standing.Add(graph, least);
    }
  }
  for (const Histogram& graph : stored) {
    std::vector<StandingMatch> expected;
    for (uint32_t q = 0; q < queries.size(); ++q) {
      StandingMatch found = match(queries[q].first, graph);
      found.query = q;
      if (found.similarity >= queries[q].second) {
        expected.push_back(found);
      }
    }
    std::vector<StandingMatch> found;
    standing.NoteIssued();
    while (!standing.CatchUp()) {
    }
    standing.Match(ToMatched(graph), found);
    if (found != expected) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool StandingQueriesDiffer() {
  for (const Measure measure : {Measure::kTanimoto, Measure::kCosine, Measure::kKernel}) {
    for (const std::vector<double>& weights : {std::vector<double>{}, {0, 1, 2, 4}, {0.3, 0.7, 0, 1.1}}) {
      const Scoring scoring = *Scoring::Create(measure, kStandingDepth, std::nullopt, weights);
      if (Differ(7, scoring, false) || Differ(8, scoring, true)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace kindred::test
