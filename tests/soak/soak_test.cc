// A daemon under a mixed load for a while: nothing it holds grows, and its answers stay right. A slice of
// `scripts/campaign soak`, which sets KINDRED_SOAK_SECONDS.
//
// In the slice memory, disk and latency are only told: so short a run is all warm-up, and says nothing of a
// clock that others share. Descriptors and threads have to come back to what they were, however short it is.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "tests/crash/rounds.h"
#include "tests/soak/drift.h"
#include "tests/soak/mixed_load.h"
#include "tests/soak/process_figures.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr uint64_t kSliceSeconds = 20;
constexpr double kWarmUp = 0.25;

// When its clients have gone, connections close and threads end a little later: until neither changed for a
// while, or for so long that the least of several rounds has to tell.
ProcessFigures AtRest(pid_t pid) {
  const SteadyClock::time_point end = SteadyClock::now() + seconds(10);
  ProcessFigures last = ReadFigures(pid);
  for (int same = 0; same < 5 && SteadyClock::now() < end;) {
    std::this_thread::sleep_for(milliseconds(100));
    const ProcessFigures now = ReadFigures(pid);
    same = now.descriptors == last.descriptors && now.threads == last.threads ? same + 1 : 0;
    last = now;
  }
  return last;
}

TEST(Soak, NothingGrowsUnderAMixedLoad) {
  const uint64_t length = Rounds("KINDRED_SOAK_SECONDS", kSliceSeconds);
  const uint64_t seed = SeedOr(1'231);
  const milliseconds round_length(std::clamp<uint64_t>(length * 1000 / 20, 1'000, 30'000));
  std::cout << "seed " << seed << ", " << length << " s in rounds of " << round_length.count() << " ms"
            << std::endl;
  const TempDir dir;
  std::filesystem::create_directory(dir.Sub("backups"));
  DaemonProcess daemon(dir.Sub("data"), {"--backup-dir", dir.Sub("backups"), "--log-level", "warn"});
  MixedLoad load(daemon, seed);

  const SteadyClock::time_point start = SteadyClock::now();
  const auto ran = [&] { return std::chrono::duration<double>(SteadyClock::now() - start).count(); };
  std::vector<SoakRound> rounds;
  uint64_t warm_up = 0;
  while ((ran() < static_cast<double>(length) || rounds.size() < 4) && !HasFailure()) {
    SoakRound round;
    const bool counts = ran() >= kWarmUp * static_cast<double>(length);
    round.search_ms = load.Round(round_length);
    load.CompareModes();
    const ProcessFigures figures = AtRest(daemon.pid());
    round.resident_bytes = static_cast<double>(figures.resident_bytes);
    round.descriptors = static_cast<double>(figures.descriptors);
    round.threads = static_cast<double>(figures.threads);
    round.disk_bytes = static_cast<double>(BytesIn(dir.Sub("data")));
    if (counts) {
      rounds.push_back(round);
    } else {
      ++warm_up;
    }
  }
  ASSERT_FALSE(HasFailure());
  const std::vector<DriftRow> rows = CompareHalves(rounds);
  const MixedLoad::Counts& counts = load.counts();
  std::cout << DriftTable(rows) << warm_up << " rounds of warm-up, then " << rounds.size() << "; "
            << counts.writes << " writes, " << counts.searches << " searches, " << counts.compared
            << " compared with the exhaustive mode, " << counts.watched << " matches watched, "
            << counts.pairs << " pairs, " << counts.backups << " backups, " << counts.compactions
            << " compactions, " << counts.connections << " connections, " << static_cast<uint64_t>(ran())
            << " s" << std::endl;
  for (const DriftRow& row : rows) {
    EXPECT_FALSE(row.drifts() && (row.is_count || length > kSliceSeconds)) << row.name << " drifts";
  }
  EXPECT_EQ(daemon.Stop(SIGTERM), 0);
}

TEST(Drift, IsFoundInWhatGrowsAndNotInWhatScatters) {
  std::vector<SoakRound> rounds;
  for (int i = 0; i < 20; ++i) {
    const double late = i % 4 == 3 ? 1 : 0;  // A connection that closed too late to be seen.
    rounds.push_back({100e6 + 1e6 * (i % 3), 50e6, 20 + late, 30 + late, 1.0 + 0.1 * (i % 5)});
  }
  const auto drifting = [&] {
    std::vector<std::string> names;
    for (const DriftRow& row : CompareHalves(rounds)) {
      if (row.drifts()) {
        names.push_back(row.name);
      }
    }
    return names;
  };
  EXPECT_EQ(drifting(), std::vector<std::string>{});
  for (size_t i = 0; i < rounds.size(); ++i) {
    rounds[i].descriptors += static_cast<double>(i / 10);  // One is lost, once.
    rounds[i].resident_bytes += 10e6 * static_cast<double>(i);
  }
  EXPECT_EQ(drifting(), (std::vector<std::string>{"resident bytes", "descriptors"}));
}

}  // namespace
}  // namespace kindred::test
