#include "client/cli/stats_text.h"

#include "client/cli/table.h"
#include "client/cli/text.h"
#include "fmt/format.h"

namespace kindred::cli {
namespace {

double BytesPerGraph(const v1::StatsResponse& stats) {
  return stats.graphs() == 0
             ? 0
             : static_cast<double>(stats.memory_bytes()) / static_cast<double>(stats.graphs());
}

std::string Rate(const std::optional<StatsRates>& rates, double StatsRates::*rate, int digits = 1) {
  return rates ? fmt::format("{:.{}f}", (*rates).*rate, digits) : "-";
}

uint64_t ColourCount(const v1::StatsResponse& stats) {
  uint64_t count = 0;
  for (const auto& level : stats.levels()) {
    count += level.colours();
  }
  return count;
}

}  // namespace

Json StatsJson(const v1::StatsResponse& stats) {
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
          {"searches", stats.searches()},
          {"postings_read", stats.postings_read()},
          {"writes", stats.writes()},
          {"ingest_streams", stats.ingest_streams()},
          {"watches", stats.watches()},
          {"search_queue_tasks", stats.search_queue_tasks()},
          {"write_queue_bytes", stats.write_queue_bytes()},
          {"version", stats.version()},
          {"incarnation", stats.incarnation()},
          {"vector_target", stats.vector_target()}};
}

std::string StatsText(const v1::StatsResponse& stats) {
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

std::optional<StatsRates> RatesBetween(const v1::StatsResponse& before, const v1::StatsResponse& now,
                                       double seconds) {
  if (before.incarnation() != now.incarnation() || !(seconds > 0)) {
    return std::nullopt;
  }
  const auto grown = [](uint64_t from, uint64_t to) {
    return static_cast<double>(to) - static_cast<double>(from);
  };
  StatsRates rates;
  rates.writes = grown(before.writes(), now.writes()) / seconds;
  rates.commits = grown(before.sequence(), now.sequence()) / seconds;
  rates.searches = grown(before.searches(), now.searches()) / seconds;
  if (now.searches() > before.searches()) {
    rates.postings_a_search =
        grown(before.postings_read(), now.postings_read()) / grown(before.searches(), now.searches());
  }
  rates.merges = grown(before.merges(), now.merges()) / seconds;
  return rates;
}

Json StatsJson(const v1::StatsResponse& stats, const std::optional<StatsRates>& rates) {
  Json json = StatsJson(stats);
  if (rates) {
    json["rates"] = {{"writes", rates->writes},
                     {"commits", rates->commits},
                     {"searches", rates->searches},
                     {"postings_a_search", rates->postings_a_search},
                     {"merges", rates->merges}};
  }
  return json;
}

std::string StatsScreen(const v1::StatsResponse& stats, const std::optional<StatsRates>& rates) {
  Table table({{"", Align::kLeft}, {"now", Align::kRight}, {"a second", Align::kRight}});
  table.AddRow({"writes", std::to_string(stats.writes()), Rate(rates, &StatsRates::writes)});
  table.AddRow({"commit sequence", std::to_string(stats.sequence()), Rate(rates, &StatsRates::commits)});
  table.AddRow({"searches", std::to_string(stats.searches()), Rate(rates, &StatsRates::searches)});
  table.AddRow({"  postings a search", Rate(rates, &StatsRates::postings_a_search, 0), ""});
  table.AddRow({"  waiting for a thread", std::to_string(stats.search_queue_tasks()), ""});
  table.AddRow({"merges", std::to_string(stats.merges()), Rate(rates, &StatsRates::merges)});
  table.AddRow({"  running", std::to_string(stats.merging()), ""});
  table.AddRow({"ingest streams", std::to_string(stats.ingest_streams()), ""});
  table.AddRow({"  waiting for the writer", FormatBytes(stats.write_queue_bytes()), ""});
  table.AddRow({"watches", std::to_string(stats.watches()), ""});
  table.AddRow({"graphs", std::to_string(stats.graphs()), ""});
  table.AddRow({"colours", std::to_string(ColourCount(stats)), ""});
  table.AddRow({"segments", std::to_string(stats.segments()), ""});
  table.AddRow({"index in memory", FormatBytes(stats.memory_bytes()), ""});
  table.AddRow({"daemon in memory", FormatBytes(stats.resident_bytes()), ""});
  table.AddRow({"on disk", FormatBytes(stats.disk_bytes()), ""});
  return table.Render(false);
}

std::string StatsLine(const v1::StatsResponse& stats, const std::optional<StatsRates>& rates) {
  return fmt::format(
      "graphs {}  writes/s {}  searches/s {}  postings/search {}  segments {}  merging {}  waiting {} tasks, "
      "{}  memory {}  disk {}\n",
      stats.graphs(), Rate(rates, &StatsRates::writes), Rate(rates, &StatsRates::searches),
      Rate(rates, &StatsRates::postings_a_search, 0), stats.segments(), stats.merging(),
      stats.search_queue_tasks(), FormatBytes(stats.write_queue_bytes()), FormatBytes(stats.resident_bytes()),
      FormatBytes(stats.disk_bytes()));
}

}  // namespace kindred::cli
