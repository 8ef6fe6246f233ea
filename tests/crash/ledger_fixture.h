// A data directory, the daemon that is started on it, again and again, and clients with ledgers.

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/client.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "tests/crash/ledger.h"
#include "tests/integration/daemon_process.h"
#include "tests/support/graphs.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {

inline v1::IngestOpen OpenOf(const Ledger& ledger) {
  v1::IngestOpen open;
  open.set_client_id(ledger.client_id());
  return open;
}

class LedgerFixture : public ::testing::Test {
 protected:
  static constexpr size_t kClients = 3;

  LedgerFixture(uint64_t seed, size_t frame_writes, size_t molecule_count) : seed_(seed), rng_(seed) {
    const auto molecules = MakeMolecules(seed, molecule_count);
    for (size_t i = 0; i < kClients; ++i) {
      ledgers_.emplace_back(fmt::format("client-{}", i), rng_(), frame_writes, molecules);
    }
  }

  std::string data_dir() const { return dir_.Sub("d"); }

  void Start(std::vector<std::string> flags = {}) {
    flags.insert(flags.end(), {"--log-level", "warn"});
    daemon_ = std::make_unique<DaemonProcess>(data_dir(), std::move(flags));
  }

  std::unique_ptr<client::Client> Connect() const {
    auto client = client::Client::Create(daemon_->address());
    EXPECT_TRUE(client.ok()) << client.status();
    return *std::move(client);
  }

  const uint64_t seed_;
  Rng rng_;
  const TempDir dir_;
  std::vector<Ledger> ledgers_;
  std::unique_ptr<DaemonProcess> daemon_;
};

}  // namespace kindred::test
