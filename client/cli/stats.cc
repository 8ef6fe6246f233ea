// kindred stats: sizes and counters of the index.

#include <memory>
#include <optional>

#include "CLI/CLI.hpp"
#include "client/cli/commands.h"
#include "client/cli/output.h"
#include "client/cli/session.h"
#include "client/cli/stats_text.h"
#include "client/cli/stats_watch.h"
#include "fmt/format.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

constexpr double kWatchSecondsDefault = 2;
constexpr double kWatchSecondsMin = 0.1;
constexpr double kWatchSecondsMax = 3600;

absl::StatusOr<ExitCode> RunStats(const Session& session, const std::optional<double>& watch_seconds) {
  KINDRED_ASSIGN_OR_RETURN(const auto client, session.Connect());
  if (watch_seconds) {
    return WatchStats(session, *client, *watch_seconds);
  }
  KINDRED_ASSIGN_OR_RETURN(const v1::StatsResponse stats, client->Stats());
  KINDRED_RETURN_IF_ERROR(
      Output(session.out()).Write(session.options.json ? JsonLine(StatsJson(stats)) : StatsText(stats)));
  return ExitCode::kOk;
}

}  // namespace

Command AddStats(CLI::App& parent) {
  const auto watch_seconds = std::make_shared<std::optional<double>>();
  CLI::App& app = *parent.add_subcommand("stats", "sizes and counters of the index");
  app.add_option(
         "--watch", *watch_seconds,
         fmt::format("show them again and again, so many seconds apart (default: {}), with rates; until "
                     "Ctrl-C, which is a good end",
                     kWatchSecondsDefault))
      ->type_name("[SECONDS]")
      ->expected(0, 1)
      ->default_str(fmt::to_string(kWatchSecondsDefault))
      ->check(CLI::Range(kWatchSecondsMin, kWatchSecondsMax));
  app.footer("bytes_per_graph of --json is the index in memory, shared out among the graphs.");
  return {&app, [watch_seconds](Session& session) { return RunStats(session, *watch_seconds); }};
}

}  // namespace kindred::cli
