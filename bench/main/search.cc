// Measures the pruned search against merging every histogram and against adding up all lists, in one run, on
// one index, and checks that all give the same answers. bench/README.md explains the columns.
//
//   bench_search --molecules FILE --sizes 200000,1700000 --queries 1000

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "CLI/CLI.hpp"
#include "bench/baselines.h"
#include "bench/file_molecules.h"
#include "bench/filled_engine.h"
#include "bench/generated_molecules.h"
#include "bench/quantiles.h"
#include "fmt/format.h"
#include "index/base/check.h"
#include "index/engine/engine.h"
#include "index/lists/block_kernels.h"
#include "index/search/pruned.h"

namespace kindred::bench {
namespace {

using Clock = std::chrono::steady_clock;

double Millis(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

struct Options {
  std::string molecules;
  std::string data_dir;
  std::vector<uint32_t> sizes{5'000};
  uint32_t queries = 50;
  uint32_t merge_queries = 3;
  uint64_t seed = 1;
  std::vector<uint32_t> ks{1, 10, 100, 1000};
  std::vector<double> thresholds{0.9, 0.7, 0.5};
  uint32_t rounds = 1;
  std::vector<uint32_t> threads;
  uint32_t cold_queries = 0;
};

struct Setting {
  Measure measure = Measure::kTanimoto;
  uint32_t k = 10;
  std::optional<double> min_similarity;
};

const char* Name(Measure measure) {
  return measure == Measure::kKernel ? "kernel" : (measure == Measure::kCosine ? "cosine" : "tanimoto");
}

// FNV-1a over ids and kernels: equal answers have equal hashes.
uint64_t Hash(uint64_t hash, const std::vector<Hit>& hits) {
  const auto mix = [&](const void* data, size_t size) {
    for (size_t i = 0; i < size; ++i) {
      hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 1099511628211ULL;
    }
  };
  for (const Hit& hit : hits) {
    mix(hit.id.data(), hit.id.size());
    mix(&hit.kernel, sizeof(hit.kernel));
  }
  return hash;
}

class SearchBench {
 public:
  explicit SearchBench(const Options& options) : options_(options) {}

  int Run() {
    fmt::print("machine: {} threads, vectors: {}; data: {}, seed {}\n", std::thread::hardware_concurrency(),
               VectorTarget(), options_.molecules.empty() ? "generated" : options_.molecules, options_.seed);
    engine_ = OpenEngine(options_.data_dir);
    auto source = options_.molecules.empty() ? GeneratedMolecules(options_.seed)
                                             : *MoleculesFromFile(options_.molecules);
    for (uint32_t i = 0; i < options_.queries; ++i) {
      queries_.push_back(source->Next()->graph);
    }
    for (const uint32_t size : options_.sizes) {
      Fill(*engine_, *source, size);
      Measure();
    }
    return mismatches_ == 0 ? 0 : 1;
  }

 private:
  Query MakeQuery(const Graph& graph, const Setting& setting) const {
    return {Histogram::Of(RefineKnown(engine_->hierarchy().view(), graph, engine_->depth())),
            *Scoring::Create(setting.measure, engine_->depth(), std::nullopt, {}), setting.k,
            setting.min_similarity};
  }

  void Measure() {
    snapshot_ = *engine_->snapshot();
    Baselines baselines(*snapshot_);
    fmt::print(
        "{:<9} {:>5} {:>4}  {:>8} {:>8} | {:>7} {:>7} {:>7} {:>7} | {:>6} {:>6} {:>8} {:>8} {:>7} {:>16}\n",
        "measure", "k", "min", "merge", "add p50", "p50", "p95", "p99", "mean", "p50 x", "p99 x", "postings",
        "bounded", "scored", "answers");
    std::vector<Setting> settings;
    for (const auto measure : {Measure::kTanimoto, Measure::kCosine, Measure::kKernel}) {
      for (const uint32_t k : options_.ks) {
        settings.push_back({measure, k, std::nullopt});
      }
    }
    for (const double least : options_.thresholds) {
      settings.push_back({Measure::kTanimoto, 10'000, least});
    }
    for (const Setting& setting : settings) {
      MeasureSetting(setting, baselines);
    }
    for (const uint32_t threads : options_.threads) {
      MeasureThreads(threads);
    }
    if (options_.cold_queries > 0) {
      MeasureCold(baselines);
    }
  }

  // Calls work(i) for every query, all of them in each round, and keeps the best time of each.
  template <typename Work>
  Quantiles ForEachTimed(size_t count, Work work) const {
    std::vector<double> millis(count, std::numeric_limits<double>::infinity());
    for (uint32_t round = 0; round < options_.rounds; ++round) {
      for (size_t i = 0; i < count; ++i) {
        const auto begin = Clock::now();
        work(i);
        millis[i] = std::min(millis[i], Millis(Clock::now() - begin));
      }
    }
    Quantiles quantiles;
    for (const double value : millis) {
      quantiles.Add(value);
    }
    return quantiles;
  }

  std::vector<Query> MakeQueries(const Setting& setting) const {
    std::vector<Query> queries;
    for (const Graph& graph : queries_) {
      queries.push_back(MakeQuery(graph, setting));
    }
    return queries;
  }

  void MeasureSetting(const Setting& setting, Baselines& baselines) {
    SearchStats stats;
    uint64_t hash = 14695981039346656037ULL;
    const PrunedSearcher searcher(snapshot_->segments);
    const std::vector<Query> queries = MakeQueries(setting);
    std::vector<std::vector<Hit>> expected(queries.size());
    Quantiles add =
        ForEachTimed(queries.size(), [&](size_t i) { expected[i] = baselines.AddLists(queries[i]); });
    std::vector<Answer> answers(queries.size());
    Quantiles pruned = ForEachTimed(
        queries.size(), [&](size_t i) { answers[i] = *searcher.Search(queries[i], Interrupt()); });
    for (size_t i = 0; i < queries.size(); ++i) {
      stats.postings_read += answers[i].stats.postings_read;
      stats.blocks_bounded += answers[i].stats.blocks_bounded;
      stats.blocks_scored += answers[i].stats.blocks_scored;
      mismatches_ += answers[i].hits == expected[i] ? 0 : 1;
      hash = Hash(hash, answers[i].hits);
    }
    const size_t merged = std::min<size_t>(queries.size(), options_.merge_queries);
    Quantiles merge = ForEachTimed(merged, [&](size_t i) {
      mismatches_ += baselines.MergeHistograms(queries[i]) == expected[i] ? 0 : 1;
    });
    fmt::print(
        "{:<9} {:>5} {:>4}  {:>8.1f} {:>8.2f} | {:>7.3f} {:>7.3f} {:>7.3f} {:>7.3f} | {:>6.1f} {:>6.1f} "
        "{:>8} {:>8} {:>7} {:016x}{}\n",
        Name(setting.measure), setting.k,
        setting.min_similarity ? fmt::format("{}", *setting.min_similarity) : "", merge.At(0.5), add.At(0.5),
        pruned.At(0.5), pruned.At(0.95), pruned.At(0.99), pruned.Mean(), add.At(0.5) / pruned.At(0.5),
        add.At(0.99) / pruned.At(0.99), stats.postings_read / queries.size(),
        stats.blocks_bounded / queries.size(), stats.blocks_scored / queries.size(), hash,
        mismatches_ == 0 ? "" : " MISMATCH");
    std::fflush(stdout);
  }

  // Top 10 by tanimoto on several threads: one search on all of them, and a search on each.
  void MeasureThreads(uint32_t threads) {
    const std::vector<Query> queries = MakeQueries({});
    const PrunedSearcher one(snapshot_->segments);
    const PrunedSearcher parts(snapshot_->segments, threads,
                               [this](size_t count, const std::function<void(size_t)>& work) {
                                 engine_->executor().ParallelFor(count, work);
                               });
    std::vector<Answer> expected(queries.size());
    Quantiles alone =
        ForEachTimed(queries.size(), [&](size_t i) { expected[i] = *one.Search(queries[i], Interrupt()); });
    Quantiles together = ForEachTimed(queries.size(), [&](size_t i) {
      mismatches_ += parts.Search(queries[i], Interrupt())->hits == expected[i].hits ? 0 : 1;
    });
    const auto seconds = [&](uint32_t searchers) {
      const auto begin = Clock::now();
      std::vector<std::jthread> running;
      for (uint32_t t = 0; t < searchers; ++t) {
        running.emplace_back([&] {
          for (const Query& query : queries) {
            KINDRED_CHECK(one.Search(query, Interrupt()).ok());
          }
        });
      }
      running.clear();
      return Millis(Clock::now() - begin) / 1000;
    };
    const double single = seconds(1);
    fmt::print(
        "{} threads: one search on all of them p50 {:.3f} ms ({:.2f} of one thread), mean {:.3f} ({:.2f}); "
        "a search on each {:.2f} times as many a second{}\n",
        threads, together.At(0.5), together.At(0.5) / alone.At(0.5), together.Mean(),
        together.Mean() / alone.Mean(), threads * single / seconds(threads),
        mismatches_ == 0 ? "" : " MISMATCH");
  }

  // Top 10 by tanimoto, each search after all caches were filled with something else.
  void MeasureCold(Baselines& baselines) {
    constexpr size_t kCacheBytes = 128 << 20;
    std::vector<char> other(kCacheBytes);
    const std::vector<Query> queries = MakeQueries({});
    const PrunedSearcher searcher(snapshot_->segments);
    Quantiles pruned;
    Quantiles add;
    const auto timed = [&](Quantiles& millis, auto work) {
      for (size_t at = 0; at < other.size(); at += 64) {
        other[at] = static_cast<char>(other[at] + 1);
      }
      const auto begin = Clock::now();
      work();
      millis.Add(Millis(Clock::now() - begin));
    };
    for (size_t i = 0; i < std::min<size_t>(options_.cold_queries, queries.size()); ++i) {
      timed(pruned, [&] { KINDRED_CHECK(searcher.Search(queries[i], Interrupt()).ok()); });
      timed(add, [&] { baselines.AddLists(queries[i]); });
    }
    fmt::print("cold caches: p50 {:.3f} ms, p99 {:.3f} ms, {:.1f} times as fast as adding up lists\n",
               pruned.At(0.5), pruned.At(0.99), add.At(0.5) / pruned.At(0.5));
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
  options.data_dir = std::filesystem::temp_directory_path() / fmt::format("kindred-bench-{}", getpid());
  CLI::App app("Measures the pruned search against its baselines.");
  app.add_option("--molecules", options.molecules, "A file kindred reads; default: generated graphs");
  app.add_option("--data-dir", options.data_dir,
                 "Default: a temporary one; one with graphs is used as it is");
  app.add_option("--sizes", options.sizes, "Graphs to index, ascending")->delimiter(',');
  app.add_option("--queries", options.queries, "The first graphs of the data, which are not indexed");
  app.add_option("--merge-queries", options.merge_queries, "How many of them are also answered by merging");
  app.add_option("--seed", options.seed, "Of the generator");
  app.add_option("--rounds", options.rounds, "Rounds over all queries; the best time of each counts");
  app.add_option("--ks", options.ks, "Neighbours to ask for")->delimiter(',');
  app.add_option("--thresholds", options.thresholds, "Similarities to ask for, by tanimoto")->delimiter(',');
  app.add_option("--threads", options.threads, "Also on so many threads")->delimiter(',');
  app.add_option("--cold-queries", options.cold_queries, "So many queries also with cold caches");
  CLI11_PARSE(app, argc, argv);
  const bool temporary = app.count("--data-dir") == 0;
  const int code = kindred::bench::SearchBench(options).Run();
  if (temporary) {
    std::filesystem::remove_all(options.data_dir);
  }
  return code;
}
