// Measures a running daemon through the client library: how fast graphs stream in as the index grows,
// searches meanwhile, right after and when merges have settled (by the daemon's own clock), memory, and two
// clients against one. bench/README.md explains; bench/run starts a daemon for it.
//
//   bench_service --server 127.0.0.1:5463 --molecules FILE --graphs 1700000 --queries 1000

#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "CLI/CLI.hpp"
#include "bench/clock.h"
#include "bench/file_molecules.h"
#include "bench/generated_molecules.h"
#include "bench/quantiles.h"
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
  uint64_t queries = 20;
  uint64_t seed = 1;
  double throughput_seconds = 1;
  bool stored = false;
};

class ServiceBench {
 public:
  explicit ServiceBench(const Options& options)
      : options_(options),
        client_(Connect()),
        source_(Source()),
        records_(*source_, options.graphs + options.queries, options.cache) {
    KINDRED_CHECK(records_.size() > options.queries);
    graphs_ = records_.size() - options.queries;  // The last ones are queries, and not stored.
  }

  void Run() {
    const v1::StatsResponse stats = *client_->Stats();
    fmt::print("machine: {} threads, vectors: {}; data: {}, seed {}; {} graphs, {} queries\n",
               std::thread::hardware_concurrency(), stats.vector_target(),
               options_.molecules.empty() ? "generated" : options_.molecules, options_.seed, graphs_,
               options_.queries);
    if (!options_.stored) {
      StoreAll();
    }
    Settle();
    PrintMemory();
    PrintLatencies();
    PrintThroughput();
  }

 private:
  void StoreAll() {
    // Eight parts. Searches are measured during the seventh, so that the first and the last are alike.
    const uint64_t part = std::max<uint64_t>(graphs_ / 8, 1);
    double first = 0;
    double last = 0;
    for (uint64_t begin = 0; begin < graphs_; begin += part) {
      const uint64_t end = std::min(begin + part, graphs_);
      const bool search = begin / part == 6;
      const double seconds = Store(begin, end, search);
      fmt::print("stored {:>8} to {:>8}: {:>7.2f} s, {:>7.0f} graphs/s{}\n", begin, end, seconds,
                 static_cast<double>(end - begin) / seconds, search ? ", with searches" : "");
      std::fflush(stdout);
      if (end - begin == part) {
        first = begin == 0 ? seconds : first;
        last = seconds;
      }
    }
    fmt::print("the last part took {:.2f} times as long as the first\n", last / first);
    const auto stored = Clock::now();
    Quantiles after = SearchAll(v1::MEASURE_TANIMOTO, 10);
    Settle();
    fmt::print("settled {:.1f} s after the last acknowledgement\n", Seconds(Clock::now() - stored));
    Quantiles settled = SearchAll(v1::MEASURE_TANIMOTO, 10);
    Print("while streaming", during_, settled);
    Print("right after", after, settled);
    Print("settled", settled, settled);
  }

  std::unique_ptr<client::Client> Connect() const {
    auto client = client::Client::Create(options_.server);
    KINDRED_CHECK(client.ok());
    return *std::move(client);
  }

  std::unique_ptr<MoleculeSource> Source() const {
    return options_.molecules.empty() ? GeneratedMolecules(options_.seed)
                                      : *MoleculesFromFile(options_.molecules);
  }

  v1::SearchRequest Query(uint64_t i, v1::Measure measure, uint32_t k) const {
    v1::SearchRequest request;
    *request.mutable_graph() = records_.at(graphs_ + i % options_.queries).graph();
    request.set_measure(measure);
    request.set_k(k);
    return request;
  }

  // Seconds until everything was acknowledged.
  double Store(uint64_t begin, uint64_t end, bool search) {
    std::atomic<bool> done{false};
    std::thread searcher;
    if (search) {
      searcher = std::thread([&] {
        for (uint64_t i = 0; !done; ++i) {
          during_.Add(Micros(*client_, Query(i, v1::MEASURE_TANIMOTO, 10)));
        }
      });
    }
    const auto start = Clock::now();
    auto stream = client_->Ingest({}, [](const client::Rejection&) { KINDRED_CHECK(false); });
    KINDRED_CHECK(stream.ok());
    for (uint64_t i = begin; i < end; ++i) {
      KINDRED_CHECK((*stream)->Send(records_.at(i), {}).ok());
    }
    KINDRED_CHECK((*stream)->Finish().ok());
    const double seconds = Seconds(Clock::now() - start);
    done = true;
    if (search) {
      searcher.join();
    }
    return seconds;
  }

  // By the daemon's clock.
  static double Micros(client::Client& client, const v1::SearchRequest& request) {
    const auto response = client.Search(request);
    KINDRED_CHECK(response.ok());
    return static_cast<double>(response->stats().micros());
  }

  Quantiles SearchAll(v1::Measure measure, uint32_t k) {
    Quantiles micros;
    for (uint64_t i = 0; i < options_.queries; ++i) {
      micros.Add(Micros(*client_, Query(i, measure, k)));
    }
    return micros;
  }

