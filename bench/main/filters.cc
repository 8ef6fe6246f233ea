// Measures what a search costs when a filter leaves ever fewer graphs, on one index, and checks some of the
// answers against the exhaustive search. bench/README.md explains the columns.
//
//   bench_filters --molecules FILE --graphs 200000 --queries 300

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "bench/clock.h"
#include "bench/file_molecules.h"
#include "bench/generated_molecules.h"
#include "bench/quantiles.h"
#include "fmt/format.h"
#include "index/base/check.h"
#include "index/engine/engine.h"
#include "index/engine/filter_lists.h"
#include "index/engine/filtered_snapshot.h"
#include "index/search/pruned.h"

namespace kindred::bench {
namespace {

struct Options {
  std::string molecules;
  std::string data_dir;
  uint32_t graphs = 5'000;
  uint32_t queries = 50;
  uint32_t checked = 3;
  uint32_t k = 10;
  uint32_t rounds = 3;
  uint64_t seed = 1;
  std::vector<std::string> filters{"",
                                   "exists size",
                                   "of2 = yes",
                                   "of10 = yes",
                                   "of100 = yes",
                                   "of1000 = yes",
                                   "of10000 = yes",
                                   "size = 26",
                                   "size = 26 and of10 = yes",
                                   "size in (25, 26, 27) or of100 = yes"};
};

// Scattered as badly as can be: which graphs have a tag has nothing to do with what they look like.
Tags ScatteredTags(uint64_t number) {
  uint64_t hash = (number + 1) * 0x9e3779b97f4a7c15;
  hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9;
  hash ^= hash >> 32;
  Tags tags;
  for (const uint64_t share : {2, 10, 100, 1'000, 10'000}) {
    if (hash % share == 0) {
      tags.emplace_back(fmt::format("of{}", share), "yes");
    }
    hash = hash * 0x94d049bb133111eb + 1;
    hash ^= hash >> 31;
  }
  return tags;
}

class FilterBench {
 public:
  explicit FilterBench(const Options& options) : options_(options) {}

  int Run() {
    fmt::print("machine: {} threads; data: {}, seed {}; top {} by tanimoto, {} queries, best of {} rounds\n",
               std::thread::hardware_concurrency(),
               options_.molecules.empty() ? "generated" : options_.molecules, options_.seed, options_.k,
               options_.queries, options_.rounds);
    auto directory = DataDirectory::Open(options_.data_dir);
    KINDRED_CHECK(directory.ok());
    engine_ = *Engine::Open(*std::move(directory), {});
    Ingest();
    fmt::print("{:<43} | {:^36} | {:^38}\n", "", "by a mask", "by lists of its own");
    fmt::print("{:<34} {:>8} | {:>6} {:>6} {:>6} {:>8} {:>6} | {:>6} {:>6} {:>6} {:>8} {:>6}\n", "filter",
               "matching", "mask", "p50", "p99", "postings", "scored", "made", "p50", "p99", "postings",
               "scored");
    for (const std::string& filter : options_.filters) {
      Measure(filter);
    }
    return mismatches_ == 0 ? 0 : 1;
  }

 private:
  void Ingest() {
    auto source = options_.molecules.empty() ? GeneratedMolecules(options_.seed)
                                             : *MoleculesFromFile(options_.molecules);
    for (uint32_t i = 0; i < options_.queries; ++i) {
      queries_.push_back(source->Next()->graph);
    }
    for (auto stored = static_cast<uint32_t>(engine_->stats().graphs); stored < options_.graphs;) {
      WriteRequest request;
      for (int i = 0; i < 2048 && stored < options_.graphs; ++i, ++stored) {
        auto record = source->Next();
        KINDRED_CHECK(record.has_value());
        record->tags = ScatteredTags(stored);
        record->tags.emplace_back("size", std::to_string(record->graph.vertex_count()));
        std::string id = record->external_id;
        request.mutations.push_back({std::move(id), *std::move(record), WriteMode::kUpsert});
      }
      std::promise<void> done;
      request.done = [&done](const WriteResult& result) {
        KINDRED_CHECK(result.status.ok());
        done.set_value();
      };
      engine_->writer().Submit(std::move(request));
      done.get_future().wait();
    }
    engine_->writer().merger().Settle();
    snapshot_ = *engine_->snapshot();
    uint64_t tag_bytes = 0;
    for (const SegmentView& view : snapshot_->segments) {
      tag_bytes += view.segment->tags().memory_bytes();
    }
    const EngineStats stats = engine_->stats();
    fmt::print("{} graphs, {} segments, {:.1f} bytes a graph in segments, {:.1f} of them tags\n",
               stats.graphs, stats.segments,
               static_cast<double>(stats.segment_bytes) / static_cast<double>(stats.graphs),
               static_cast<double>(tag_bytes) / static_cast<double>(stats.graphs));
  }

