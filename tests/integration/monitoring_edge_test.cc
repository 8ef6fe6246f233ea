// What /metrics tells of the doors: connections taken, refused and timed out, callers who could not say who
// they are.

#include <chrono>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/http_connection.h"
#include "tests/integration/messages.h"
#include "tests/integration/metrics_reading.h"
#include "tests/integration/raw_connection.h"
#include "tests/support/paths.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

std::map<std::string, double> Values(const DaemonProcess& daemon) {
  return ReadMetrics(HttpGet(daemon.http_address(), "/metrics").body).values;
}

// Until the metric has the value; false after a minute.
bool WaitFor(const DaemonProcess& daemon, const std::string& metric, double value) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (Values(daemon)[metric] != value) {
    if (std::chrono::steady_clock::now() >= deadline) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

TEST(EdgeMetrics, CountConnectionsByWhatBecameOfThem) {
  const TempDir dir;
  DaemonProcess daemon(
      dir.Sub("d"), {"--http-listen", "0", "--connections-per-peer-max", "5", "--handshake-ms-max", "1000"});
  {
    std::vector<RawConnection> silent;
    for (int i = 0; i < 3; ++i) {
      silent.emplace_back(daemon.address());
    }
    std::vector<RawConnection> speaking;
    for (int i = 0; i < 2; ++i) {
      speaking.emplace_back(daemon.address());
      speaking.back().Send(RawConnection::kHttp2Hello);
    }
    for (int i = 0; i < 4; ++i) {
      EXPECT_TRUE(RawConnection(daemon.address()).IsHungUpOn(10));
    }
    auto values = Values(daemon);
    EXPECT_EQ(values["kindred_connections_accepted_total"], 5);
    EXPECT_EQ(values["kindred_connections"], 5);
    EXPECT_EQ(values["kindred_connections_refused_total{reason=\"connections_per_peer_max\"}"], 4);
    EXPECT_EQ(values["kindred_connections_refused_total{reason=\"connections_max\"}"], 0);
    EXPECT_TRUE(WaitFor(daemon, "kindred_connections", 2)) << "the silent ones are hung up on";
    EXPECT_TRUE(WaitFor(daemon, "kindred_handshakes_timed_out_total", 3));
  }
  EXPECT_TRUE(WaitFor(daemon, "kindred_connections", 0));
  EXPECT_EQ(Values(daemon)["kindred_handshakes_timed_out_total"], 3) << "those that spoke did not";
}

TEST(EdgeMetrics, CountCallersWithoutAToken) {
  const TempDir dir;
  const Finished made = RunProgram(KindredPath(), {"token", "reader", "read-only", "-o", "-"});
  const size_t end = made.out.find('\n');
  std::ofstream(dir.Sub("tokens")) << made.out.substr(end + 1);
  DaemonProcess daemon(dir.Sub("d"), {"--http-listen", "0", "--tokens", dir.Sub("tokens")});
  const auto stub = daemon.NewStub();
  v1::StatsResponse stats;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(stub->Stats(NewContext().get(), {}, &stats).error_code(), grpc::StatusCode::UNAUTHENTICATED);
  }
  const auto context = NewContext();
  context->AddMetadata("authorization", "Bearer " + made.out.substr(0, end));
  v1::DeleteRequest request;
  request.add_ids("x");
  v1::DeleteResponse response;
  EXPECT_EQ(stub->Delete(context.get(), request, &response).error_code(),
            grpc::StatusCode::PERMISSION_DENIED);
  auto values = Values(daemon);
  EXPECT_EQ(values["kindred_unauthenticated_total"], 5);
  EXPECT_EQ(values["kindred_unauthenticated_held_back_total"], 2) << "from the fourth on";
  EXPECT_EQ(values["kindred_permission_denied_total"], 1);
}

}  // namespace
}  // namespace kindred::test
