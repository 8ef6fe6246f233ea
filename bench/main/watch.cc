// Measures what standing queries cost a stream into a running daemon: the same number of graphs is streamed
// in beside a watch of none, some and many queries, in turn, round after round. A sample of what the watch
// told is compared with searches; it fails unless they agree. bench/README.md explains.
//
//   bench_watch --server 127.0.0.1:5463 --molecules FILE --graphs 50000 --records 25000 --queries
//   0,1000,10000

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "CLI/CLI.hpp"
#include "bench/clock.h"
#include "bench/file_molecules.h"
#include "bench/generated_molecules.h"
#include "bench/processor_time.h"
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
  uint64_t records = 1'000;
  std::vector<uint64_t> queries{0, 1'000, 10'000};
  double min_similarity = 0.8;
  uint32_t rounds = 3;
  uint64_t sample = 100;
  uint64_t daemon = 0;
  uint64_t seed = 1;
};

// What one watch told, read on a thread of its own as fast as it comes, as a client would.
class Watcher {
 public:
  Watcher(client::Client& client, const v1::WatchRequest& request) : watch_(*client.Watch(request)) {
    reader_ = std::jthread([this] { Read(); });
  }

  // Returns when everything up to this commit was told.
  void ReadUntil(uint64_t sequence) {
    until_ = sequence;
    reader_.join();
  }
  const std::map<std::string, std::set<std::string>>& told() const { return told_; }
  uint64_t matches() const { return matches_; }
  uint64_t behind_max() const { return behind_max_; }

 private:
  void Read() {
    uint64_t position = 0;
    while (position < until_) {
      const auto message = watch_->Next(std::chrono::milliseconds(20));
      KINDRED_CHECK(message.ok());
      if (message->has_value()) {
        position = (*message)->sequence();
        behind_max_ = std::max(behind_max_, (*message)->behind());
        for (const v1::WatchResponse::Match& match : (*message)->matches()) {
          ++matches_;
          KINDRED_CHECK(told_[match.query()].insert(match.id()).second);
        }
      }
    }
  }

  const std::unique_ptr<client::WatchStream> watch_;
  std::atomic<uint64_t> until_{UINT64_MAX};
  std::map<std::string, std::set<std::string>> told_;  // By query.
  uint64_t matches_ = 0;
  uint64_t behind_max_ = 0;
  std::jthread reader_;
};

// Of all rounds with so many queries.
struct Cost {
  Quantiles seconds;    // Until the last record was durable,
  Quantiles lag;        // and then until the watch had told of it.
  Quantiles processor;  // Of the daemon, all of that.
  uint64_t matches = 0;
  uint64_t behind_max = 0;
};

class WatchBench {
 public:
  explicit WatchBench(const Options& options)
      : options_(options),
        client_(Connect()),
        source_(options.molecules.empty() ? GeneratedMolecules(options.seed)
                                          : *MoleculesFromFile(options.molecules)),
        records_(*source_, Needed(), options.cache) {
    KINDRED_CHECK(records_.size() >= Needed());
  }

  int Run() {
    const v1::StatsResponse stats = *client_->Stats();
    fmt::print(
        "machine: {} threads, vectors: {}; data: {}, seed {}; {} graphs, then {} a round; {} rounds; "
        "told of at tanimoto {}\n",
        std::thread::hardware_concurrency(), stats.vector_target(),
        options_.molecules.empty() ? "generated" : options_.molecules, options_.seed, options_.graphs,
        options_.records, options_.rounds, options_.min_similarity);
    Stream(options_.graphs);
    for (uint32_t round = 0; round < options_.rounds; ++round) {
      for (const uint64_t queries : options_.queries) {
        Settle();
        Measure(queries, costs_[queries]);
      }
    }
    Print();
    return mismatches_ == 0 ? 0 : 1;
  }

 private:
  std::unique_ptr<client::Client> Connect() const {
    auto client = client::Client::Create(options_.server);
    KINDRED_CHECK(client.ok());
    return *std::move(client);
  }

  uint64_t QueriesMost() const { return std::ranges::max(options_.queries); }
  // The queries come first, and are not stored.
  uint64_t Needed() const {
    return QueriesMost() + options_.graphs + options_.records * options_.queries.size() * options_.rounds;
  }

  // The next records, each once; gives the commit of the last.
  uint64_t Stream(uint64_t count) {
    auto stream = client_->Ingest({}, [](const client::Rejection&) { KINDRED_CHECK(false); });
    KINDRED_CHECK(stream.ok());
    for (uint64_t i = 0; i < count; ++i) {
      KINDRED_CHECK((*stream)->Send(records_.at(QueriesMost() + next_++), {}).ok());
    }
    const auto summary = (*stream)->Finish();
    KINDRED_CHECK(summary.ok());
    return summary->sequence;
  }

