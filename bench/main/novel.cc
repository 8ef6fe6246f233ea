// Measures a stream that stores only what is novel into a running daemon, against the same threshold search
// on the same index: records a second here, searches a second there. Some of the stream are copies, with
// their vertices renumbered; it fails unless every one is found. bench/README.md explains.
//
//   bench_novel --server 127.0.0.1:5463 --molecules FILE --graphs 200000 --records 40000 --min-similarity 0.9

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "CLI/CLI.hpp"
#include "bench/clock.h"
#include "bench/file_molecules.h"
#include "bench/generated_molecules.h"
#include "bench/record_file.h"
#include "client/client.h"
#include "fmt/format.h"
#include "index/base/check.h"

namespace kindred::bench {
namespace {

struct Options {
  std::string server = "127.0.0.1:5463";
  std::string molecules;
  std::string cache;
  uint64_t graphs = 2'000;
  uint64_t records = 500;
  double copies = 0.1;
  std::vector<double> min_similarities{0.9};
  bool isomorphic = false;
  uint64_t seed = 1;
};

// The same graph: vertex v becomes vertex order[v].
v1::Graph Renumbered(const v1::Graph& graph, std::mt19937_64& rng) {
  std::vector<uint32_t> order(static_cast<size_t>(graph.vertices_size()));
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), rng);
  v1::Graph copy = graph;
  for (int v = 0; v < graph.vertices_size(); ++v) {
    copy.set_vertices(static_cast<int>(order[static_cast<size_t>(v)]), graph.vertices(v));
  }
  for (int e = 0; e < graph.edges_size(); ++e) {
    copy.set_edges(e, order[graph.edges(e)]);
  }
  return copy;
}

class NovelBench {
 public:
  explicit NovelBench(const Options& options)
      : options_(options),
        client_(Connect()),
        source_(options.molecules.empty() ? GeneratedMolecules(options.seed)
                                          : *MoleculesFromFile(options.molecules)),
        stored_(*source_, options.graphs + options.records * options.min_similarities.size(), options.cache) {
    KINDRED_CHECK(stored_.size() >= options.graphs + options.records * options.min_similarities.size());
  }

  void Run() {
    const v1::StatsResponse stats = *client_->Stats();
    fmt::print(
        "machine: {} threads, vectors: {}; data: {}, seed {}; {} graphs, {} records, {:.0f}% of them "
        "copies\n",
        std::thread::hardware_concurrency(), stats.vector_target(),
        options_.molecules.empty() ? "generated" : options_.molecules, options_.seed, options_.graphs,
        options_.records, 100 * options_.copies);
    Store();
    uint64_t first = options_.graphs;
    for (const double min_similarity : options_.min_similarities) {
      Measure(min_similarity, first);
      first += options_.records;
    }
  }

 private:
  std::unique_ptr<client::Client> Connect() const {
    auto client = client::Client::Create(options_.server);
    KINDRED_CHECK(client.ok());
    return *std::move(client);
  }

  void Store() {
    auto stream = client_->Ingest({}, [](const client::Rejection&) { KINDRED_CHECK(false); });
    KINDRED_CHECK(stream.ok());
    for (uint64_t i = 0; i < options_.graphs; ++i) {
      KINDRED_CHECK((*stream)->Send(stored_.at(i), {}).ok());
    }
    KINDRED_CHECK((*stream)->Finish().ok());
  }