  struct Measured {
    Quantiles masks;  // Until it was known which graphs match.
    Quantiles times;
    SearchStats stats;
    uint64_t matching = 0;
  };

  void Measure(const std::string& text) {
    const Filter filter = *Filter::Parse(text, Limits());
    Measured first = Searched(filter, nullptr);
    const double making = MakeLists(filter, static_cast<uint32_t>(first.matching));
    Measured again = Searched(filter, &engine_->filter_lists());
    fmt::print(
        "{:<34} {:>8} | {:>6.3f} {:>6.3f} {:>6.3f} {:>8} {:>6} | {:>6.0f} {:>6.3f} {:>6.3f} {:>8} {:>6}{}\n",
        text.empty() ? "(none)" : text, first.matching, first.masks.At(0.5), first.times.At(0.5),
        first.times.At(0.99), first.stats.postings_read / queries_.size(),
        first.stats.blocks_scored / queries_.size(), making, again.times.At(0.5), again.times.At(0.99),
        again.stats.postings_read / queries_.size(), again.stats.blocks_scored / queries_.size(),
        mismatches_ == 0 ? "" : " MISMATCH");
    std::fflush(stdout);
  }

  // Uses the filter until lists are worth it; the milliseconds it takes to make them.
  double MakeLists(const Filter& filter, uint32_t matching) {
    FilterLists& lists = engine_->filter_lists();
    for (uint64_t i = 0; i < FilterLists::UsesMin(options_.graphs, matching); ++i) {
      KINDRED_CHECK(Filtered(snapshot_, filter, Interrupt(), &lists).ok());
    }
    const auto begin = Clock::now();
    lists.Settle();
    return Seconds(Clock::now() - begin) * 1000;
  }

  Measured Searched(const Filter& filter, FilterLists* lists) {
    const auto scoring = *Scoring::Create(Measure::kTanimoto, engine_->depth(), std::nullopt, {});
    std::vector<double> best(queries_.size(), std::numeric_limits<double>::infinity());
    Measured measured;
    for (uint32_t round = 0; round < options_.rounds; ++round) {
      for (size_t i = 0; i < queries_.size(); ++i) {
        const Query query{
            Histogram::Of(RefineKnown(engine_->hierarchy().view(), queries_[i], engine_->depth())), scoring,
            options_.k, std::nullopt};
        const auto begin = Clock::now();
        const auto shown = *Filtered(snapshot_, filter, Interrupt(), lists);
        const auto masked = Clock::now();
        const Answer answer = *PrunedSearcher(shown->segments).Search(query, Interrupt());
        best[i] = std::min(best[i], Seconds(Clock::now() - begin) * 1000);
        measured.masks.Add(Seconds(masked - begin) * 1000);
        if (round == 0) {
          measured.stats.postings_read += answer.stats.postings_read;
          measured.stats.blocks_scored += answer.stats.blocks_scored;
          measured.matching = shown->graph_count();
          Check(i, filter, answer);
        }
      }
    }
    for (const double millis : best) {
      measured.times.Add(millis);
    }
    return measured;
  }

  void Check(size_t i, const Filter& filter, const Answer& answer) {
    if (i >= options_.checked) {
      return;
    }
    SearchRequest request;
    request.query = queries_[i];
    request.k = options_.k;
    request.mode = SearchMode::kExhaustive;
    request.filter = filter;
    mismatches_ += engine_->Search(request, Interrupt())->answer.hits == answer.hits ? 0 : 1;
  }

  const Options options_;
  std::unique_ptr<Engine> engine_;
  std::vector<Graph> queries_;
  std::shared_ptr<const Snapshot> snapshot_;
  uint64_t mismatches_ = 0;
};

}  // namespace
}  // namespace kindred::bench

int main(int argc, char** argv) {
  kindred::bench::Options options;
  options.data_dir = std::filesystem::temp_directory_path() / fmt::format("kindred-filters-{}", getpid());
  CLI::App app("Measures searches with filters that leave ever fewer graphs.");
  app.add_option("--molecules", options.molecules, "A file kindred reads; default: generated graphs");
  app.add_option("--data-dir", options.data_dir,
                 "Default: a temporary one; one that this filled before is used as it is");
  app.add_option("--graphs", options.graphs, "Graphs to index");
  app.add_option("--queries", options.queries, "The first graphs of the data, which are not indexed");
  app.add_option("--filter", options.filters, "One or more; default: ever narrower ones");
  app.add_option("--checked", options.checked, "How many of them are also answered exhaustively");
  app.add_option("-k", options.k, "Neighbours to ask for");
  app.add_option("--rounds", options.rounds, "Rounds over all queries; the best time of each counts");
  app.add_option("--seed", options.seed, "Of the generator");
  CLI11_PARSE(app, argc, argv);
  const bool temporary = app.count("--data-dir") == 0;
  const int code = kindred::bench::FilterBench(options).Run();
  if (temporary) {
    std::filesystem::remove_all(options.data_dir);
  }
  return code;
}
