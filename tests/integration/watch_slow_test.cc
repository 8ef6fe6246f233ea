// A watcher that does not read: the same graphs are stored, the daemon keeps nothing for it, and when it
// reads again it is told of everything, in order.

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/integration/stats_of.h"
#include "tests/integration/watch_call.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

constexpr uint64_t kGraphs = 6000;
constexpr size_t kPayloadBytes = 32 << 10;
// Of 192 MB that were to be told.
constexpr uint64_t kWatchRiseMax = 64 << 20;

// Every graph matches, and every match carries its payload.
void StoreAll(v1::Index::Stub& stub) {
  for (uint64_t stored = 0; stored < kGraphs;) {
    v1::PutRequest put;
    for (int i = 0; i < 100; ++i) {
      v1::Record record = RecordMessage("g" + std::to_string(++stored), PathMessage("CCO"));
      record.set_payload(std::string(kPayloadBytes, static_cast<char>('a' + stored % 26)));
      *put.add_records() = std::move(record);
    }
    v1::PutResponse response;
    const grpc::Status status = stub.Put(NewContext().get(), put, &response);
    ASSERT_TRUE(status.ok()) << status.error_message();
    ASSERT_EQ(response.sequence(), stored);
  }
}

TEST(SlowWatcher, HoldsUpNothingAndIsToldOfEverythingInTheEnd) {
  const TempDir dir;
  uint64_t resident = 0;
  {
    const DaemonProcess alone(dir.Sub("alone"));
    const auto stub = alone.NewStub();
    StoreAll(*stub);
    resident = StatsOf(*stub).resident_bytes();
  }
  const DaemonProcess daemon(dir.Sub("watched"));
  const auto stub = daemon.NewStub();
  v1::WatchRequest request = WatchRequestFor("CCO");
  request.set_with_payload(true);
  // A connection of its own, so that what waits for it is in nobody's way.
  const auto slow_stub = daemon.NewStub();
  WatchCall slow(*slow_stub, request, 600);
  slow.Read();
  StoreAll(*stub);
  EXPECT_LT(StatsOf(*stub).resident_bytes(), resident + kWatchRiseMax);

  uint64_t next = 1;
  bool was_behind = false;
  for (v1::WatchResponse message; message.sequence() < kGraphs && !testing::Test::HasFailure();) {
    message = slow.Read();
    was_behind = was_behind || message.behind() > kGraphs / 2;
    EXPECT_LT(message.ByteSizeLong(), 2u << 20);
    for (const auto& match : message.matches()) {
      ASSERT_EQ(match.sequence(), next);
      ASSERT_EQ(match.id(), "g" + std::to_string(next));
      ASSERT_EQ(match.payload(), std::string(kPayloadBytes, static_cast<char>('a' + next % 26)));
      ++next;
    }
  }
  EXPECT_EQ(next, kGraphs + 1);
  EXPECT_TRUE(was_behind) << "it was never told that it is behind";
}

}  // namespace
}  // namespace kindred::test