  // Until no merge runs, and none began for a while.
  void Settle() {
    constexpr int kQuietChecks = 15;
    uint64_t merges = 0;
    for (int quiet = 0; quiet < kQuietChecks;) {
      const v1::StatsResponse stats = *client_->Stats();
      quiet = stats.merging() == 0 && stats.merges() == merges ? quiet + 1 : 0;
      merges = stats.merges();
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }

  // The records from `first` on, and among them copies of stored ones; a copy's id starts with "copy ".
  std::vector<v1::Record> MakeStream(uint64_t first) const {
    std::mt19937_64 rng(options_.seed + first);
    std::uniform_real_distribution<double> share(0, 1);
    std::vector<v1::Record> records;
    for (uint64_t i = first; records.size() < options_.records; ++i) {
      if (share(rng) < options_.copies) {
        v1::Record copy = stored_.at(rng() % options_.graphs);
        copy.set_id(fmt::format("copy {} of {}", i, copy.id()));
        *copy.mutable_graph() = Renumbered(copy.graph(), rng);
        records.push_back(std::move(copy));
      } else {
        records.push_back(stored_.at(i));
      }
    }
    return records;
  }

  void Measure(double min_similarity, uint64_t first) {
    const std::vector<v1::Record> records = MakeStream(first);
    Settle();
    // Twice, and the better one: others work on the machine, too.
    const double first_pass = SearchesASecond(records, min_similarity);
    const double searches = std::max(first_pass, SearchesASecond(records, min_similarity));
    const double novel = RecordsASecond(records, min_similarity);
    const v1::StatsResponse stats = *client_->Stats();
    fmt::print(
        "min_similarity {:.2f}: {:.0f} searches/s; {:.0f} records/s, {:.2f} of that; stored {}, not novel "
        "{}, all {} "
        "copies among them; {} graphs now\n",
        min_similarity, searches, novel, novel / searches, summary_.inserted, summary_.not_novel, copies_,
        stats.graphs());
    std::fflush(stdout);
  }

  // The search a record asks for, over one stream that keeps all threads of the daemon busy.
  double SearchesASecond(const std::vector<v1::Record>& records, double min_similarity) {
    uint64_t answered = 0;
    const auto start = Clock::now();
    const auto stream = client_->SearchMany();
    for (const v1::Record& record : records) {
      v1::SearchRequest request;
      *request.mutable_graph() = record.graph();
      request.set_k(1);
      request.set_min_similarity(min_similarity);
      KINDRED_CHECK(stream
                        ->Ask(request,
                              [&](const absl::StatusOr<v1::SearchResponse>& answer) {
                                ++answered;
                                return answer.status();
                              })
                        .ok());
    }
    KINDRED_CHECK(stream->Finish().ok());
    return static_cast<double>(answered) / Seconds(Clock::now() - start);
  }

  double RecordsASecond(const std::vector<v1::Record>& records, double min_similarity) {
    uint64_t found = 0;
    client::IngestOptions options;
    options.novelty.emplace();
    options.novelty->set_min_similarity(min_similarity);
    options.novelty->set_isomorphic(options_.isomorphic);
    options.on_not_novel = [&](const client::NotNovel& record) {
      const bool is_copy = record.id.starts_with("copy ");
      found += is_copy ? 1 : 0;
      KINDRED_CHECK(!is_copy || record.closest.identity() == v1::ClosestGraph::ISOMORPHIC);
    };
    const auto start = Clock::now();
    auto stream = client_->Ingest(options, [](const client::Rejection&) { KINDRED_CHECK(false); });
    KINDRED_CHECK(stream.ok());
    for (const v1::Record& record : records) {
      KINDRED_CHECK((*stream)->Send(record, {}).ok());
    }
    const auto summary = (*stream)->Finish();
    KINDRED_CHECK(summary.ok());
    const double seconds = Seconds(Clock::now() - start);
    summary_ = *summary;
    copies_ = static_cast<uint64_t>(std::ranges::count_if(
        records, [](const v1::Record& record) { return record.id().starts_with("copy "); }));
    KINDRED_CHECK(found == copies_);
    return static_cast<double>(records.size()) / seconds;
  }

  const Options options_;
  const std::unique_ptr<client::Client> client_;
  const std::unique_ptr<MoleculeSource> source_;
  const Records stored_;
  client::IngestSummary summary_;
  uint64_t copies_ = 0;
};

}  // namespace
}  // namespace kindred::bench

int main(int argc, char** argv) {
  kindred::bench::Options options;
  CLI::App app("Measures a stream of what is novel into a running daemon, which should be empty.");
  app.add_option("--server", options.server, "Its address");
  app.add_option("--molecules", options.molecules, "A file kindred reads; default: generated graphs");
  app.add_option("--cache", options.cache, "Keeps the parsed molecules in this file for the next run");
  app.add_option("--graphs", options.graphs, "Graphs to store first");
  app.add_option("--records", options.records, "Records of each stream");
  app.add_option("--copies", options.copies, "The share of them that are copies");
  app.add_option("--min-similarity", options.min_similarities, "A stream for each")->delimiter(',');
  app.add_flag("--isomorphic", options.isomorphic, "Equal histograms count only for equal graphs");
  app.add_option("--seed", options.seed, "Of the generator and the copies");
  CLI11_PARSE(app, argc, argv);
  kindred::bench::NovelBench(options).Run();
  return 0;
}
