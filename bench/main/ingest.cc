// Measures how fast a file of `kindred convert` streams into a running daemon, until all of it is durable;
// and, in the same run, how fast one core refines the same graphs and does nothing else. bench/README.md
// explains.
//
//   bench_ingest --server 127.0.0.1:5463 --file molecules.pb [--streams 8]

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "CLI/CLI.hpp"
#include "bench/clock.h"
#include "client/client.h"
#include "client/formats/record_reader.h"
#include "daemon/convert.h"
#include "fmt/format.h"
#include "index/base/check.h"
#include "index/hierarchy/refinement.h"

namespace kindred::bench {
namespace {

struct Options {
  std::string server = "127.0.0.1:5463";
  std::string file;
  int streams = 1;
};

std::unique_ptr<formats::RecordReader> Open(const std::string& file) {
  auto reader = formats::OpenRecords(file, {.format = formats::Format::kProtobuf});
  KINDRED_CHECK(reader.ok());
  return *std::move(reader);
}

// Graphs a second; reading them is not counted.
double RefineAll(const Options& options, Level depth) {
  constexpr size_t kBatch = 4096;
  ColourHierarchy hierarchy;
  Refiner refiner;
  Clock::duration spent{};
  uint64_t graphs = 0;
  const auto reader = Open(options.file);
  for (bool more = true; more;) {
    std::vector<Graph> batch;
    while (batch.size() < kBatch) {
      const auto next = reader->Next();
      if (!next) {
        more = false;
        break;
      }
      batch.push_back(*daemon::ToGraph(next->record->graph(), Limits()));
    }
    const auto start = Clock::now();
    for (const Graph& graph : batch) {
      VertexColours colours = refiner.RefineKnown(hierarchy.view(), graph, depth);
      refiner.IssueMissing(hierarchy, graph, colours);
    }
    spent += Clock::now() - start;
    graphs += batch.size();
  }
  return static_cast<double>(graphs) / Seconds(spent);
}

class IngestBench {
 public:
  explicit IngestBench(const Options& options) : options_(options), client_(Connect()) {}

  void Run() {
    const v1::StatsResponse before = *client_->Stats();
    std::atomic<bool> done{false};
    std::thread watcher([&] { WatchMemory(done); });
    const auto start = Clock::now();
    std::vector<std::thread> streams;
    streams.reserve(static_cast<size_t>(options_.streams));
    for (int i = 0; i < options_.streams; ++i) {
      streams.emplace_back([this, i] { Stream(i); });
    }
    for (std::thread& stream : streams) {
      stream.join();
    }
    const double seconds = Seconds(Clock::now() - start);
    done = true;
    watcher.join();
    const v1::StatsResponse after = *client_->Stats();
    const auto graphs = static_cast<double>(after.graphs() - before.graphs());
    fmt::print(
        "{} streams: {:.0f} graphs durable in {:.1f} s, {:.0f} graphs/s; at most {:.0f} MiB resident\n",
        options_.streams, graphs, seconds, graphs / seconds, static_cast<double>(resident_peak_) / (1 << 20));
    std::fflush(stdout);
    const double alone = RefineAll(options_, static_cast<Level>(after.depth()));
    fmt::print("refinement alone, one core: {:.0f} graphs/s; the stream reached {:.2f} of that\n", alone,
               graphs / seconds / alone);
  }

 private:
  std::unique_ptr<client::Client> Connect() const {
    auto client = client::Client::Create(options_.server);
    KINDRED_CHECK(client.ok());
    return *std::move(client);
  }

  // Of several streams each takes every n-th record.
  void Stream(int number) {
    const auto client = Connect();
    auto stream = client->Ingest({}, [](const client::Rejection&) { KINDRED_CHECK(false); });
    KINDRED_CHECK(stream.ok());
    const auto reader = Open(options_.file);
    for (int i = 0; auto next = reader->NextEncoded(); ++i) {
      if (i % options_.streams == number) {
        KINDRED_CHECK((*stream)->SendEncoded(*std::move(next->bytes), {}).ok());
      }
    }
    KINDRED_CHECK((*stream)->Finish().ok());
  }

  void WatchMemory(const std::atomic<bool>& done) {
    while (!done) {
      resident_peak_ = std::max(resident_peak_, client_->Stats()->resident_bytes());
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }

  const Options options_;
  const std::unique_ptr<client::Client> client_;
  uint64_t resident_peak_ = 0;
};

}  // namespace
}  // namespace kindred::bench

int main(int argc, char** argv) {
  kindred::bench::Options options;
  CLI::App app("Measures how fast a file streams into a running daemon, which should be empty.");
  app.add_option("--server", options.server, "Its address");
  app.add_option("--file", options.file, "A file that `kindred convert` wrote")->required();
  app.add_option("--streams", options.streams, "So many at once, each with its share");
  CLI11_PARSE(app, argc, argv);
  kindred::bench::IngestBench(options).Run();
  return 0;
}