  // Until no merge runs, and none began for a while.
  void Settle() {
    constexpr int kQuietChecks = 10;
    uint64_t merges = 0;
    for (int quiet = 0; quiet < kQuietChecks;) {
      const v1::StatsResponse stats = *client_->Stats();
      quiet = stats.merging() == 0 && stats.merges() == merges ? quiet + 1 : 0;
      merges = stats.merges();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

  v1::WatchRequest RequestOf(uint64_t queries) const {
    v1::WatchRequest request;
    for (uint64_t i = 0; i < queries; ++i) {
      v1::WatchRequest::Query& query = *request.add_queries();
      query.set_name(std::to_string(i));
      query.set_min_similarity(options_.min_similarity);
      *query.mutable_graph()->mutable_graph() = std::move(*records_.at(i).mutable_graph());
    }
    return request;
  }

  void Measure(uint64_t queries, Cost& cost) {
    std::unique_ptr<Watcher> watcher;
    if (queries > 0) {
      watcher = std::make_unique<Watcher>(*client_, RequestOf(queries));
    }
    const uint64_t first = next_;
    const double processor = ProcessorSeconds(options_.daemon);
    const auto start = Clock::now();
    const uint64_t last = Stream(options_.records);
    const auto durable = Clock::now();
    cost.seconds.Add(Seconds(durable - start));
    if (watcher != nullptr) {
      watcher->ReadUntil(last);
      cost.lag.Add(Seconds(Clock::now() - durable));
    }
    cost.processor.Add(ProcessorSeconds(options_.daemon) - processor);
    if (watcher == nullptr) {
      return;
    }
    cost.matches += watcher->matches();
    cost.behind_max = std::max(cost.behind_max, watcher->behind_max());
    Compare(queries, first, *watcher);
  }

  // What searches find among this round's graphs, for some of the queries.
  void Compare(uint64_t queries, uint64_t first, const Watcher& watcher) {
    std::set<std::string> stored;
    for (uint64_t i = first; i < next_; ++i) {
      stored.insert(records_.at(QueriesMost() + i).id());
    }
    for (uint64_t i = 0; i < queries; i += std::max<uint64_t>(1, queries / options_.sample)) {
      v1::SearchRequest request;
      *request.mutable_graph() = std::move(*records_.at(i).mutable_graph());
      request.set_k(10'000);
      request.set_min_similarity(options_.min_similarity);
      std::set<std::string> found;
      const v1::SearchResponse answer = *client_->Search(request);
      for (const v1::Hit& hit : answer.hits()) {
        if (stored.contains(hit.id())) {
          found.insert(hit.id());
        }
      }
      const auto told = watcher.told().find(std::to_string(i));
      mismatches_ += found == (told == watcher.told().end() ? std::set<std::string>() : told->second) ? 0 : 1;
      ++compared_;
    }
  }

  void Print() {
    fmt::print("{:>8} | {:>9} {:>9} {:>9} {:>7} | {:>9} {:>7} | {:>8} {:>8} {:>11}\n", "queries", "best s",
               "graphs/s", "median s", "x", "cpu us", "x", "matches", "lag s", "behind most");
    const double alone = costs_.begin()->second.seconds.At(0);
    const double processor_alone = costs_.begin()->second.processor.At(0);
    for (auto& [queries, cost] : costs_) {
      const double best = cost.seconds.At(0);
      const double processor = cost.processor.At(0);
      fmt::print("{:>8} | {:>9.3f} {:>9.0f} {:>9.3f} {:>7.2f} | {:>9.1f} {:>7.2f} | {:>8} {:>8.3f} {:>11}\n",
                 queries, best, static_cast<double>(options_.records) / best, cost.seconds.At(0.5),
                 best / alone, processor * 1e6 / static_cast<double>(options_.records),
                 processor / processor_alone, cost.matches, cost.lag.size() > 0 ? cost.lag.At(0.5) : 0,
                 cost.behind_max);
    }
    fmt::print("{} queries compared with searches: {}\n", compared_,
               mismatches_ == 0 ? "all equal" : fmt::format("{} MISMATCHES", mismatches_));
  }

  const Options options_;
  const std::unique_ptr<client::Client> client_;
  const std::unique_ptr<MoleculeSource> source_;
  const Records records_;
  uint64_t next_ = 0;
  std::map<uint64_t, Cost> costs_;  // By the number of queries.
  uint64_t compared_ = 0;
  uint64_t mismatches_ = 0;
};

}  // namespace
}  // namespace kindred::bench

int main(int argc, char** argv) {
  kindred::bench::Options options;
  CLI::App app("Measures what standing queries cost a stream into a running daemon, which should be empty.");
  app.add_option("--server", options.server, "Its address");
  app.add_option("--molecules", options.molecules, "A file kindred reads; default: generated graphs");
  app.add_option("--cache", options.cache, "Keeps the parsed molecules in this file for the next run");
  app.add_option("--graphs", options.graphs, "Graphs to store first");
  app.add_option("--records", options.records,
                 "Graphs to stream in, in each round for each number of queries");
  app.add_option("--queries", options.queries,
                 "Numbers of standing queries; the costs are told against the fewest")
      ->delimiter(',');
  app.add_option("--min-similarity", options.min_similarity, "Of each query");
  app.add_option("--rounds", options.rounds, "The best of so many counts");
  app.add_option("--sample", options.sample, "Queries of each watch to compare with searches");
  app.add_option("--daemon", options.daemon, "The daemon's process id, to tell its processor time");
  app.add_option("--seed", options.seed, "Of the generator");
  CLI11_PARSE(app, argc, argv);
  return kindred::bench::WatchBench(options).Run();
}
