// How kindredd starts, refuses to start, and stops.

#include <csignal>
#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/paths.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

std::vector<std::string> Flags(std::vector<std::string> flags, const std::vector<std::string>& more) {
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

Finished RunDaemon(std::vector<std::string> flags,
                   const std::map<std::string, std::string>& environment = {}) {
  return RunProgram(KindreddPath(), flags, environment);
}

TEST(Lifecycle, PrintsOneReadyLine) {
  const TempDir dir;
  const DaemonProcess daemon(dir.Sub("d"));
  EXPECT_EQ(daemon.ready_line(), "kindredd ready listen=" + daemon.address() + " data=" + dir.Sub("d") +
                                     " depth=3 graphs=0 sequence=0");
  EXPECT_THAT(daemon.address(), MatchesRegex("127\\.0\\.0\\.1:[1-9][0-9]*"));
}

TEST(Lifecycle, StopsCleanlyOnSigtermAndSigint) {
  for (const int signal : {SIGTERM, SIGINT}) {
    const TempDir dir;
    DaemonProcess daemon(dir.Sub("d"));
    EXPECT_EQ(daemon.Stop(signal), 0);
  }
}

TEST(Lifecycle, SecondSignalEndsAtOnce) {
  const TempDir dir;
  DaemonProcess daemon(dir.Sub("d"), Flags({"--drain-seconds", "600"}, UnreadExport::kFlag));
  const UnreadExport unread(daemon);
  const auto health = grpc::health::v1::Health::NewStub(daemon.NewChannel());
  const auto context = NewContext();
  const auto watch = health->Watch(context.get(), {});
  grpc::health::v1::HealthCheckResponse state;
  ASSERT_TRUE(watch->Read(&state));
  ASSERT_EQ(state.status(), grpc::health::v1::HealthCheckResponse::SERVING);
  ::kill(daemon.pid(), SIGTERM);
  ASSERT_TRUE(watch->Read(&state));
  ASSERT_EQ(state.status(), grpc::health::v1::HealthCheckResponse::NOT_SERVING);
  v1::StatsResponse stats;
  grpc::Status refused;
  do {  // Health says it first, so that no one is sent here any more; then calls are refused.
    refused = daemon.NewStub()->Stats(NewContext().get(), {}, &stats);
  } while (refused.ok());
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(refused.error_message(), "kindredd is stopping");
  EXPECT_EQ(daemon.Stop(SIGTERM), 128 + SIGTERM);
}

TEST(Lifecycle, StopsAtTheEndOfTheDrainWhateverCallsAreOpen) {
  const TempDir dir;
  DaemonProcess daemon(dir.Sub("d"), Flags({"--drain-seconds", "1"}, UnreadExport::kFlag));
  const UnreadExport unread(daemon);
  EXPECT_EQ(daemon.Stop(SIGTERM), 0);
}

TEST(Lifecycle, ListensOnAUnixSocket) {
  const TempDir dir;
  const std::string address = "unix:" + dir.Sub("socket");
  DaemonProcess daemon(dir.Sub("d"), {"--listen", address});
  EXPECT_EQ(daemon.address(), address);
  v1::StatsResponse stats;
  EXPECT_TRUE(daemon.NewStub()->Stats(NewContext().get(), {}, &stats).ok());

  const Finished second = RunDaemon({"--data-dir", dir.Sub("e"), "--listen", address});
  EXPECT_EQ(second.exit_code, 69);
  EXPECT_THAT(second.err, HasSubstr("another process listens there"));
  EXPECT_TRUE(daemon.NewStub()->Stats(NewContext().get(), {}, &stats).ok());
}

// The lock would be opened as standard error, and get what is logged there.
TEST(Lifecycle, LogsIntoNoFileOfItsDataWhenStandardErrorIsClosed) {
  const TempDir dir;
  const DaemonProcess daemon(dir.Sub("d"));
  const std::string second =
      KindreddPath() + " --data-dir " + dir.Sub("e") + " --listen " + daemon.address() + " 2>&-";
  EXPECT_EQ(RunProgram("/bin/sh", {"-c", second}).exit_code, 69);
  EXPECT_EQ(std::filesystem::file_size(dir.path() / "e" / "kindred.lock"), 0);
}

TEST(Lifecycle, ListensOnSeveralAddresses) {
  const TempDir dir;
  DaemonProcess daemon(dir.Sub("d"), {"--listen", "127.0.0.1:0", "--listen", "unix:" + dir.Sub("socket")});
  EXPECT_THAT(daemon.address(), HasSubstr(",unix:" + dir.Sub("socket")));
}

TEST(Lifecycle, RefusesAPortInUse) {
  const TempDir dir;
  const DaemonProcess daemon(dir.Sub("d"));
  const Finished second = RunDaemon({"--data-dir", dir.Sub("e"), "--listen", daemon.address()});
  EXPECT_EQ(second.exit_code, 69);
  EXPECT_THAT(second.err, HasSubstr("cannot listen on " + daemon.address()));
}

TEST(Lifecycle, RefusesADataDirectoryInUse) {
  const TempDir dir;
  const DaemonProcess daemon(dir.Sub("d"));
  const Finished second = RunDaemon({"--data-dir", dir.Sub("d"), "--listen", "127.0.0.1:0"});
  EXPECT_EQ(second.exit_code, 73);
  EXPECT_THAT(second.err, HasSubstr("in use by another process"));
}

TEST(Lifecycle, RefusesAnotherDepthThanTheIndexHas) {
  const TempDir dir;
  {
    DaemonProcess daemon(dir.Sub("d"), {"--depth", "5"});
    EXPECT_THAT(daemon.ready_line(), HasSubstr(" depth=5 "));
    daemon.Stop(SIGTERM);
  }
  const Finished wrong = RunDaemon({"--data-dir", dir.Sub("d"), "--depth", "4", "--listen", "127.0.0.1:0"});
  EXPECT_EQ(wrong.exit_code, 65);
  EXPECT_THAT(wrong.err, HasSubstr("created with depth 5, not 4"));
  const DaemonProcess daemon(dir.Sub("d"));
  EXPECT_THAT(daemon.ready_line(), HasSubstr(" depth=5 "));
}

TEST(Lifecycle, RefusesADirectoryOfSomethingElse) {
  const TempDir dir;
  std::ofstream(dir.path() / "precious.txt") << "not ours";
  const Finished finished = RunDaemon({"--data-dir", dir.path().string(), "--listen", "127.0.0.1:0"});
  EXPECT_EQ(finished.exit_code, 65);
  EXPECT_THAT(finished.err, HasSubstr("holds no kindred index"));
}

TEST(Lifecycle, RefusesADamagedStore) {
  const TempDir dir;
  { DaemonProcess(dir.Sub("d")).Stop(SIGTERM); }
  std::ofstream(dir.path() / "d/db/CURRENT") << "nonsense\n";
  const Finished finished = RunDaemon({"--data-dir", dir.Sub("d"), "--listen", "127.0.0.1:0"});
  EXPECT_EQ(finished.exit_code, 65);
  EXPECT_THAT(finished.err, HasSubstr("CURRENT file corrupted"));
  EXPECT_THAT(finished.err, HasSubstr("restore a backup"));
}

TEST(Lifecycle, RefusesWrongUsage) {
  const TempDir dir;
  const std::vector<std::vector<std::string>> wrong{
      {},
      {"--data-dir", dir.Sub("d"), "--depth", "16"},
      {"--data-dir", dir.Sub("d"), "--no-such-flag"},
      {"--data-dir", dir.Sub("d"), "--listen", "127.0.0.1"},
      {"--data-dir", dir.Sub("d"), "--listen", "127.0.0.1:99999"},
      {"--data-dir", dir.Sub("d"), "--threads", "0"},
      {"--data-dir", dir.Sub("d"), "--k-max", "0"},
      {"--data-dir", dir.Sub("d"), "--config", dir.Sub("missing.toml")}};
  for (const auto& flags : wrong) {
    const Finished finished = RunDaemon(flags);
    EXPECT_EQ(finished.exit_code, 64) << finished.err;
    EXPECT_THAT(finished.err, HasSubstr("kindredd: "));
    EXPECT_EQ(finished.out, "");
  }
  EXPECT_FALSE(std::filesystem::exists(dir.Sub("d")));
}

TEST(Lifecycle, FlagBeatsEnvironmentBeatsFile) {
  const TempDir dir;
  std::ofstream(dir.path() / "k.toml") << "data-dir = \"" << dir.Sub("d") << "\"\ndepth = 1\n"
                                       << "listen = [\"127.0.0.1:0\"]\n";
  // A depth of 99 is refused wherever it comes from, so the exit code tells which one counted.
  const auto check = [&](std::vector<std::string> flags,
                         const std::map<std::string, std::string>& environment) {
    flags.insert(flags.end(), {"--config", dir.Sub("k.toml"), "--check-config"});
    return RunDaemon(flags, environment);
  };
  EXPECT_EQ(check({}, {}).exit_code, 0);
  EXPECT_EQ(check({}, {{"KINDRED_DEPTH", "99"}}).exit_code, 64);
  EXPECT_EQ(check({"--depth", "2"}, {{"KINDRED_DEPTH", "99"}}).exit_code, 0);
  std::ofstream(dir.path() / "k.toml") << "depth = 99\n";
  EXPECT_EQ(check({"--data-dir", dir.Sub("d")}, {}).exit_code, 64);
  EXPECT_EQ(check({"--data-dir", dir.Sub("d")}, {{"KINDRED_DEPTH", "2"}}).exit_code, 0);
  std::ofstream(dir.path() / "k.toml") << "no-such-key = 1\n";
  EXPECT_EQ(check({"--data-dir", dir.Sub("d")}, {}).exit_code, 64);
}

TEST(Lifecycle, TellsItsVersionAndHelp) {
  EXPECT_THAT(RunDaemon({"--version"}).out, MatchesRegex("kindredd [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  const Finished help = RunDaemon({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, HasSubstr("--data-dir"));
}

}  // namespace
}  // namespace kindred::test
