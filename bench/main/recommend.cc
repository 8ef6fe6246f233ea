// Measures pruned recommendations against adding up the lists of all examples, in one run, on one index, and
// checks that both give the same answers. bench/README.md explains the columns.
//
//   bench_recommend --molecules FILE --graphs 200000 --queries 200

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
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
#include "index/lists/block_kernels.h"
#include "index/search/exhaustive_recommender.h"
#include "index/search/pruned.h"
#include "index/search/pruned_recommender.h"

namespace kindred::bench {
namespace {

struct Options {
  std::string molecules;
  std::string data_dir;
  uint32_t graphs = 5'000;
  uint32_t queries = 50;
  uint32_t merge_queries = 2;
  uint64_t seed = 1;
  uint32_t k = 10;
  // The liked and the disliked of one question are drawn from so many neighbours of one graph.
  uint32_t family = 200;
  // Only these kinds of questions, from 0; none: all.
  std::vector<size_t> kinds;
};

// How the examples of a question belong together.
enum class Choice { kFamily, kAny };

struct Setting {
  size_t liked = 2;
  size_t disliked = 1;
  Choice choice = Choice::kFamily;
  RecommendForm form = RecommendForm::kWeightedSum;
  Measure measure = Measure::kTanimoto;
};

const char* Name(Measure measure) {
  return measure == Measure::kKernel ? "kernel" : (measure == Measure::kCosine ? "cosine" : "tanimoto");
}

// Processor time of this thread: what others do on the machine counts less than on a clock.
double ThreadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// FNV-1a over ids and scores: equal answers have equal hashes.
uint64_t Hash(uint64_t hash, const std::vector<RecommendHit>& hits) {
  const auto mix = [&](const void* data, size_t size) {
    for (size_t i = 0; i < size; ++i) {
      hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 1099511628211ULL;
    }
  };
  for (const RecommendHit& hit : hits) {
    mix(hit.id.data(), hit.id.size());
    mix(&hit.score, sizeof(hit.score));
  }
  return hash;
}

class RecommendBench {
 public:
  explicit RecommendBench(const Options& options) : options_(options) {}

  int Run() {
    fmt::print("machine: {} threads, vectors: {}; data: {}, seed {}\n", std::thread::hardware_concurrency(),
               VectorTarget(), options_.molecules.empty() ? "generated" : options_.molecules, options_.seed);
    engine_ = OpenEngine(options_.data_dir);
    auto source = options_.molecules.empty() ? GeneratedMolecules(options_.seed)
                                             : *MoleculesFromFile(options_.molecules);
    for (uint32_t i = 0; i < options_.queries; ++i) {
      seeds_.push_back(source->Next()->graph);
    }
    Fill(*engine_, *source, options_.graphs);
    snapshot_ = *engine_->snapshot();
    Baselines baselines(*snapshot_);
    fmt::print(
        "{:<9} {:<7} {:<6} {:<8} {:>8} {:>8} {:>8} | {:>7} {:>7} {:>7} {:>7} | {:>6} {:>6} {:>8} {:>8} {:>7} "
        "{:>16}\n",
        "examples", "form", "choice", "measure", "oracle", "add p50", "add p99", "p50", "p95", "p99", "mean",
        "p50 x", "p99 x", "postings", "bounded", "scored", "answers");
    const std::vector<Setting> settings = Settings();
    for (size_t kind = 0; kind < settings.size(); ++kind) {
      if (options_.kinds.empty() || std::ranges::count(options_.kinds, kind) > 0) {
        MeasureSetting(settings[kind], baselines);
      }
    }
    return mismatches_ == 0 ? 0 : 1;
  }

 private:
  static std::vector<Setting> Settings() {
    using enum RecommendForm;
    return {{2, 1, Choice::kFamily},
            {5, 5, Choice::kFamily},
            {2, 1, Choice::kAny},
            {5, 5, Choice::kAny},
            {3, 0, Choice::kFamily, kBestMinimum},
            {10, 0, Choice::kFamily, kBestMinimum},
            {3, 0, Choice::kAny, kBestMinimum},
            {2, 1, Choice::kFamily, kWeightedSum, Measure::kCosine},
            {5, 5, Choice::kFamily, kWeightedSum, Measure::kCosine},
            {2, 1, Choice::kFamily, kWeightedSum, Measure::kKernel},
            {5, 5, Choice::kFamily, kWeightedSum, Measure::kKernel}};
  }

  Histogram HistogramOf(const Graph& graph) const {
    return Histogram::Of(RefineKnown(engine_->hierarchy().view(), graph, engine_->depth()));
  }

  // Stored graphs near the i-th seed, or anything.
  std::vector<std::string> ExampleIds(size_t i, const Setting& setting) const {
    const size_t count = setting.liked + setting.disliked;
    std::vector<std::string> ids;
    const Scoring scoring = *Scoring::Create(Measure::kTanimoto, engine_->depth(), std::nullopt, {});
    for (size_t e = 0; e < count; ++e) {
      const bool any = setting.choice == Choice::kAny;
      const Query near{HistogramOf(seeds_[any ? (i + e * 7) % seeds_.size() : i]), scoring,
                       any ? 1 : options_.family, std::nullopt};
      const std::vector<Hit> hits = PrunedSearcher(snapshot_->segments).Search(near, Interrupt())->hits;
      ids.push_back(hits[any ? 0 : (e * 37 + 1) % hits.size()].id);
    }
    return ids;
  }

