// kill -9 under load, again and again on one data directory. Clients stream inserts, replacements and
// deletes while another searches; at a random moment the daemon is killed, sometimes once or twice more while
// it recovers. Afterwards each client's position is at least what was acknowledged to it, the store holds
// exactly the effect of each client's frames up to its position, and both search modes agree.
//
// KINDRED_KILL_CYCLES=n cycles; KINDRED_SEED. Moments depend on the machine too: a seed repeats the writes
// and the times that are waited, not the instruction that is hit.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/crash/daemon_audit.h"
#include "tests/crash/ledger_fixture.h"
#include "tests/crash/rounds.h"
#include "tests/integration/ingest_call.h"

namespace kindred::test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

constexpr size_t kFrameWrites = 50;
constexpr size_t kMolecules = 30'000;
constexpr size_t kQueries = 6;
// Smaller than the default, so that there are many commits to hit; small ones and larger ones.
constexpr std::array kWindows{64 << 10, 256 << 10, 1 << 20};
// A cycle that was killed under less load than this proves little, and does not count.
constexpr double kGraphsPerSecondMin = 1000;

double Seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

// What a client knows of its frames.
struct Sent {
  uint64_t last = 0;          // Handed to the stream.
  uint64_t acknowledged = 0;  // Of those.
  uint64_t graphs = 0;        // Stored by acknowledged frames of this cycle.
};

using IngestCall = grpc::ClientReaderWriter<v1::IngestRequest, v1::IngestResponse>;

// Keeps what is acknowledged until the call ends; counts `opened` down when it is open, or never will be.
void ReadAcks(IngestCall& call, std::latch& opened, Sent& sent) {
  v1::IngestResponse response;
  call.Read(&response);
  opened.count_down();
  while (call.Read(&response)) {
    const v1::IngestAck& ack = response.ack();
    sent.acknowledged = std::max(sent.acknowledged, ack.client_sequence());
    sent.graphs += ack.inserted() + ack.replaced();
    for (const v1::IngestAck::Rejected& rejected : ack.rejected()) {
      EXPECT_EQ(rejected.outcome().code(), grpc::StatusCode::NOT_FOUND) << rejected.ShortDebugString();
    }
  }
}

// Sends frame after frame until the daemon dies. Without the client library: that cuts a frame whenever Send
// has to wait, and the ledger must know what is in each.
Sent SendUntilKilled(v1::Index::Stub& stub, const Ledger& ledger, std::latch& opened) {
  Sent sent{ledger.position(), ledger.position(), 0};
  const auto context = NewContext();
  const auto call = stub.Ingest(context.get());
  std::thread reader([&] { ReadAcks(*call, opened, sent); });
  v1::IngestRequest request;
  *request.mutable_open() = OpenOf(ledger);
  request.mutable_open()->set_acknowledged_client_sequence(ledger.position());
  uint64_t last = ledger.position();
  while (call->Write(request)) {
    request = ledger.Frame(++last);
  }
  reader.join();
  sent.last = last;
  const grpc::Status status = call->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE) << status.error_message();
  return sent;
}

class Kill : public LedgerFixture {
 protected:
  Kill() : LedgerFixture(SeedOr(131), kFrameWrites, kMolecules), queries_(MakeMolecules(~seed_, kQueries)) {
    StartAndMeasure();
  }

  void StartAndMeasure() {
    const auto start = Clock::now();
    Start({"--ingest-window-bytes", std::to_string(kWindows[Below(rng_, kWindows.size())])});
    start_took_ = Clock::now() - start;
  }

  microseconds Between(std::chrono::milliseconds least, std::chrono::milliseconds most) {
    const microseconds span = most - least;
    return least + microseconds(Below(rng_, static_cast<uint64_t>(span.count())));
  }

  // Keeps every client busy until the daemon is killed under it; then `sent_` says how far they got.
  void LoadAndKill() {
    sent_.assign(kClients, {});
    std::latch opened(kClients);
    std::atomic<bool> killed{false};
    std::vector<std::thread> threads;
    const auto start = Clock::now();
    for (size_t i = 0; i < kClients; ++i) {
      threads.emplace_back(
          [this, i, &opened] { sent_[i] = SendUntilKilled(*daemon_->NewStub(), ledgers_[i], opened); });
    }
    threads.emplace_back([this, &killed] { SearchUntil(killed); });
    opened.wait();
    std::this_thread::sleep_for(Between(std::chrono::milliseconds(100), std::chrono::milliseconds(600)));
    const double seconds = Seconds(Clock::now() - start);
    daemon_->Stop(SIGKILL);
    killed = true;
    for (std::thread& thread : threads) {
      thread.join();
    }
    ++kills_;
    Account(seconds);
  }

