// Measures what standing queries cost, step by step and inside one process: adding them, learning of the
// colours that graphs bring, and matching graphs as they come. A sample of what is found is compared with a
// loop over all queries; it fails unless they agree. bench/README.md explains the columns.
//
//   bench_standing --molecules FILE --graphs 50000 --records 20000 --queries 1000,10000
//
// Times are of the processor, so that a busy machine disturbs them little.

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "bench/file_molecules.h"
#include "bench/generated_molecules.h"
#include "fmt/format.h"
#include "index/base/check.h"
#include "index/hierarchy/refinement.h"
#include "index/search/standing_queries.h"

namespace kindred::bench {
namespace {

struct Options {
  std::string molecules;
  uint64_t graphs = 2'000;
  uint64_t records = 1'000;
  std::vector<uint64_t> queries{100, 1'000};
  double min_similarity = 0.8;
  uint64_t batch = 256;
  uint64_t sample = 50;
  uint64_t seed = 1;
};

// The processor time of this thread since it was made or asked last.
class ThreadClock {
 public:
  double Microseconds() {
    const double before = std::exchange(now_, Now());
    return now_ - before;
  }

 private:
  static double Now() {
    timespec time{};
    KINDRED_CHECK(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
  }

  double now_ = Now();
};

class StandingBench {
 public:
  explicit StandingBench(const Options& options) : options_(options) {
    const auto source =
        options.molecules.empty() ? GeneratedMolecules(options.seed) : *MoleculesFromFile(options.molecules);
    const uint64_t needed = std::ranges::max(options.queries) + options.graphs + options.records;
    while (molecules_.size() < needed) {
      auto record = source->Next();
      KINDRED_CHECK(record.has_value());
      molecules_.push_back(std::move(record->graph));
    }
  }

  int Run() {
    fmt::print("data: {}, seed {}; {} graphs, then {}, {} a commit; told of at tanimoto {}\n",
               options_.molecules.empty() ? "generated" : options_.molecules, options_.seed, options_.graphs,
               options_.records, options_.batch, options_.min_similarity);
    fmt::print("{:>8} | {:>9} | {:>8} {:>8} {:>8} {:>8} | {:>8} {:>8} {:>8} | {:>8}\n", "queries", "add us",
               "learn us", "read us", "match us", "sum us", "postings", "scored", "refined", "matches");
    for (const uint64_t queries : options_.queries) {
      Measure(queries);
    }
    return mismatches_ == 0 ? 0 : 1;
  }

 private:
  Histogram Store(ColourHierarchy& hierarchy, const Graph& graph) {
    VertexColours colours = refiner_.RefineKnown(hierarchy.view(), graph, kDepthDefault);
    refiner_.IssueMissing(hierarchy, graph, colours);
    return Histogram::Of(colours);
  }

  void Measure(uint64_t queries) {
    const uint64_t first = std::ranges::max(options_.queries);
    ColourHierarchy hierarchy;
    for (uint64_t i = 0; i < options_.graphs; ++i) {
      Store(hierarchy, molecules_[first + i]);
    }
    const Scoring scoring = *Scoring::Create(Measure::kTanimoto, kDepthDefault, std::nullopt, {});
    StandingQueries standing(hierarchy, scoring);
    ThreadClock clock;
    for (uint64_t i = 0; i < queries; ++i) {
      standing.Add(molecules_[i], options_.min_similarity);
    }
    const double add = clock.Microseconds();

    double learn = 0;
    double read = 0;
    double match = 0;
    uint64_t told = 0;
    const StandingQueries::Stats before = standing.stats();
    std::vector<Histogram::Entry> entries;
    std::vector<StandingMatch> matches;
    for (uint64_t begin = 0; begin < options_.records; begin += options_.batch) {
      const uint64_t end = std::min(options_.records, begin + options_.batch);
      std::vector<std::string> packed(end - begin);
      for (uint64_t i = begin; i < end; ++i) {
        AppendPacked(packed[i - begin], Store(hierarchy, molecules_[first + options_.graphs + i]));
      }
      clock.Microseconds();
      standing.NoteIssued();
      while (!standing.CatchUp()) {
      }
      learn += clock.Microseconds();
      for (uint64_t i = begin; i < end; ++i) {
        const Graph& graph = molecules_[first + options_.graphs + i];
        const MatchedGraph matched = ToMatched(graph.vertex_count(), packed[i - begin], entries);
        read += clock.Microseconds();
        matches.clear();
        standing.Match(matched, matches);
        match += clock.Microseconds();
        told += matches.size();
        if (i % std::max<uint64_t>(1, options_.records / options_.sample) == 0) {
          Compare(hierarchy, scoring, queries, graph, matches);
          clock.Microseconds();
        }
      }
    }
    const auto records = static_cast<double>(options_.records);
    const auto each = [&](uint64_t now, uint64_t then) { return static_cast<double>(now - then) / records; };
    const StandingQueries::Stats& after = standing.stats();
    fmt::print(
        "{:>8} | {:>9.2f} | {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} | {:>8.1f} {:>8.2f} {:>8.2f} | {:>8}{}\n",
        queries, add / static_cast<double>(std::max<uint64_t>(queries, 1)), learn / records, read / records,
        match / records, (learn + read + match) / records, each(after.postings_read, before.postings_read),
        each(after.scored, before.scored), each(after.refined, before.refined), told,
        mismatches_ == 0 ? "" : " MISMATCH");
    std::fflush(stdout);
  }

  void Compare(const ColourHierarchy& hierarchy, const Scoring& scoring, uint64_t queries, const Graph& graph,
               const std::vector<StandingMatch>& matches) {
    const Histogram stored = Histogram::Of(refiner_.RefineKnown(hierarchy.view(), graph, kDepthDefault));
    std::vector<StandingMatch> expected;
    for (uint32_t i = 0; i < queries; ++i) {
      const Histogram query =
          Histogram::Of(refiner_.RefineKnown(hierarchy.view(), molecules_[i], kDepthDefault));
      const Score score{scoring.Kernel(LevelOverlaps(query, stored)), stored.vertex_count()};
      const double similarity = scoring.Similarity(score, query.vertex_count());
      if (similarity >= options_.min_similarity) {
        expected.push_back({i, score.kernel, similarity});
      }
    }
    mismatches_ += matches == expected ? 0 : 1;
  }

  const Options options_;
  std::vector<Graph> molecules_;
  Refiner refiner_;
  uint64_t mismatches_ = 0;
};

}  // namespace
}  // namespace kindred::bench

int main(int argc, char** argv) {
  kindred::bench::Options options;
  CLI::App app("Measures standing queries inside one process, step by step.");
  app.add_option("--molecules", options.molecules, "A file kindred reads; default: generated graphs");
  app.add_option("--graphs", options.graphs, "Graphs stored before");
  app.add_option("--records", options.records, "Graphs to be matched");
  app.add_option("--queries", options.queries, "Numbers of standing queries")->delimiter(',');
  app.add_option("--min-similarity", options.min_similarity, "Of each query");
  app.add_option("--batch", options.batch, "Graphs of a commit");
  app.add_option("--sample", options.sample, "Graphs to be compared with a loop over all queries");
  app.add_option("--seed", options.seed, "Of the generator");
  CLI11_PARSE(app, argc, argv);
  return kindred::bench::StandingBench(options).Run();
}
