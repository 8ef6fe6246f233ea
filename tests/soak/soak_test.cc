// A daemon under mixed load for as long as one likes: `scripts/campaign soak` for an hour, here for some
// seconds.
//
// A table tells what it took of the machine, every few seconds. Given enough time, nothing may drift: memory,
// descriptors, threads, the times of searches. Whatever the time, sockets are closed when their clients are
// gone, and the threads are as many as before.
//
// KINDRED_SOAK_SECONDS: how long (20). KINDRED_SOAK_SAMPLES: how many lines (200 at most; 2 s apart at
// least).

#include <csignal>
#include <iostream>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "tests/crash/rounds.h"
#include "tests/soak/drift.h"
#include "tests/soak/load.h"
#include "tests/soak/process_sample.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

TEST(Drift, IsThatOfTheSeriesNotOfItsOutliers) {
  std::vector<double> flat(60, 100.0);
  for (size_t i = 0; i < flat.size(); ++i) {
    flat[i] += i % 3 == 0 ? 50 : 0;
  }
  EXPECT_EQ(DriftOf(flat), 0);
  std::vector<double> rising;
  for (int i = 0; i < 60; ++i) {
    rising.push_back(i % 4 == 0 ? 0 : 100 + i);
  }
  EXPECT_NEAR(DriftOf(rising), 59, 10);
  EXPECT_EQ(DriftOf({}), 0);
  EXPECT_EQ(DriftOf({5}), 0);
  EXPECT_EQ(DriftOf({5, 7}), 2);
}

struct Row {
  double seconds = 0;
  ProcessSample process;
  double search_p50 = 0;
  double search_p99 = 0;
};

double Quantile(std::vector<double> values, double q) {
  if (values.empty()) {
    return 0;
  }
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, at);
  return *at;
}

// Warm-up is a third; below so many seconds behind it, nothing can be said of a drift.
constexpr double kSettledSeconds = 200;

class Soak : public ::testing::Test {
 protected:
  Row Sample(Load& load, double seconds) const {
    const std::vector<double> millis = load.TakeSearchMillis();
    return {seconds, SampleProcess(daemon_.pid()), Quantile(millis, 0.5), Quantile(millis, 0.99)};
  }

  // The sockets are closed and the threads gone, or it takes suspiciously long.
  void ExpectQuiet(const ProcessSample& before, const char* when) const {
    ProcessSample now = SampleProcess(daemon_.pid());
    for (int i = 0; i < 300 && (now.sockets > before.sockets || now.threads > before.threads); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      now = SampleProcess(daemon_.pid());
    }
    EXPECT_LE(now.sockets, before.sockets) << when;
    EXPECT_LE(now.threads, before.threads) << when;
  }

  static void ExpectSteady(const std::vector<Row>& rows, const char* name, double (*value)(const Row&),
                           double allowed_share, double allowed) {
    std::vector<double> values;
    for (const Row& row : rows) {
      values.push_back(value(row));
    }
    const double drift = DriftOf(values);
    const double most = MedianOf(values) * allowed_share + allowed;
    std::cout << fmt::format("drift of {:<12} {:8.2f} of a median {:.2f}; allowed {:.2f}\n", name, drift,
                             MedianOf(values), most);
    EXPECT_LE(drift, most) << name;
  }

  const TempDir dir_;
  DaemonProcess daemon_{dir_.Sub("d"), {"--log-level", "warn"}};
};

TEST_F(Soak, NothingGrowsOnAndOn) {
  const uint64_t seed = SeedOr(17);
  const auto seconds = static_cast<double>(Rounds("KINDRED_SOAK_SECONDS", 20));
  const uint64_t samples = std::max<uint64_t>(
      2, std::min<uint64_t>(Rounds("KINDRED_SOAK_SAMPLES", 200), static_cast<uint64_t>(seconds / 2)));
  std::cout << "seed " << seed << ", " << seconds << " s" << std::endl;
  // Everything that is started once is started by the first clients.
  {
    const auto warm = std::make_unique<Load>(daemon_, seed);
    std::this_thread::sleep_for(std::chrono::seconds(3));
    EXPECT_EQ(warm->failures(), 0u);
  }
  const ProcessSample idle = SampleProcess(daemon_.pid());
  std::vector<Row> rows;
  {
    Load load(daemon_, seed + 1'000);
    std::cout << "seconds      MiB  descriptors  sockets  threads   p50 ms   p99 ms\n";
    for (uint64_t i = 1; i <= samples; ++i) {
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds / static_cast<double>(samples)));
      rows.push_back(Sample(load, seconds * static_cast<double>(i) / static_cast<double>(samples)));
      const auto& [at, process, p50, p99] = rows.back();
      std::cout << fmt::format("{:7.0f} {:8.1f} {:12.0f} {:8.0f} {:8.0f} {:8.2f} {:8.2f}\n", at,
                               process.resident_mib, process.descriptors, process.sockets, process.threads,
                               p50, p99)
                << std::flush;
    }
    EXPECT_EQ(load.failures(), 0u);
    EXPECT_GT(load.writes(), 100u);
    EXPECT_GT(load.searches(), 100u);
    EXPECT_GT(load.watches(), 0u);
    Tally("soak", fmt::format("seconds={:.0f} writes={} searches={} watches={}", seconds, load.writes(),
                              load.searches(), load.watches()));
  }
  ExpectQuiet(idle, "after the load");
  std::erase_if(rows, [&](const Row& row) { return row.seconds < seconds / 3; });
  if (rows.back().seconds - rows.front().seconds >= kSettledSeconds) {
    ExpectSteady(
        rows, "MiB", [](const Row& row) { return row.process.resident_mib; }, 0.1, 16);
    ExpectSteady(
        rows, "descriptors", [](const Row& row) { return row.process.descriptors; }, 0.1, 5);
    ExpectSteady(
        rows, "threads", [](const Row& row) { return row.process.threads; }, 0, 2);
    ExpectSteady(
        rows, "p50 ms", [](const Row& row) { return row.search_p50; }, 0.5, 0.5);
    ExpectSteady(
        rows, "p99 ms", [](const Row& row) { return row.search_p99; }, 0.5, 2);
  }
  EXPECT_EQ(daemon_.Stop(SIGTERM), 0);
}

}  // namespace
}  // namespace kindred::test
