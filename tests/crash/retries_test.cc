// Frames sent again: every frame of several clients a second time, in random order and late, over several
// connections at once and with the daemon stopped or killed between. None is applied again: what is stored
// and the commit sequence stay as they were.
//
// KINDRED_RETRIED_FRAMES=100000 for all of a campaign; KINDRED_SEED.

#include <algorithm>
#include <csignal>
#include <future>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "tests/crash/daemon_audit.h"
#include "tests/crash/ledger_fixture.h"
#include "tests/crash/rounds.h"
#include "tests/integration/ingest_call.h"

namespace kindred::test {
namespace {

using Numbers = std::vector<uint64_t>;

class Retries : public LedgerFixture {
 protected:
  static constexpr size_t kConnections = 4;
  static constexpr uint64_t kStreamFrames = 1000;
  // How often the daemon is restarted while frames are new, and again while all are old.
  static constexpr uint64_t kRestarts = 5;

  Retries() : LedgerFixture(SeedOr(137), /*frame_writes=*/3, /*molecule_count=*/2000) { Start(); }

  void Restart(int signal) {
    daemon_->Stop(signal);
    Start();
  }

  EndedIngest Send(const Ledger& ledger, const Numbers& numbers) const {
    std::vector<v1::IngestRequest> frames;
    frames.reserve(numbers.size());
    for (const uint64_t number : numbers) {
      frames.push_back(ledger.Frame(number));
    }
    return RunIngest(*daemon_, OpenOf(ledger), frames);
  }

  // The frames first .. last in order, each followed by one that was sent before it, at any time.
  Numbers NewAmongOld(uint64_t first, uint64_t last) {
    Numbers numbers;
    for (uint64_t number = first; number <= last; ++number) {
      numbers.insert(numbers.end(), {number, 1 + Below(rng_, number)});
    }
    return numbers;
  }

  void SendNewAmongOld(Ledger& ledger, uint64_t last) {
    while (ledger.position() < last) {
      const uint64_t first = ledger.position() + 1;
      const uint64_t until = std::min(last, first + kStreamFrames / 2 - 1);
      const EndedIngest ended = Send(ledger, NewAmongOld(first, until));
      ASSERT_TRUE(ended.status.ok()) << ended.status.error_message();
      EXPECT_EQ(ended.durable_at_open, first - 1);
      EXPECT_EQ(ended.acks.client_sequence(), until);
      EXPECT_EQ(ended.acks.repeated_frames(), until - first + 1);
      const Effects applied{ended.acks.inserted(), ended.acks.replaced(), ended.acks.deleted(),
                            static_cast<uint64_t>(ended.acks.rejected_size())};
      EXPECT_EQ(applied, ledger.AdvanceTo(until));
      repeated_ += ended.acks.repeated_frames();
    }
  }

  // All of them were applied long ago.
  void ExpectRepeated(const Ledger& ledger, const Numbers& numbers) const {
    const EndedIngest ended = Send(ledger, numbers);
    EXPECT_TRUE(ended.status.ok()) << ended.status.error_message();
    EXPECT_EQ(ended.acks.repeated_frames(), numbers.size());
    EXPECT_EQ(ended.acks.client_sequence(), ledger.position());
    EXPECT_EQ(ended.acks.inserted() + ended.acks.replaced() + ended.acks.deleted(), 0u);
    EXPECT_EQ(ended.acks.rejected_size(), 0);
  }

  // Frames in this order, over several connections at once that all are this client's.
  void SendAgain(const Ledger& ledger, const Numbers& numbers) {
    std::vector<std::future<void>> streams;
    for (size_t begin = 0; begin < numbers.size(); begin += kStreamFrames) {
      const size_t end = std::min(numbers.size(), begin + kStreamFrames);
      if (streams.size() >= kConnections) {
        streams[streams.size() - kConnections].wait();
      }
      streams.push_back(std::async(std::launch::async, [&, begin, end] {
        ExpectRepeated(ledger, {numbers.data() + begin, numbers.data() + end});
      }));
    }
    repeated_ += numbers.size();
  }

  Numbers Shuffled(uint64_t frames) {
    Numbers numbers(frames);
    std::iota(numbers.begin(), numbers.end(), 1);
    std::shuffle(numbers.begin(), numbers.end(), rng_);
    return numbers;
  }

  uint64_t Sequence() const { return Connect()->Stats()->sequence(); }

  uint64_t repeated_ = 0;
};

int StopOrKill(uint64_t round) { return round % 2 == 0 ? SIGKILL : SIGTERM; }

TEST_F(Retries, AreAcknowledgedAndChangeNothing) {
  SCOPED_TRACE(fmt::format("seed {}", seed_));
  const uint64_t frames = (Rounds("KINDRED_RETRIED_FRAMES", 3000) + kClients - 1) / kClients;  // Of a client.
  for (uint64_t round = 0; round < kRestarts; ++round) {
    for (Ledger& ledger : ledgers_) {
      ASSERT_NO_FATAL_FAILURE(SendNewAmongOld(ledger, frames * (round + 1) / kRestarts));
    }
    Restart(StopOrKill(round));
  }
  ExpectHolds(*Connect(), ledgers_);

  const uint64_t sequence = Sequence();
  std::vector<Numbers> orders(kClients);
  std::ranges::generate(orders, [&] { return Shuffled(frames); });
  for (uint64_t round = 0; round < kRestarts; ++round) {
    for (size_t i = 0; i < kClients; ++i) {
      const uint64_t* const all = orders[i].data();
      SendAgain(ledgers_[i], {all + frames * round / kRestarts, all + frames * (round + 1) / kRestarts});
    }
    EXPECT_EQ(Sequence(), sequence);
    Restart(StopOrKill(round));
  }
  EXPECT_EQ(Sequence(), sequence);
  ExpectHolds(*Connect(), ledgers_);
  ExpectVerifies(*Connect());
  Tally("retries", fmt::format("frames={} sent_again={} restarts={} failures={}", frames * kClients,
                               repeated_, 2 * kRestarts, HasFailure() ? 1 : 0));
}

}  // namespace
}  // namespace kindred::test
