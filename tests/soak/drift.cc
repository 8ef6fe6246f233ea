#include "tests/soak/drift.h"

#include <algorithm>
#include <span>

#include "fmt/format.h"

namespace kindred::test {
namespace {

using Figure = double SoakRound::*;

std::vector<double> ValuesOf(std::span<const SoakRound> rounds, Figure figure) {
  std::vector<double> values;
  for (const SoakRound& round : rounds) {
    values.push_back(round.*figure);
  }
  return values;
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

double Least(std::vector<double> values) { return *std::ranges::min_element(values); }

}  // namespace

std::vector<DriftRow> CompareHalves(const std::vector<SoakRound>& rounds) {
  const std::span all(rounds);
  const auto first = all.first(all.size() / 2);
  const auto second = all.subspan(all.size() / 2);
  std::vector<DriftRow> rows;
  const auto compare = [&](const char* name, Figure figure, double times, double more) {
    const double before = Median(ValuesOf(first, figure));
    rows.push_back({name, before, Median(ValuesOf(second, figure)), before * times + more, false});
  };
  const auto count = [&](const char* name, Figure figure) {
    const double before = Least(ValuesOf(first, figure));
    rows.push_back({name, before, Least(ValuesOf(second, figure)), before, true});
  };
  compare("resident bytes", &SoakRound::resident_bytes, kMemoryTolerance, kBytesTolerance);
  compare("disk bytes", &SoakRound::disk_bytes, kDiskTolerance, kBytesTolerance);
  compare("search ms", &SoakRound::search_ms, kLatencyTolerance, 0);
  count("descriptors", &SoakRound::descriptors);
  count("threads", &SoakRound::threads);
  return rows;
}

std::string DriftTable(const std::vector<DriftRow>& rows) {
  std::string table = fmt::format("{:<16}{:>16}{:>16}{:>16}\n", "", "first half", "second half", "at most");
  for (const DriftRow& row : rows) {
    // Only latencies have fractions.
    const auto number = [&](double value) {
      return fmt::format("{:.{}f}", value, row.name == "search ms" ? 3 : 0);
    };
    table += fmt::format("{:<16}{:>16}{:>16}{:>16}{}\n", row.name, number(row.first), number(row.second),
                         number(row.most), row.drifts() ? "  DRIFT" : "");
  }
  return table;
}

}  // namespace kindred::test
