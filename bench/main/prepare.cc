// Measures what a graph of a stream costs before its turn to be written comes, on one thread and step by
// step: reading (protobuf to a checked graph), preparing (colours that are known, the rows of the store), and
// issuing the colours that are not. bench/README.md explains.
//
//   bench_prepare [--molecules molecules.pb] [--graphs 400000]
//
// Times are of the processor, so that a busy machine disturbs them little. The hash is of all rows and
// signatures: programs that give the same graphs the same colours print the same.

#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "CLI/CLI.hpp"
#include "bench/file_molecules.h"
#include "bench/generated_molecules.h"
#include "daemon/convert.h"
#include "daemon/ingest_frame.h"
#include "fmt/format.h"
#include "index/base/check.h"
#include "index/engine/prepared.h"
#include "index/histogram/histogram.h"
#include "index/store/codec.h"

namespace kindred::bench {
namespace {

struct Options {
  std::string molecules;
  uint64_t graphs = 400'000;
  uint64_t seed = 1;
};

// Graphs of one frame, as the client library has it.
constexpr int kFrameItems = 256;

// The processor time of this thread since it was made or asked last.
class ProcessorClock {
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

std::vector<v1::IngestFrame> ReadFrames(const Options& options) {
  std::unique_ptr<MoleculeSource> source;
  if (options.molecules.empty()) {
    source = GeneratedMolecules(options.seed);
  } else {
    auto file = MoleculesFromFile(options.molecules);
    KINDRED_CHECK(file.ok());
    source = *std::move(file);
  }
  std::vector<v1::IngestFrame> frames;
  for (uint64_t i = 0; i < options.graphs; ++i) {
    const auto record = source->Next();
    if (!record) {
      break;
    }
    if (i % kFrameItems == 0) {
      frames.emplace_back();
    }
    frames.back().add_items()->set_encoded_put(daemon::ToProto(*record, "").SerializeAsString());
  }
  return frames;
}

class PrepareBench {
 public:
  void Run(std::vector<v1::IngestFrame> frames) {
    for (const v1::IngestFrame& frame : frames) {
      Take(frame);
    }
    for (uint32_t colour = 0; colour < hierarchy_.colour_count(); ++colour) {
      Hash(hierarchy_.signature(ColourId{colour}));
    }
    const auto graphs = static_cast<double>(graphs_);
    fmt::print(
        "{} graphs, microseconds of the processor a graph: {:.2f} reading + {:.2f} preparing + {:.2f} "
        "issuing = {:.2f}; {} colours, rows and signatures {:016x}\n",
        graphs_, reading_ / graphs, preparing_ / graphs, issuing_ / graphs,
        (reading_ + preparing_ + issuing_) / graphs, hierarchy_.colour_count(), hash_);
  }

 private:
  void Take(const v1::IngestFrame& frame) {
    ProcessorClock clock;
    WriteRequest request;
    daemon::ReadFrame(frame, "", WriteMode::kUpsert, limits_, request);
    reading_ += clock.Microseconds();
    PreparedRequest prepared = Prepare(request, hierarchy_, kDepthDefault);
    preparing_ += clock.Microseconds();
    for (PreparedMutation& mutation : prepared.mutations) {
      KINDRED_CHECK(mutation.status.ok());
      if (auto* const unfinished = std::get_if<PreparedGraph::Unfinished>(&mutation.graph->histogram)) {
        refiner_.IssueMissing(hierarchy_, unfinished->graph, unfinished->colours);
        mutation.graph->histogram = EncodeHistogram(mutation.external_id, Histogram::Of(unfinished->colours));
      }
    }
    issuing_ += clock.Microseconds();
    for (const PreparedMutation& mutation : prepared.mutations) {
      Hash(mutation.graph->record);
      Hash(std::get<std::string>(mutation.graph->histogram));
      ++graphs_;
    }
  }

  // FNV-1a.
  void Hash(std::string_view bytes) {
    for (const char byte : bytes) {
      hash_ = (hash_ ^ static_cast<uint8_t>(byte)) * 1099511628211ULL;
    }
  }

  const Limits limits_{};
  ColourHierarchy hierarchy_;
  Refiner refiner_;
  uint64_t graphs_ = 0;
  double reading_ = 0;
  double preparing_ = 0;
  double issuing_ = 0;
  uint64_t hash_ = 14695981039346656037ULL;
};

}  // namespace
}  // namespace kindred::bench

int main(int argc, char** argv) {
  kindred::bench::Options options;
  CLI::App app("Measures what a graph of a stream costs before it is written.");
  app.add_option("--molecules", options.molecules, "A file kindred reads; default: molecules are made up");
  app.add_option("--graphs", options.graphs, "So many at most");
  app.add_option("--seed", options.seed, "Of the made-up ones");
  CLI11_PARSE(app, argc, argv);
  kindred::bench::PrepareBench().Run(kindred::bench::ReadFrames(options));
  return 0;
}