  void SearchUntil(const std::atomic<bool>& killed) {
    const auto client = Connect();
    v1::SearchRequest request;
    for (size_t i = 0; !killed; ++i) {
      *request.mutable_graph() = (*queries_)[i % kQueries];
      client->Search(request).IgnoreError();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  void Account(double seconds) {
    uint64_t graphs = 0;
    for (const Sent& sent : sent_) {
      graphs += sent.graphs;
    }
    acknowledged_ += graphs;
    const double rate = static_cast<double>(graphs) / seconds;
    if (rate >= kGraphsPerSecondMin) {
      ++counted_;
    } else {
      fmt::print("cycle {} does not count: {:.0f} graphs/s acknowledged in {:.2f} s\n", cycle_, rate,
                 seconds);
    }
  }

  // In one of three cycles: kills while the daemon recovers, or right after.
  void KillWhileStarting() {
    for (; Below(rng_, 3) == 0; ++kills_, ++kills_while_starting_) {
      StartAndKill(data_dir(), Between(std::chrono::milliseconds(0),
                                       std::chrono::ceil<std::chrono::milliseconds>(start_took_ * 5 / 4)));
    }
  }

  // The position of each client lies between what was acknowledged and what was sent; its ledger goes there.
  void CheckPositions() {
    for (size_t i = 0; i < kClients; ++i) {
      // It is not told what was acknowledged: else the daemon itself would object, and we would see no
      // number.
      const EndedIngest ended = RunIngest(*daemon_, OpenOf(ledgers_[i]), {});
      ASSERT_TRUE(ended.status.ok()) << ended.status.error_message();
      const uint64_t durable = ended.durable_at_open;
      ASSERT_GE(durable, sent_[i].acknowledged) << "of client " << i << " acknowledged frames are lost";
      ASSERT_LE(durable, sent_[i].last) << "client " << i << " never sent so many frames";
      unacknowledged_ += durable - sent_[i].acknowledged;
      ledgers_[i].AdvanceTo(durable);
    }
  }

  void Cycle() {
    LoadAndKill();
    KillWhileStarting();
    StartAndMeasure();
    ASSERT_FALSE(daemon_->address().empty());
    const auto client = Connect();
    ASSERT_NO_FATAL_FAILURE(CheckPositions());
    ExpectHolds(*client, ledgers_);
    ExpectModesAgree(*client, *queries_);
  }

  const std::shared_ptr<const Molecules> queries_;  // Of another seed: none is stored but by chance.
  Clock::duration start_took_{};                    // The last one.
  std::vector<Sent> sent_;                          // One a client.

  uint64_t cycle_ = 0;
  uint64_t counted_ = 0;
  uint64_t kills_ = 0;
  uint64_t kills_while_starting_ = 0;
  uint64_t acknowledged_ = 0;    // Graphs.
  uint64_t unacknowledged_ = 0;  // Frames that were durable all the same.
};

TEST_F(Kill, LosesNothingThatWasAcknowledgedAndAppliesNothingTwice) {
  const uint64_t cycles = Rounds("KINDRED_KILL_CYCLES", 20);
  for (; cycle_ < cycles && !HasFailure(); ++cycle_) {
    SCOPED_TRACE(fmt::format("seed {} cycle {} data {}", seed_, cycle_, data_dir()));
    Cycle();
  }
  if (!HasFailure()) {
    ExpectVerifies(*Connect());
  }
  Tally("kill",
        fmt::format("cycles={} cycles_counted={} graphs_acknowledged={} kills={} kills_while_starting={} "
                    "frames_durable_unacknowledged={} searches_compared={} failures={}",
                    cycle_, counted_, acknowledged_, kills_, kills_while_starting_, unacknowledged_,
                    cycle_ * kQueries, HasFailure() ? 1 : 0));
}

}  // namespace
}  // namespace kindred::test
