// Signals to what looks after a data directory: it ends soon, and what is stored stays whole.

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/compact_fixture.h"

namespace kindred::test {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using ::testing::HasSubstr;

constexpr uint64_t kSignalledGraphs = 12'000;

class OfflineSignals : public CompactServiceTest {
 protected:
  OfflineSignals() {
    fs::create_directory(dir_.Sub("backups"));
    DaemonProcess daemon(data_, {"--backup-dir", dir_.Sub("backups")});
    Fill(daemon, kSignalledGraphs);
    EXPECT_EQ(Kindred(daemon, {"backup", "b"}).exit_code, 0);
    for (uint64_t first = 1'000; first < kSignalledGraphs; first += 1'000) {
      Remove(daemon, first, first + 1'000);
    }
    answers_ = Answers(daemon);
    EXPECT_EQ(daemon.Stop(SIGTERM), 0);
  }

  // Runs kindredd again and again, each time longer before the signal comes, until it ends by itself. Returns
  // how often it did not.
  int SignalEverLater(int signal, const std::vector<std::string>& flags) {
    for (int interrupted = 0; interrupted < 500; ++interrupted) {
      const Finished ended = RunAndSignal(KindreddPath(), flags, signal, milliseconds(3 * interrupted));
      if (ended.exit_code == 0) {
        return interrupted;
      }
      EXPECT_EQ(ended.exit_code, 128 + signal) << ended.err;
      EXPECT_EQ(ended.out, "");
      between_();
    }
    ADD_FAILURE() << "it never ends by itself";
    return 500;
  }

  void ExpectWhole() {
    const Finished verified = RunProgram(KindreddPath(), {"--data-dir", data_, "--verify"});
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
    DaemonProcess daemon(data_);
    EXPECT_EQ(Answers(daemon), answers_);
    EXPECT_EQ(daemon.Stop(SIGTERM), 0);
  }

  std::string answers_;
  std::function<void()> between_ = [] {};
};

TEST_F(OfflineSignals, EndAVerification) {
  EXPECT_GE(SignalEverLater(SIGINT, {"--data-dir", data_, "--verify"}), 2);
  EXPECT_GE(SignalEverLater(SIGTERM, {"--data-dir", data_, "--verify"}), 2);
  ExpectWhole();
}

TEST_F(OfflineSignals, EndACompactionWithoutALoss) {
  int interrupted = 0;
  between_ = [&] {
    // What it had done is not undone, and what is left is done by the next.
    if (++interrupted % 4 == 0) {
      ExpectWhole();
    }
  };
  EXPECT_GE(SignalEverLater(SIGINT, {"--data-dir", data_, "--compact"}), 2);
  ExpectWhole();
  const Finished again = RunProgram(KindreddPath(), {"--data-dir", data_, "--compact"});
  EXPECT_THAT(again.out, HasSubstr("compacted 1000 graphs: 0 colours reclaimed")) << again.err;
}

TEST_F(OfflineSignals, KilledACompactionLosesNothing) {
  int killed = 0;
  between_ = [&] {
    if (++killed % 4 == 0) {
      ExpectWhole();
    }
  };
  EXPECT_GE(SignalEverLater(SIGKILL, {"--data-dir", data_, "--compact"}), 2);
  ExpectWhole();
}

TEST_F(OfflineSignals, EndARestoreThatLeavesNothingBehind) {
  const std::string restored = dir_.Sub("restored");
  const std::vector<std::string> flags{"--data-dir", restored, "--restore-from", dir_.Sub("backups") + "/b"};
  between_ = [&] {
    EXPECT_TRUE(!fs::exists(restored) || fs::is_empty(restored)) << "it could not be restored again";
  };
  EXPECT_GE(SignalEverLater(SIGTERM, flags), 2);
  const Finished verified = RunProgram(KindreddPath(), {"--data-dir", restored, "--verify"});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
}

// A daemon that is asked to stop at any moment of a compaction stops, and has what it had.
TEST_F(OfflineSignals, StopADaemonThatCompacts) {
  bool finished = false;
  for (int moment = 0; moment < 12 || !finished; ++moment) {
    DaemonProcess daemon(data_);
    Finished compacted;
    std::jthread client([&] { compacted = Kindred(daemon, {"compact"}); });
    std::this_thread::sleep_for(milliseconds(10 * moment));
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(daemon.Stop(moment % 2 == 0 ? SIGTERM : SIGINT), 0);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20)) << "moment " << moment;
    client.join();
    finished = compacted.exit_code == 0;
    EXPECT_EQ(finished, compacted.err.empty()) << compacted.err;
  }
  ExpectWhole();
}

}  // namespace
}  // namespace kindred::test
