// Measures the search for all pairs against one threshold search for each stored graph, in one run, on one
// index, on the same threads, and checks that both find the same. bench/README.md explains the columns.
//
//   bench_pairs --molecules FILE --similarities 0.9,0.8,0.7

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "CLI/CLI.hpp"
#include "bench/clock.h"
#include "bench/file_molecules.h"
#include "bench/generated_molecules.h"
#include "fmt/format.h"
#include "index/base/check.h"
#include "index/engine/engine.h"
#include "index/engine/pair_expansion.h"
#include "index/engine/pair_search.h"
#include "index/lists/block_kernels.h"
#include "index/search/pruned.h"

namespace kindred::bench {
namespace {

struct Options {
  std::string molecules;
  std::string data_dir;
  uint64_t graphs = 5'000;
  std::vector<double> similarities{0.9, 0.8, 0.7};
  uint32_t threads = 2;
  uint32_t rounds = 1;
  uint64_t seed = 1;
};

double ProcessorSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// What was found, whatever the order it came in: how many pairs, and the sum of a hash of each.
struct Found {
  std::atomic<uint64_t> pairs{0};
  std::atomic<uint64_t> hash{0};

  void Add(std::string_view a, std::string_view b, double kernel) {
    uint64_t sum = 14695981039346656037ULL;
    const auto mix = [&](const void* data, size_t size) {
      for (size_t i = 0; i < size; ++i) {
        sum = (sum ^ static_cast<const unsigned char*>(data)[i]) * 1099511628211ULL;
      }
    };
    mix(a.data(), a.size());
    mix(b.data(), b.size());
    mix(&kernel, sizeof(kernel));
    ++pairs;
    hash += sum;
  }
};

struct Took {
  double seconds = 0;    // On the clock,
  double processor = 0;  // and of all threads.
};

class PairsBench {
 public:
  explicit PairsBench(const Options& options)
      : options_(options), parallel_for_(ForEachOnThreads(static_cast<int>(options.threads))) {}

  int Run() {
    fmt::print("machine: {} threads, vectors: {}; data: {}, seed {}\n", std::thread::hardware_concurrency(),
               VectorTarget(), options_.molecules.empty() ? "generated" : options_.molecules, options_.seed);
    OpenEngine();
    Ingest();
    fmt::print("{} graphs, {} segments, {} threads\n", snapshot_->graph_count(), snapshot_->segments.size(),
               options_.threads);
    fmt::print("{:>10} {:>10} {:>11} | {:>9} {:>9} | {:>9} {:>9} | {:>7} {:>7} {:>16}\n", "similarity",
               "pairs", "candidates", "pairs s", "cpu s", "search s", "cpu s", "x", "cpu x", "pairs");
    for (const double similarity : options_.similarities) {
      Measure(similarity);
    }
    return mismatches_ == 0 ? 0 : 1;
  }

 private:
  void OpenEngine() {
    auto directory = DataDirectory::Open(options_.data_dir);
    KINDRED_CHECK(directory.ok());
    EngineOptions engine_options;
    engine_options.threads = static_cast<int>(options_.threads);
    auto engine = Engine::Open(*std::move(directory), engine_options);
    KINDRED_CHECK(engine.ok());
    engine_ = *std::move(engine);
  }

  void Ingest() {
    auto source = options_.molecules.empty() ? GeneratedMolecules(options_.seed)
                                             : *MoleculesFromFile(options_.molecules);
    for (uint64_t stored = engine_->stats().graphs; stored < options_.graphs;) {
      std::promise<void> done;
      WriteRequest request;
      for (int i = 0; i < 4096 && stored < options_.graphs; ++i, ++stored) {
        auto record = source->Next();
        if (!record) {
          stored = options_.graphs;
          break;
        }
        std::string id = record->external_id;
        request.mutations.push_back({std::move(id), *std::move(record), WriteMode::kUpsert});
      }
      request.done = [&done](const WriteResult& result) {
        KINDRED_CHECK(result.status.ok());
        done.set_value();
      };
      if (!request.mutations.empty()) {
        engine_->writer().Submit(std::move(request));
        done.get_future().wait();
      }
    }
    engine_->writer().merger().Settle();
    snapshot_ = *engine_->snapshot();
    KINDRED_CHECK(snapshot_->store
                      ->ForEachHistogram(GraphId{0}, GraphId{UINT64_MAX},
                                         [&](GraphId, const StoredHistogram& stored) {
                                           stored_.push_back(stored);
                                           return absl::OkStatus();
                                         })
                      .ok());
  }

