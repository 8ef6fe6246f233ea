// kindred stats --watch: what it shows, and how it ends.

#include <atomic>
#include <csignal>

#include "client/cli/stats_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/unit/client/cli_harness.h"

namespace kindred::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

v1::StatsResponse StatsOf(const std::string& incarnation, uint64_t count) {
  v1::StatsResponse stats;
  stats.set_incarnation(incarnation);
  stats.set_graphs(count);
  stats.set_writes(10 * count);
  stats.set_sequence(20 * count);
  stats.set_searches(2 * count);
  stats.set_postings_read(1000 * count);
  stats.set_merges(count);
  return stats;
}

class StatsCommandTest : public CliTest {
 protected:
  // Answers with counters that grow, and presses Ctrl-C with the last answer.
  void AnswerTimes(int times) {
    server_.index.stats = [this, times](const v1::StatsRequest&, v1::StatsResponse& response) {
      const int call = ++calls_;
      response = StatsOf("first", static_cast<uint64_t>(call));
      if (call == times) {
        std::raise(SIGINT);
      }
      return grpc::Status::OK;
    };
  }

  std::atomic<int> calls_{0};
};

TEST_F(StatsCommandTest, WatchPrintsALineALookAndEndsWellWithCtrlC) {
  AnswerTimes(3);
  const CliResult result = Run({"stats", "--watch", "0.1"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(std::ranges::count(result.out, '\n'), 3) << result.out;
  EXPECT_THAT(result.out, testing::StartsWith("graphs 1  writes/s -  searches/s -  postings/search -  "));
  EXPECT_THAT(result.out, HasSubstr("\ngraphs 3  writes/s "));
  EXPECT_THAT(result.out, HasSubstr("postings/search 500  "));
  EXPECT_THAT(result.out, Not(HasSubstr("\x1b"))) << "that is for terminals";
}

TEST_F(StatsCommandTest, WatchAsJsonPrintsAnObjectALineWithRatesFromTheSecondOn) {
  AnswerTimes(2);
  const CliResult result = Run({"--json", "stats", "--watch", "0.1"});
  EXPECT_EQ(result.code, 0) << result.err;
  std::istringstream lines(result.out);
  std::string first;
  std::string second;
  std::getline(lines, first);
  std::getline(lines, second);
  EXPECT_FALSE(nlohmann::json::parse(first).contains("rates"));
  EXPECT_GT(nlohmann::json::parse(second)["rates"]["writes"], 0);
  EXPECT_EQ(nlohmann::json::parse(second)["rates"]["postings_a_search"], 500);
}

TEST_F(StatsCommandTest, WatchWithoutSecondsTakesTwo) {
  AnswerTimes(1);
  const CliResult result = Run({"stats", "--watch"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(calls_, 1);
}

TEST_F(StatsCommandTest, WatchRefusesSecondsOutOfRange) {
  for (const char* seconds : {"0", "0.09", "3601", "soon"}) {
    EXPECT_EQ(Run({"stats", "--watch", seconds}).code, 64) << seconds;
  }
}

TEST_F(StatsCommandTest, WatchFailsWhenTheDaemonWasNeverThere) {
  EXPECT_EQ(RunCli({"stats", "--watch", "0.1", "--timeout", "0.2", "--server", client::DeadAddress()}).code,
            69);
}

TEST(StatsRates, AreCountsASecond) {
  const auto rates = RatesBetween(StatsOf("a", 10), StatsOf("a", 14), 2);
  ASSERT_TRUE(rates.has_value());
  EXPECT_EQ(rates->writes, 20);
  EXPECT_EQ(rates->commits, 40);
  EXPECT_EQ(rates->searches, 4);
  EXPECT_EQ(rates->postings_a_search, 500);
  EXPECT_EQ(rates->merges, 2);
}

TEST(StatsRates, AreNoneBetweenTwoRunsOfTheDaemon) {
  EXPECT_FALSE(RatesBetween(StatsOf("a", 10), StatsOf("b", 1), 2).has_value());
}

TEST(StatsRates, OfSearchesThatDidNotHappenAreZero) {
  const auto rates = RatesBetween(StatsOf("a", 10), StatsOf("a", 10), 1);
  ASSERT_TRUE(rates.has_value());
  EXPECT_EQ(rates->searches, 0);
  EXPECT_EQ(rates->postings_a_search, 0);
}

TEST(StatsScreen, ShowsRatesBesideCounters) {
  const std::string screen =
      StatsScreen(StatsOf("a", 14), RatesBetween(StatsOf("a", 10), StatsOf("a", 14), 2));
  EXPECT_THAT(screen, testing::ContainsRegex("writes +140 +20\\.0\n"));
  EXPECT_THAT(screen, testing::ContainsRegex("searches +28 +4\\.0\n"));
}

}  // namespace
}  // namespace kindred::cli