  RecommendQuery MakeQuery(size_t i, const Setting& setting) const {
    RecommendQuery query{
        {},         setting.form, *Scoring::Create(setting.measure, engine_->depth(), std::nullopt, {}),
        options_.k, {},           {}};
    for (const std::string& id : ExampleIds(i, setting)) {
      const auto found = snapshot_->FindGraph(id);
      query.examples.push_back(
          {snapshot_->store->ReadHistogram(*found)->histogram, 1, query.examples.size() < setting.liked});
      query.excluded.insert(id);
    }
    return query;
  }

  template <typename Work>
  static Quantiles Timed(size_t count, Work work) {
    Quantiles millis;
    for (size_t i = 0; i < count; ++i) {
      const double begin = ThreadSeconds();
      work(i);
      millis.Add((ThreadSeconds() - begin) * 1000);
    }
    return millis;
  }

  void MeasureSetting(const Setting& setting, const Baselines& baselines) {
    std::vector<RecommendQuery> queries;
    for (size_t i = 0; i < seeds_.size(); ++i) {
      queries.push_back(MakeQuery(i, setting));
    }
    const PrunedRecommender recommender(snapshot_->segments);
    std::vector<RecommendAnswer> answers(queries.size());
    Quantiles pruned = Timed(queries.size(),
                             [&](size_t i) { answers[i] = *recommender.Recommend(queries[i], Interrupt()); });
    Quantiles add = Timed(queries.size(), [&](size_t i) {
      mismatches_ += baselines.AddLists(queries[i]) == answers[i].hits ? 0 : 1;
    });
    const ExhaustiveRecommender oracle([this](const HistogramVisitor& visit) {
      return snapshot_->store->ForEachHistogram(GraphId{0}, GraphId{UINT64_MAX},
                                                [&](GraphId, const StoredHistogram& stored) {
                                                  return visit(stored.external_id, stored.histogram);
                                                });
    });
    Quantiles exhaustive = Timed(std::min<size_t>(queries.size(), options_.merge_queries), [&](size_t i) {
      mismatches_ += oracle.Recommend(queries[i], Interrupt())->hits == answers[i].hits ? 0 : 1;
    });
    SearchStats stats;
    uint64_t hash = 14695981039346656037ULL;
    for (const RecommendAnswer& answer : answers) {
      stats.postings_read += answer.stats.postings_read;
      stats.blocks_bounded += answer.stats.blocks_bounded;
      stats.blocks_scored += answer.stats.blocks_scored;
      hash = Hash(hash, answer.hits);
    }
    const size_t count = queries.size();
    fmt::print(
        "{:<9} {:<7} {:<6} {:<8} {:>8.0f} {:>8.2f} {:>8.2f} | {:>7.3f} {:>7.3f} {:>7.3f} {:>7.3f} | {:>6.1f} "
        "{:>6.1f} {:>8} {:>8} "
        "{:>7} {:016x}{}\n",
        fmt::format("{}+{}", setting.liked, setting.disliked),
        setting.form == RecommendForm::kWeightedSum ? "sum" : "minimum",
        setting.choice == Choice::kFamily ? "family" : "any", Name(setting.measure), exhaustive.At(0.5),
        add.At(0.5), add.At(0.99), pruned.At(0.5), pruned.At(0.95), pruned.At(0.99), pruned.Mean(),
        add.At(0.5) / pruned.At(0.5), add.At(0.99) / pruned.At(0.99), stats.postings_read / count,
        stats.blocks_bounded / count, stats.blocks_scored / count, hash, mismatches_ == 0 ? "" : " MISMATCH");
    std::fflush(stdout);
  }

  const Options options_;
  std::unique_ptr<Engine> engine_;
  std::vector<Graph> seeds_;
  std::shared_ptr<const Snapshot> snapshot_;
  uint64_t mismatches_ = 0;
};

}  // namespace
}  // namespace kindred::bench

int main(int argc, char** argv) {
  kindred::bench::Options options;
  options.data_dir = std::filesystem::temp_directory_path() / fmt::format("kindred-bench-{}", getpid());
  CLI::App app("Measures pruned recommendations against adding up lists.");
  app.add_option("--molecules", options.molecules, "A file kindred reads; default: generated graphs");
  app.add_option("--data-dir", options.data_dir,
                 "Default: a temporary one; one with graphs is used as it is");
  app.add_option("--graphs", options.graphs, "Graphs to index");
  app.add_option("--queries", options.queries, "Questions of each kind");
  app.add_option("--merge-queries", options.merge_queries, "How many of them the oracle answers, too");
  app.add_option("--seed", options.seed, "Of the generator");
  app.add_option("-k", options.k, "Graphs to ask for");
  app.add_option("--family", options.family, "Examples are drawn from so many neighbours of one graph");
  app.add_option("--kinds", options.kinds, "Only these kinds of questions, from 0")->delimiter(',');
  CLI11_PARSE(app, argc, argv);
  const bool temporary = app.count("--data-dir") == 0;
  const int code = kindred::bench::RecommendBench(options).Run();
  if (temporary) {
    std::filesystem::remove_all(options.data_dir);
  }
  return code;
}
