// kindredd: locks the data directory, listens, recovers, serves, drains.

#include <fmt/ranges.h>

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>

#include "daemon/config.h"
#include "daemon/exit_codes.h"
#include "daemon/log.h"
#include "daemon/offline_verify.h"
#include "daemon/process.h"
#include "daemon/server.h"
#include "daemon/serving.h"
#include "daemon/signals.h"
#include "index/engine/engine.h"
#include "index/store/data_directory.h"

namespace kindred::daemon {
namespace {

int Fail(int code, const absl::Status& status) {
  spdlog::error("{}", std::string(status.message()));
  return code;
}

// Ends the process while the engine is still opening. Nothing was acknowledged yet, so nothing is lost.
void StopWhileRecovering(const Signals& signals) {
  if (signals.asked_to_stop()) {
    spdlog::info("asked to stop while recovering");
    spdlog::shutdown();
    ::_exit(kExitFine);
  }
}

StoreOptions StoreOptionsOf(const Config& config) {
  StoreOptions options;
  options.depth = config.depth;
  options.accept_loss = config.accept_loss;
  options.report = [](std::string_view line) { spdlog::error("{}", line); };
  return options;
}

absl::StatusOr<std::unique_ptr<Engine>> OpenEngine(const Config& config, DataDirectory directory,
                                                   const Signals& signals) {
  EngineOptions options;
  options.store = StoreOptionsOf(config);
  options.threads = config.threads;
  options.limits = config.limits;
  options.report_recovery = [&](const RecoveryProgress& progress) {
    StopWhileRecovering(signals);
    spdlog::info("recovery{}: {} colours, {} graphs", progress.done ? " done" : "", progress.colours,
                 progress.graphs);
  };
  return Engine::Open(std::move(directory), options);
}

void PrintReady(const Config& config, const Server& server, const EngineStats& stats) {
  std::printf("kindredd ready listen=%s data=%s depth=%d graphs=%llu sequence=%llu\n",
              fmt::format("{}", fmt::join(server.addresses(), ",")).c_str(), config.data_dir.c_str(),
              stats.depth, static_cast<unsigned long long>(stats.graphs),
              static_cast<unsigned long long>(Raw(stats.sequence)));
  std::fflush(stdout);
}

int Serve(const Config& config) {
  Signals signals;
  InitLog(config.log_level);
  RaiseFileLimit();
  auto directory = DataDirectory::Open(config.data_dir);
  if (!directory.ok()) {
    const bool in_use = directory.status().code() == absl::StatusCode::kUnavailable;
    return Fail(in_use ? kExitDataInUse : kExitData, directory.status());
  }
  if (config.verify) {
    return VerifyOffline(config, *std::move(directory), StoreOptionsOf(config));
  }
  Serving serving;
  auto server = Server::Listen(config, serving);
  if (!server.ok()) {
    return Fail(kExitListen, server.status());
  }
  auto engine = OpenEngine(config, *std::move(directory), signals);
  if (!engine.ok()) {
    return Fail(kExitData, engine.status());
  }
  // The server goes before the engine, whatever happens: calls hold on to it.
  const std::unique_ptr<Server> serving_server = *std::move(server);
  const EngineStats stats = (*engine)->stats();
  serving.Start(**engine);
  serving_server->SetServing(true);
  PrintReady(config, *serving_server, stats);

  signals.Wait();
  spdlog::info("stopping: finishing what is under way, at most {} s", config.drain_seconds);
  serving_server->SetServing(false);
  serving.Drain();
  serving.WaitForCalls(std::chrono::steady_clock::now() + std::chrono::seconds(config.drain_seconds));
  serving_server->Shutdown();
  spdlog::info("stopped");
  return kExitFine;
}

}  // namespace
}  // namespace kindred::daemon

int main(int argc, char** argv) {
  using namespace kindred::daemon;
  FillClosedStandardFiles();
  TellWhenTerminated();
  const auto config = ReadConfig(argc, argv);
  if (const auto* exit = std::get_if<ConfigExit>(&config)) {
    std::fputs(exit->out.c_str(), stdout);
    std::fputs(exit->err.c_str(), stderr);
    return exit->code;
  }
  return Serve(std::get<Config>(config));
}
