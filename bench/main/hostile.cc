// What hostile clients cost others: a client searches at a steady pace, first alone, then beside others that
// send what must be refused as fast as they get their answers. In turns, so that both sides see the same
// machine.
//
//   bench_hostile --server 127.0.0.1:5463 --control 127.0.0.1:5464 --graphs 100000 --seconds 5
//
// With --control the same floods are also sent to another daemon, an idle one, while the first is searched:
// what that costs is the machine's doing (two daemons, a flood and a client share its cores), and only what
// the flood costs beyond it is the daemon's.
//
// The flood is a process of its own and gets what is left of the processors: in life it is another machine.

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "CLI/CLI.hpp"
#include "bench/clock.h"
#include "bench/flood.h"
#include "bench/generated_molecules.h"
#include "bench/processor_time.h"
#include "bench/quantiles.h"
#include "bench/record_file.h"
#include "client/client.h"
#include "fmt/format.h"
#include "grpcpp/grpcpp.h"
#include "index/base/check.h"
#include "kindred/v1/kindred.grpc.pb.h"

namespace kindred::bench {
namespace {

struct Options {
  std::string server = "127.0.0.1:5463";
  std::string control;
  std::string flood;
  uint64_t daemon = 0;
  int refusals = 50;
  uint64_t graphs = 2'000;
  uint64_t queries = 200;
  uint64_t seed = 1;
  int floods = 2;
  int rounds = 3;
  double seconds = 0.3;
  double pace_millis = 4;
};

std::unique_ptr<v1::Index::Stub> NewStub(const std::string& server) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // A connection of its own.
  return v1::Index::NewStub(grpc::CreateCustomChannel(server, grpc::InsecureChannelCredentials(), arguments));
}

class HostileBench {
 public:
  explicit HostileBench(const Options& options)
      : options_(options),
        source_(GeneratedMolecules(options.seed)),
        records_(*source_, options.graphs + options.queries, "") {}

  void Run() {
    Store();
    fmt::print(
        "machine: {} threads; data: generated, seed {}; {} graphs; {} flooding clients; {} rounds of {} s\n",
        std::thread::hardware_concurrency(), options_.seed, options_.graphs, options_.floods, options_.rounds,
        options_.seconds);
    fmt::print("{:<22} {:>9} {:>7} {:>24} | {:>15} {:>15} {:>15} | {:>13} {:>13}\n", "", "cpu ms", "refused",
               "ms p50    p99    max", "alone p50 p99", "control p50 p99", "beside p50 p99", "control/alone",
               "beside/alone");
    for (const std::string& flood : Floods()) {
      Measure(flood);
    }
  }

