// Standing queries beside a loop over all of them that compares strings: random and adversarial graphs,
// thresholds at and next to similarities that occur, queries that wear colours nobody has issued yet.

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/generated_molecules.h"
#include "gtest/gtest.h"
#include "index/search/standing_queries.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"
#include "tests/support/reference_model.h"

namespace kindred::test {
namespace {

constexpr Level kIndexDepth = 3;

// The graph alone in a model: its similarity to a query, and whether that is enough.
std::vector<Hit> ToldByModel(const Graph& query, const Graph& graph, ModelQuery how) {
  ReferenceModel model(kIndexDepth);
  model.Put("graph", graph);
  return model.Search(query, how);
}

// A similarity that two graphs have, or one just above or below it; now and then any.
double SomeThreshold(Rng& rng, const Graph& query, const Graph& near, ModelQuery how) {
  const double most = how.measure == Measure::kKernel ? 1e9 : 1.0;
  how.min_similarity = std::nullopt;
  double similarity = ToldByModel(query, Below(rng, 4) == 0 ? query : near, how).front().similarity;
  switch (Below(rng, 6)) {
    case 0:
      similarity = std::nextafter(similarity, 0.0);
      break;
    case 1:
      similarity = std::nextafter(similarity, 2e9);
      break;
    case 2:
      similarity = static_cast<double>(1 + Below(rng, 1000)) / 1000 *
                   (how.measure == Measure::kKernel ? 4 * query.vertex_count() : 1);
      break;
    case 3:
      similarity = 5e-324;  // Anything that shares anything.
      break;
    default:
      break;
  }
  return similarity > 0 && similarity <= most ? similarity : 1e-3;
}

ModelQuery SomeScoring(Rng& rng) {
  ModelQuery how;
  how.measure = static_cast<Measure>(Below(rng, 3));
  how.depth = static_cast<uint32_t>(Below(rng, kIndexDepth + 1));
  const uint64_t kind = Below(rng, 4);
  for (uint32_t level = 0; kind > 0 && level <= *how.depth; ++level) {
    const double weight = kind == 1   ? static_cast<double>(Below(rng, 4))
                          : kind == 2 ? static_cast<double>(Below(rng, 1000)) / 7
                                      : (Below(rng, 2) == 0 ? 1e-9 : 1048576.0);
    how.weights.push_back(weight);
  }
  if (!how.weights.empty()) {
    how.weights[Below(rng, how.weights.size())] = 1;
  }
  return how;
}

using GraphMaker = std::function<Graph(Rng&)>;

// Graphs are stored one by one; queries join at any time, of graphs that were stored, that will be, or never
// are.
class Run {
 public:
  Run(uint64_t seed, GraphMaker make)
      : rng_(seed),
        make_(std::move(make)),
        how_(SomeScoring(rng_)),
        standing_(hierarchy_, *Scoring::Create(how_.measure, kIndexDepth, how_.depth, how_.weights)) {}

  // Returns how many matches there were.
  size_t Go(size_t graphs, size_t queries) {
    for (size_t i = 0; i < graphs; ++i) {
      stored_.push_back(make_(rng_));
    }
    size_t matches = 0;
    for (size_t i = 0; i < graphs; ++i) {
      while (queries_.size() < queries * (i + 1) / graphs) {
        AddQuery();
      }
      matches += Store(stored_[i]);
    }
    return matches;
  }

  const StandingQueries& standing() const { return standing_; }

 private:
  struct Asked {
    Graph graph;
    double least;
  };

  void AddQuery() {
    const Graph& near = stored_[Below(rng_, stored_.size())];
    Graph graph =
        Below(rng_, 3) == 0 ? make_(rng_) : Renumber(near, RandomPermutation(rng_, near.vertex_count()));
    const double least = SomeThreshold(rng_, graph, stored_[Below(rng_, stored_.size())], how_);
    standing_.Add(graph, least);
    queries_.push_back({std::move(graph), least});
  }

  size_t Store(const Graph& graph) {
    const Histogram histogram = GrowHistogram(hierarchy_, graph, kIndexDepth);
    standing_.NoteIssued();
    while (!standing_.CatchUp()) {
    }
    std::vector<StandingMatch> matches;
    standing_.Match(ToMatched(histogram), matches);

    std::vector<StandingMatch> expected;
    for (uint32_t q = 0; q < queries_.size(); ++q) {
      ModelQuery how = how_;
      how.min_similarity = queries_[q].least;
      for (const Hit& hit : ToldByModel(queries_[q].graph, graph, how)) {
        expected.push_back({q, hit.kernel, hit.similarity});
      }
    }
    EXPECT_EQ(matches, expected);

    std::string packed;
    AppendPacked(packed, histogram);
    std::vector<Histogram::Entry> entries;
    std::vector<StandingMatch> of_packed;
    standing_.Match(ToMatched(graph.vertex_count(), packed, entries), of_packed);
    EXPECT_EQ(of_packed, expected);
    return matches.size();
  }

  Rng rng_;
  const GraphMaker make_;
  const ModelQuery how_;
  ColourHierarchy hierarchy_;
  StandingQueries standing_;
  std::vector<Graph> stored_;
  std::vector<Asked> queries_;
};

void RunAll(const std::string& what, uint64_t seeds, size_t graphs, size_t queries, const GraphMaker& make) {
  size_t matches = 0;
  for (uint64_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(what + ", seed " + std::to_string(seed));
    Run run(seed, make);
    matches += run.Go(graphs, queries);
  }
  EXPECT_GT(matches, seeds) << "too few matches to mean anything";
}

TEST(StandingQueries, EqualTheLoopOnSmallGraphsFullOfTies) {
  RunAll("tiny", 60, 60, 40, [](Rng& rng) { return RandomGraph(rng); });
}

TEST(StandingQueries, EqualTheLoopOnGraphsOfManyLabels) {
  RunAll("labels", 40, 60, 40, [](Rng& rng) {
    return RandomGraph(rng, {.vertices_max = 10, .vertex_labels = 12, .edge_labels = 6});
  });
}

TEST(StandingQueries, EqualTheLoopOnPathsStarsAndDots) {
  RunAll("shapes", 40, 60, 40, [](Rng& rng) {
    std::string letters;
    for (uint64_t i = 3 + Below(rng, 12); i > 0; --i) {
      letters += "CCCCNO"[Below(rng, 6)];
    }
    switch (Below(rng, 4)) {
      case 0:
        return Path(letters, Below(rng, 5) == 0 ? "=" : "");
      case 1:
        return Cycle(letters);
      case 2:
        return Star(letters);
      default:
        return Isolated(letters);
    }
  });
}

TEST(StandingQueries, EqualTheLoopOnMolecules) {
  const auto source = std::shared_ptr<bench::MoleculeSource>(bench::GeneratedMolecules(7));
  RunAll("molecules", 12, 60, 60, [&](Rng&) { return source->Next()->graph; });
}

}  // namespace
}  // namespace kindred::test
