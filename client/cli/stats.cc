// kindred stats: sizes and counters of the index.

#include "CLI/CLI.hpp"
#include "client/cli/commands.h"
#include "client/cli/json.h"
#include "client/cli/output.h"
#include "client/cli/session.h"
#include "client/cli/table.h"
#include "client/cli/text.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

double BytesPerGraph(const v1::StatsResponse& stats) {
  return stats.graphs() == 0
             ? 0
             : static_cast<double>(stats.memory_bytes()) / static_cast<double>(stats.graphs());
}

Json ToJson(const v1::StatsResponse& stats) {
  Json colours = Json::array();
  for (const auto& level : stats.levels()) {
    colours.push_back(level.colours());
  }
  return {{"graphs", stats.graphs()},
          {"depth", stats.depth()},
          {"sequence", stats.sequence()},
          {"molecule_scheme", stats.molecule_scheme()},
          {"labels", stats.labels()},
          {"colours", colours},
          {"postings", stats.postings()},
          {"segments", stats.segments()},
          {"merges", stats.merges()},
          {"merging", stats.merging()},
          {"memory_bytes", stats.memory_bytes()},
          {"resident_bytes", stats.resident_bytes()},
          {"disk_bytes", stats.disk_bytes()},
          {"bytes_per_graph", JsonNumber(BytesPerGraph(stats))},
          {"version", stats.version()},
          {"incarnation", stats.incarnation()},
          {"vector_target", stats.vector_target()}};
}

std::string ToText(const v1::StatsResponse& stats) {
  Table table({{""}, {""}});
  table.AddRow({"graphs", std::to_string(stats.graphs())});
  table.AddRow({"depth", std::to_string(stats.depth())});
  table.AddRow({"sequence", std::to_string(stats.sequence())});
  table.AddRow({"molecules are", stats.molecule_scheme().empty() ? "-" : stats.molecule_scheme()});
  table.AddRow({"labels", std::to_string(stats.labels())});
  for (const auto& level : stats.levels()) {
    table.AddRow({fmt::format("colours, level {}", level.level()), std::to_string(level.colours())});
  }
  table.AddRow({"postings", std::to_string(stats.postings())});
  table.AddRow({"segments", std::to_string(stats.segments())});
  table.AddRow({"  merges done", std::to_string(stats.merges())});
  table.AddRow({"  merging now", std::to_string(stats.merging())});
  table.AddRow({"index in memory", FormatBytes(stats.memory_bytes())});
  table.AddRow({"  a graph", fmt::format("{:.1f} bytes", BytesPerGraph(stats))});
  table.AddRow({"daemon in memory", FormatBytes(stats.resident_bytes())});
  table.AddRow({"on disk", FormatBytes(stats.disk_bytes())});
  table.AddRow({"version", stats.version()});
  table.AddRow({"incarnation", stats.incarnation()});
  table.AddRow({"vector target", stats.vector_target()});
  return table.Render(false);
}

absl::StatusOr<ExitCode> RunStats(const Session& session) {
  KINDRED_ASSIGN_OR_RETURN(const auto client, session.Connect());
  KINDRED_ASSIGN_OR_RETURN(const v1::StatsResponse stats, client->Stats());
  KINDRED_RETURN_IF_ERROR(
      Output(session.out()).Write(session.options.json ? JsonLine(ToJson(stats)) : ToText(stats)));
  return ExitCode::kOk;
}

}  // namespace

Command AddStats(CLI::App& parent) {
  CLI::App& app = *parent.add_subcommand("stats", "sizes and counters of the index");
  app.footer("bytes_per_graph of --json is the index in memory, shared out among the graphs.");
  return {&app, RunStats};
}

}  // namespace kindred::cli