 private:
  void Store() {
    const auto client = client::Client::Create(options_.server);
    KINDRED_CHECK(client.ok());
    auto stream = (*client)->Ingest({}, [](const client::Rejection&) { KINDRED_CHECK(false); });
    KINDRED_CHECK(stream.ok());
    for (uint64_t i = 0; i < options_.graphs; ++i) {
      KINDRED_CHECK((*stream)->Send(records_.at(i), {}).ok());
    }
    KINDRED_CHECK((*stream)->Finish().ok());
    for (uint64_t merges = UINT64_MAX, quiet = 0; quiet < 10;) {
      const v1::StatsResponse stats = *(*client)->Stats();
      quiet = stats.merging() == 0 && stats.merges() == merges ? quiet + 1 : 0;
      merges = stats.merges();
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }

  // Searches at their pace, whether the one before was slow or not.
  void SearchSome(v1::Index::Stub& stub, Quantiles& millis) {
    const auto end = Clock::now() + std::chrono::duration<double>(options_.seconds);
    auto next = Clock::now();
    for (uint64_t i = 0; next < end; ++i) {
      std::this_thread::sleep_until(next);
      v1::SearchRequest request;
      *request.mutable_graph() = records_.at(options_.graphs + i % options_.queries).graph();
      v1::SearchResponse response;
      grpc::ClientContext context;
      // From when it was due: a search that waits behind another counts as late, too.
      KINDRED_CHECK(stub.Search(&context, request, &response).ok());
      millis.Add(1e3 * Seconds(Clock::now() - next));
      next += std::chrono::duration_cast<Clock::duration>(
          std::chrono::duration<double, std::milli>(options_.pace_millis));
    }
  }

  // Searches while others flood `flooded`.
  void SearchBeside(const std::string& flooded, const std::string& flood, v1::Index::Stub& stub,
                    Quantiles& millis, Quantiles& refused) {
    FloodProcess process(flood, flooded, options_.floods);
    SearchSome(stub, millis);
    process.Stop(refused);
  }

  // What a refusal takes of the processors in the daemon, which the load of the machine does not change.
  double ProcessorMillis(const std::string& flood) const {
    const Refused refused = NewFlooder(flood, options_.server);
    const double before = ProcessorSeconds(options_.daemon);
    for (int i = 0; i < options_.refusals; ++i) {
      KINDRED_CHECK(refused());
    }
    return 1e3 * (ProcessorSeconds(options_.daemon) - before) / options_.refusals;
  }

  void Measure(const std::string& flood) {
    Quantiles alone;
    Quantiles control;
    Quantiles beside;
    Quantiles refused;
    Quantiles refused_by_control;
    const auto stub = NewStub(options_.server);
    const double processor_millis = ProcessorMillis(flood);
    for (int round = 0; round < options_.rounds; ++round) {
      SearchSome(*stub, alone);
      SearchBeside(options_.server, flood, *stub, beside, refused);
      if (!options_.control.empty()) {
        SearchBeside(options_.control, flood, *stub, control, refused_by_control);
      }
    }
    const auto both = [](Quantiles& millis) {
      return millis.size() == 0 ? std::string("-")
                                : fmt::format("{:.2f} {:.2f}", millis.At(0.5), millis.At(0.99));
    };
    const auto times = [&](Quantiles& millis) {
      return millis.size() == 0 ? std::string("-")
                                : fmt::format("{:.2f} {:.2f}", millis.At(0.5) / alone.At(0.5),
                                              millis.At(0.99) / alone.At(0.99));
    };
    fmt::print("{:<22} {:>9.2f} {:>7} {:>10.1f} {:>6.1f} {:>6.1f} | {:>15} {:>15} {:>15} | {:>13} {:>13}\n",
               flood, processor_millis, refused.size(), refused.At(0.5), refused.At(0.99), refused.At(1),
               both(alone), both(control), both(beside), times(control), times(beside));
    std::fflush(stdout);
  }

  const Options options_;
  const std::unique_ptr<MoleculeSource> source_;
  const Records records_;
};

}  // namespace
}  // namespace kindred::bench

int main(int argc, char** argv) {
  kindred::bench::Options options;
  CLI::App app(
      "Measures what refused requests cost other clients of a running daemon, which should be empty.");
  app.add_option("--server", options.server, "Its address");
  app.add_option("--daemon", options.daemon, "Its process id, to tell its processor time");
  app.add_option("--refusals", options.refusals, "Of each kind, for its processor time");
  app.add_option("--control", options.control, "Another's, which is flooded for comparison");
  app.add_option("--graphs", options.graphs, "Graphs to store");
  app.add_option("--queries", options.queries, "Graphs after those, which are asked for");
  app.add_option("--seed", options.seed, "Of the generator");
  app.add_option("--floods", options.floods, "Flooding clients");
  app.add_option("--rounds", options.rounds, "Of each kind");
  app.add_option("--seconds", options.seconds, "Of each round, alone and beside the flood");
  app.add_option("--pace-millis", options.pace_millis, "Between two searches");
  app.add_option("--flood", options.flood, "Only floods the server with that, until the input ends");
  CLI11_PARSE(app, argc, argv);
  if (!options.flood.empty()) {
    kindred::bench::RunFlood(options.flood, options.server, options.floods);
    return 0;
  }
  kindred::bench::HostileBench(options).Run();
  return 0;
}
