// Failed attempts: counted by peer, answered ever later, and remembered in bounded memory.

#include "daemon/edge/attempts.h"

#include <string>

#include "gtest/gtest.h"

namespace kindred::daemon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Attempts::Clock::time_point kStart{seconds(1'000)};

TEST(Attempts, AreAnsweredEverLater) {
  Attempts attempts;
  const int delays_ms[] = {0, 0, 0, 100, 200, 400, 800, 1'600, 2'000, 2'000};
  uint64_t count = 0;
  for (const int delay_ms : delays_ms) {
    const Attempts::Failure failure = attempts.Note("a", kStart);
    EXPECT_EQ(failure.count, ++count);
    EXPECT_EQ(failure.delay, milliseconds(delay_ms)) << count;
  }
  EXPECT_EQ(attempts.Note("b", kStart).delay, milliseconds(0));
  EXPECT_EQ(attempts.failures(), 11);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(attempts.Note("a", kStart).delay, milliseconds(2'000));
  }
}

TEST(Attempts, AreForgottenAfterAQuietMinute) {
  Attempts attempts;
  for (int i = 0; i < 10; ++i) {
    attempts.Note("a", kStart);
  }
  EXPECT_EQ(attempts.Note("a", kStart + seconds(60)).count, 11);
  EXPECT_EQ(attempts.Note("a", kStart + seconds(121)).count, 1);
}

TEST(Attempts, RememberOnlySoManyPeers) {
  Attempts attempts;
  for (size_t i = 0; i < Attempts::kPeersMax; ++i) {
    attempts.Note(std::to_string(i), kStart);
  }
  EXPECT_EQ(attempts.Note("0", kStart).count, 2);  // Now the latest.
  attempts.Note("one more", kStart);
  EXPECT_EQ(attempts.peers(), Attempts::kPeersMax);
  EXPECT_EQ(attempts.Note("0", kStart).count, 3);
  EXPECT_EQ(attempts.Note("1", kStart).count, 1) << "the one that failed least recently was not forgotten";
  EXPECT_EQ(attempts.peers(), Attempts::kPeersMax);
}

}  // namespace
}  // namespace kindred::daemon