  // The best of some rounds.
  template <typename Work>
  Took Time(Work work) const {
    Took best{1e18, 1e18};
    for (uint32_t round = 0; round < options_.rounds; ++round) {
      const auto begin = Clock::now();
      const double processor = ProcessorSeconds();
      work();
      best.seconds = std::min(best.seconds, Seconds(Clock::now() - begin));
      best.processor = std::min(best.processor, ProcessorSeconds() - processor);
    }
    return best;
  }

  uint64_t FindPairs(double similarity, Found& found) const {
    PairsRequest request;
    request.min_similarity = similarity;
    const auto search = *PairSearch::Create(snapshot_, request, engine_->limits());
    PairExpansion expansion(*search);
    for (bool more = true; more;) {
      more = *search->Step(false, parallel_for_, Interrupt(), expansion.Refill());
      while (!expansion.empty()) {
        const SimilarPair pair = expansion.Take();
        found.Add(pair.a, pair.b, pair.kernel);
      }
    }
    return search->candidate_count();
  }

  // What a client without pairs would do, but for the network and for reading its queries: these are at hand.
  void SearchEach(double similarity, Found& found) const {
    const PrunedSearcher searcher(snapshot_->segments);
    const Scoring scoring = *Scoring::Create(Measure::kTanimoto, engine_->depth(), std::nullopt, {});
    constexpr size_t kAtOnce = 256;
    parallel_for_((stored_.size() + kAtOnce - 1) / kAtOnce, [&](size_t task) {
      for (size_t i = task * kAtOnce; i < std::min(stored_.size(), (task + 1) * kAtOnce); ++i) {
        const Query query{stored_[i].histogram, scoring, 10'000, similarity};
        const absl::StatusOr<Answer> answer = searcher.Search(query, Interrupt());
        for (const Hit& hit : answer->hits) {
          if (stored_[i].external_id < hit.id) {
            found.Add(stored_[i].external_id, hit.id, hit.kernel);
          }
        }
      }
    });
  }

  void Measure(double similarity) {
    uint64_t candidates = 0;
    Found joined;
    Found searched;
    const Took join = Time([&] {
      joined.pairs = joined.hash = 0;
      candidates = FindPairs(similarity, joined);
    });
    const Took search = Time([&] {
      searched.pairs = searched.hash = 0;
      SearchEach(similarity, searched);
    });
    const bool same = joined.pairs == searched.pairs && joined.hash == searched.hash;
    mismatches_ += same ? 0 : 1;
    fmt::print("{:>10} {:>10} {:>11} | {:>9.3f} {:>9.3f} | {:>9.3f} {:>9.3f} | {:>7.1f} {:>7.1f} {:016x}{}\n",
               similarity, joined.pairs.load(), candidates, join.seconds, join.processor, search.seconds,
               search.processor, search.seconds / join.seconds, search.processor / join.processor,
               joined.hash.load(), same ? "" : " MISMATCH");
    std::fflush(stdout);
  }

  const Options options_;
  const ParallelFor parallel_for_;
  std::unique_ptr<Engine> engine_;
  std::shared_ptr<const Snapshot> snapshot_;
  std::vector<StoredHistogram> stored_;
  uint64_t mismatches_ = 0;
};

}  // namespace
}  // namespace kindred::bench

int main(int argc, char** argv) {
  kindred::bench::Options options;
  options.data_dir = std::filesystem::temp_directory_path() / fmt::format("kindred-bench-{}", getpid());
  CLI::App app("Measures all pairs against one search for each graph.");
  app.add_option("--molecules", options.molecules, "A file kindred reads; default: generated graphs");
  app.add_option("--data-dir", options.data_dir,
                 "Default: a temporary one; one with graphs is used as it is");
  app.add_option("--graphs", options.graphs, "How many of them are stored");
  app.add_option("--similarities", options.similarities, "Tanimoto, each above 0 and at most 1")
      ->delimiter(',');
  app.add_option("--threads", options.threads, "Of both");
  app.add_option("--rounds", options.rounds, "The best of so many counts");
  app.add_option("--seed", options.seed, "Of the generator");
  CLI11_PARSE(app, argc, argv);
  const bool temporary = app.count("--data-dir") == 0;
  const int code = kindred::bench::PairsBench(options).Run();
  if (temporary) {
    std::filesystem::remove_all(options.data_dir);
  }
  return code;
}
