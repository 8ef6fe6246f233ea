// kindredd: locks the data directory, listens, recovers, serves, drains.

#include <fmt/ranges.h>

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>

#include "daemon/config.h"
#include "daemon/edge/access.h"
#include "daemon/edge/secrets.h"
#include "daemon/exit_codes.h"
#include "daemon/http_server.h"
#include "daemon/log.h"
#include "daemon/metrics_page.h"
#include "daemon/monitor.h"
#include "daemon/offline_compact.h"
#include "daemon/offline_restore.h"
#include "daemon/offline_verify.h"
#include "daemon/process.h"
#include "daemon/reload.h"
#include "daemon/server.h"
#include "daemon/service_notify.h"
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

int FailToOpen(const absl::Status& status) {
  return Fail(status.code() == absl::StatusCode::kUnavailable ? kExitDataInUse : kExitData, status);
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
  options.announce = [](std::string_view line) { spdlog::info("{}", line); };
  return options;
}

// Null: none is wanted.
absl::StatusOr<std::unique_ptr<HttpServer>> ListenHttp(const Config& config, Serving& serving) {
  if (config.http_listen.empty()) {
    return nullptr;
  }
  return HttpServer::Listen(
      config.http_listen, config.limits.http_connections_max,
      {[&serving] { return MetricsPage(serving); }, [&serving] { return serving.ready(); }});
}

absl::StatusOr<std::unique_ptr<Engine>> OpenEngine(const Config& config, DataDirectory directory,
                                                   const Signals& signals, Monitor& monitor) {
  EngineOptions options;
  options.store = StoreOptionsOf(config);
  options.threads = config.threads;
  options.limits = config.limits;
  options.backup_dir = config.backup_dir;
  options.report_recovery = [&](const RecoveryProgress& progress) {
    StopWhileRecovering(signals);
    spdlog::info("recovery{}: {} colours, {} graphs", progress.done ? " done" : "", progress.colours,
                 progress.graphs);
    NotifyService(fmt::format("STATUS=recovering: {} graphs", progress.graphs));
  };
  options.report_commit = [&monitor](const CommitReport& report) { monitor.Count(report); };
  return Engine::Open(std::move(directory), options);
}

void PrintReady(const Config& config, const Server& server, const HttpServer* http,
                const EngineStats& stats) {
  std::printf("kindredd ready listen=%s data=%s depth=%d graphs=%llu sequence=%llu%s\n",
              fmt::format("{}", fmt::join(server.addresses(), ",")).c_str(), config.data_dir.c_str(),
              stats.depth, static_cast<unsigned long long>(stats.graphs),
              static_cast<unsigned long long>(Raw(stats.sequence)),
              http != nullptr ? (" http=" + http->address()).c_str() : "");
  std::fflush(stdout);
}

// What is done on a data directory that nobody serves: --restore-from, --verify, --compact.
int RunOffline(const Config& config, Signals& signals) {
  if (!config.restore_from.empty()) {
    const Interrupt interrupt([&signals] { return signals.asked_to_stop(); },
                              Interrupt::Clock::time_point::max());
    const int code = RestoreOffline(config, interrupt);
    if (code != kExitFine || !config.verify) {
      return code == kExitSignal ? kExitSignal + signals.stop_signal() : code;
    }
  }
  auto directory = DataDirectory::Open(config.data_dir);
  if (!directory.ok()) {
    return FailToOpen(directory.status());
  }
  // As a power cut would: what is on the disk is whole at any time.
  signals.OnStop([](int signal) {
    spdlog::warn("interrupted; nothing is lost, but not all is done");
    spdlog::shutdown();
    ::_exit(kExitSignal + signal);
  });
  return config.verify ? VerifyOffline(config, *std::move(directory), StoreOptionsOf(config))
                       : CompactOffline(config, *std::move(directory), StoreOptionsOf(config));
}

int Serve(const Config& config, const CommandLine& command_line) {
  Monitor monitor{std::chrono::milliseconds(config.slow_query_ms)};  // Signals may use it until they end.
  Signals signals;
  InitLog(config.log_level, config.log_format);
  RaiseFileLimit();
  if (!config.restore_from.empty() || config.verify || config.compact) {
    return RunOffline(config, signals);
  }
  auto directory = DataDirectory::Open(config.data_dir);
  if (!directory.ok()) {
    return FailToOpen(directory.status());
  }
  auto opened_secrets = Secrets::Open(config.edge);
  if (!opened_secrets.ok()) {
    return Fail(kExitUsage, opened_secrets.status());
  }
  const std::shared_ptr<Secrets> secrets = *std::move(opened_secrets);
  const auto reload_secrets = [weak = std::weak_ptr<Secrets>(secrets)] {
    if (const auto alive = weak.lock()) {
      alive->Reload();
    }
  };
  signals.OnHangup(reload_secrets);
  Access access(*secrets, config.edge.tls_client_role());
  Serving serving(access, monitor);
  auto server = Server::Listen(config, *secrets, serving);
  if (!server.ok()) {
    return Fail(kExitListen, server.status());
  }
  auto http = ListenHttp(config, serving);
  if (!http.ok()) {
    return Fail(kExitListen, http.status());
  }
  auto engine = OpenEngine(config, *std::move(directory), signals, monitor);
  if (!engine.ok()) {
    return Fail(kExitData, engine.status());
  }
  // The servers go before the engine, whatever happens: calls hold on to it.
  const std::unique_ptr<Server> serving_server = *std::move(server);
  const std::unique_ptr<HttpServer> serving_http = *std::move(http);
  const EngineStats stats = (*engine)->stats();
  serving.Start(**engine);
  serving_server->SetServing(true);
  PrintReady(config, *serving_server, serving_http.get(), stats);
  signals.OnHangup([&command_line, &monitor, reload_secrets] {
    reload_secrets();
    Reload(command_line, monitor);
  });
  NotifyReady();

  signals.Wait();
  NotifyService("STOPPING=1\nSTATUS=finishing what is under way");
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
  return Serve(std::get<Config>(config), {argc, argv});
}
