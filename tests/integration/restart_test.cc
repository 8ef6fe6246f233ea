// A restart, clean or not, changes no answer; acknowledged writes survive kill -9.

#include <csignal>
#include <random>

#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

// Answers of both modes to a fixed set of questions, as text, without times.
std::string Answers(const DaemonProcess& daemon) {
  const auto stub = daemon.NewStub();
  std::mt19937_64 rng(11);
  std::string text;
  for (int i = 0; i < 30; ++i) {
    v1::SearchRequest request;
    *request.mutable_graph() = RandomTreeMessage(rng);
    request.set_k(static_cast<uint32_t>(1 + rng() % 40));
    request.set_measure(static_cast<v1::Measure>(1 + rng() % 3));
    std::string both[2];
    for (const auto mode : {v1::SEARCH_MODE_PRUNED, v1::SEARCH_MODE_EXHAUSTIVE}) {
      request.set_mode(mode);
      v1::SearchResponse response;
      const grpc::Status status = stub->Search(NewContext().get(), request, &response);
      EXPECT_TRUE(status.ok()) << status.error_message();
      response.clear_stats();
      both[mode == v1::SEARCH_MODE_PRUNED ? 0 : 1] = response.DebugString();
    }
    EXPECT_EQ(both[0], both[1]);
    text += both[0];
  }
  return text;
}

void Fill(const DaemonProcess& daemon) {
  const auto stub = daemon.NewStub();
  std::mt19937_64 rng(5);
  for (int batch = 0; batch < 40; ++batch) {
    v1::PutRequest request;
    for (int i = 0; i < 25; ++i) {
      *request.add_records() = RecordMessage("g" + std::to_string(rng() % 600), RandomTreeMessage(rng));
    }
    v1::PutResponse response;
    ASSERT_TRUE(stub->Put(NewContext().get(), request, &response).ok());
    v1::DeleteRequest removal;
    removal.add_ids("g" + std::to_string(rng() % 600));
    v1::DeleteResponse removed;
    ASSERT_TRUE(stub->Delete(NewContext().get(), removal, &removed).ok());
  }
}

TEST(Restart, ChangesNoAnswer) {
  for (const int signal : {SIGTERM, SIGKILL}) {
    const TempDir dir;
    std::string before;
    v1::StatsResponse stats_before;
    {
      DaemonProcess daemon(dir.Sub("d"));
      Fill(daemon);
      before = Answers(daemon);
      ASSERT_TRUE(daemon.NewStub()->Stats(NewContext().get(), {}, &stats_before).ok());
      daemon.Stop(signal);
    }
    DaemonProcess daemon(dir.Sub("d"));
    EXPECT_EQ(Answers(daemon), before);
    v1::StatsResponse stats_after;
    ASSERT_TRUE(daemon.NewStub()->Stats(NewContext().get(), {}, &stats_after).ok());
    EXPECT_EQ(stats_after.graphs(), stats_before.graphs());
    EXPECT_EQ(stats_after.sequence(), stats_before.sequence());
    EXPECT_NE(stats_after.incarnation(), stats_before.incarnation());
    for (int level = 0; level < stats_before.levels_size(); ++level) {
      EXPECT_EQ(stats_after.levels(level).colours(), stats_before.levels(level).colours());
    }
  }
}

}  // namespace
}  // namespace kindred::test