  // Until no merge runs, and none began for a while: larger merges wait for a pause of writes.
  void Settle() {
    constexpr int kQuietChecks = 15;
    uint64_t merges = 0;
    for (int quiet = 0; quiet < kQuietChecks;) {
      const v1::StatsResponse stats = *client_->Stats();
      quiet = stats.merging() == 0 && stats.merges() == merges ? quiet + 1 : 0;
      merges = stats.merges();
      resident_peak_ = std::max(resident_peak_, stats.resident_bytes());
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }

  static void Print(const char* when, Quantiles& micros, Quantiles& settled) {
    if (micros.size() == 0) {
      return;
    }
    fmt::print(
        "top 10, {:<16} p50 {:>6.0f} us ({:.2f} of settled), p95 {:>6.0f}, p99 {:>6.0f}, {} searches\n", when,
        micros.At(0.5), micros.At(0.5) / settled.At(0.5), micros.At(0.95), micros.At(0.99), micros.size());
  }

  void PrintMemory() {
    const v1::StatsResponse stats = *client_->Stats();
    const auto each = [&](uint64_t bytes) {
      return static_cast<double>(bytes) / static_cast<double>(stats.graphs());
    };
    fmt::print(
        "memory, bytes a graph: {:.1f} resident, all of the daemon ({:.1f} at most while merges settled); "
        "{:.1f} of it index, in {} segments; {:.1f} on disk\n",
        each(stats.resident_bytes()), each(resident_peak_), each(stats.memory_bytes()), stats.segments(),
        each(stats.disk_bytes()));
  }

  void PrintLatencies() {
    for (const auto& [name, measure] :
         {std::pair("tanimoto", v1::MEASURE_TANIMOTO), std::pair("cosine", v1::MEASURE_COSINE),
          std::pair("kernel", v1::MEASURE_KERNEL)}) {
      for (const uint32_t k : {1u, 10u, 100u, 1000u}) {
        Quantiles micros = SearchAll(measure, k);
        fmt::print("{:<9} k {:>5}: p50 {:>6.0f} us, p95 {:>6.0f}, p99 {:>6.0f}, mean {:>6.0f}\n", name, k,
                   micros.At(0.5), micros.At(0.95), micros.At(0.99), micros.Mean());
      }
    }
  }

  // Answers a second of so many clients, each on a connection of its own, asking one after the other, ...
  double Throughput(int clients) {
    std::atomic<uint64_t> answered{0};
    const auto end = Clock::now() + std::chrono::duration<double>(options_.throughput_seconds);
    std::vector<std::thread> threads;
    threads.reserve(static_cast<size_t>(clients));
    for (int c = 0; c < clients; ++c) {
      threads.emplace_back([&, c] {
        const auto client = Connect();
        for (uint64_t i = static_cast<uint64_t>(c) * 37; Clock::now() < end; ++i) {
          Micros(*client, Query(i, v1::MEASURE_TANIMOTO, 10));
          ++answered;
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
    return static_cast<double>(answered) / options_.throughput_seconds;
  }

  // ... and of one that streams its questions.
  double StreamThroughput() {
    uint64_t answered = 0;
    const auto start = Clock::now();
    const auto stream = client_->SearchMany();
    for (uint64_t i = 0; Seconds(Clock::now() - start) < options_.throughput_seconds; ++i) {
      KINDRED_CHECK(stream
                        ->Ask(Query(i, v1::MEASURE_TANIMOTO, 10),
                              [&](const absl::StatusOr<v1::SearchResponse>& answer) {
                                ++answered;
                                return answer.status();
                              })
                        .ok());
    }
    KINDRED_CHECK(stream->Finish().ok());
    return static_cast<double>(answered) / Seconds(Clock::now() - start);
  }

  // In turns, and the medians: other work on the machine comes and goes.
  void PrintThroughput() {
    constexpr int kRounds = 5;
    Quantiles one;
    Quantiles two;
    Quantiles stream;
    for (int round = 0; round < kRounds; ++round) {
      one.Add(Throughput(1));
      two.Add(Throughput(2));
      stream.Add(StreamThroughput());
    }
    fmt::print(
        "top 10 a second: one client {:.0f}, two clients {:.0f} ({:.2f} times), one stream {:.0f} ({:.2f} "
        "times)\n",
        one.At(0.5), two.At(0.5), two.At(0.5) / one.At(0.5), stream.At(0.5), stream.At(0.5) / one.At(0.5));
  }

  const Options options_;
  const std::unique_ptr<client::Client> client_;
  const std::unique_ptr<MoleculeSource> source_;
  const Records records_;
  uint64_t graphs_ = 0;
  Quantiles during_;
  uint64_t resident_peak_ = 0;  // While merges settled.
};

}  // namespace
}  // namespace kindred::bench

int main(int argc, char** argv) {
  kindred::bench::Options options;
  CLI::App app("Measures a running daemon, which should be empty.");
  app.add_option("--server", options.server, "Its address");
  app.add_option("--molecules", options.molecules, "A file kindred reads; default: generated graphs");
  app.add_option("--cache", options.cache, "Keeps the parsed molecules in this file for the next run");
  app.add_option("--graphs", options.graphs, "Graphs to store");
  app.add_option("--queries", options.queries, "Graphs after those, which are asked for");
  app.add_flag("--stored", options.stored, "The graphs are stored already: measures searches alone");
  app.add_option("--seed", options.seed, "Of the generator");
  app.add_option("--throughput-seconds", options.throughput_seconds, "For each measurement of throughput");
  CLI11_PARSE(app, argc, argv);
  kindred::bench::ServiceBench(options).Run();
  return 0;
}
